import type { McpField, McpHiddenValue, McpServerForm, McpTransport, McpValue } from '../../../shared/domain/mcp'
import { said, type Said } from '../../../shared/domain/result'
import type { McpServerDetail } from '../../../shared/ipc/views'

/** A value on the form. `id` keeps its row while names change; `kept` is a hidden value that stays what it is. */
export interface DraftValue {
  readonly id: number
  readonly name: string
  readonly value: McpValue
}

/** One argument; an empty one is an argument too. */
export interface DraftArg {
  readonly id: number
  readonly text: string
}

/** A server's form as it is being edited. What it began from is the server itself, or nothing for a new one. */
export interface Draft {
  readonly name: string
  readonly transport: McpTransport
  readonly command: string
  readonly args: readonly DraftArg[]
  readonly cwd: string
  readonly env: readonly DraftValue[]
  readonly url: string
  readonly headers: readonly DraftValue[]
  readonly isDisabled: boolean
  /** Seconds as typed; empty is the default. */
  readonly timeout: string
  /** True once it was to be saved or tested: what is missing is said from then on. */
  readonly isTried: boolean
  /** The kept form that it began from. */
  readonly base: McpServerForm | null
}

export type ValueList = 'env' | 'headers'

let lastId = 0
export const nextId = (): number => ++lastId

export const emptyDraft: Draft = { name: '', transport: 'stdio', command: '', args: [], cwd: '', env: [], url: '', headers: [], isDisabled: false, timeout: '', isTried: false, base: null }

const valuesOf = (fields: readonly McpField[]): readonly DraftValue[] => fields.map((field) => ({ id: nextId(), ...field }))

/** Begins to edit a form. */
export function draftOf(form: McpServerForm): Draft {
  return { ...form, args: form.args.map((text) => ({ id: nextId(), text })), env: valuesOf(form.env), headers: valuesOf(form.headers), timeout: form.timeoutMs === null ? '' : String(form.timeoutMs / 1000), isTried: false, base: form }
}

const fieldsOf = (values: readonly DraftValue[]): readonly McpField[] => values.map(({ name, value }) => ({ name: name.trim(), value }))

/** What is saved: arguments item by item as they are, the fields of the other transport empty. */
export function formOf(draft: Draft): McpServerForm {
  const isProgram = draft.transport === 'stdio'
  return {
    name: draft.name.trim(), transport: draft.transport,
    command: isProgram ? draft.command : '', args: isProgram ? draft.args.map((arg) => arg.text) : [], cwd: isProgram ? draft.cwd.trim() : '', env: isProgram ? fieldsOf(draft.env) : [],
    url: isProgram ? '' : draft.url.trim(), headers: isProgram ? [] : fieldsOf(draft.headers),
    isDisabled: draft.isDisabled, timeoutMs: draft.timeout.trim() === '' ? null : Math.round(Number(draft.timeout) * 1000),
  }
}

const plainFields = ['name', 'transport', 'command', 'cwd', 'url', 'timeout'] as const

/** How many fields differ from the kept form; every row of a list of values is one, the arguments together are one. */
export function countChanges(draft: Draft, kept: McpServerForm | null): number {
  const before = kept === null ? emptyDraft : draftOf(kept)
  const plain = plainFields.filter((field) => draft[field] !== before[field]).length
  const args = JSON.stringify(draft.args.map((arg) => arg.text)) === JSON.stringify(before.args.map((arg) => arg.text)) ? 0 : 1
  return plain + args + changedValues(draft.env, before.env) + changedValues(draft.headers, before.headers)
}

function changedValues(now: readonly DraftValue[], before: readonly DraftValue[]): number {
  const names = new Set(now.map((value) => value.name))
  return now.filter((value) => value.value.kind !== 'kept').length + before.filter((value) => !names.has(value.name)).length
}

/** Whether the server was changed elsewhere since this was begun: saving would replace that. A switch acts at once and is none. */
export function isOvertaken({ base }: Draft, kept: McpServerForm | null): boolean {
  const told = (form: McpServerForm): string => JSON.stringify({ ...form, isDisabled: false })
  return base !== null && kept !== null && base !== kept && told(base) !== told(kept)
}

/** A name that reads like that of a key: its value is a secret unless the person says otherwise. */
export function looksSecret(name: string): boolean {
  return /key|token|secret|passw|pwd|credential|auth|cookie|session|private|_dsn$|_uri$|connection/i.test(name)
}

/** What keeps a draft from being saved, by field; a row of values by its id. */
export interface DraftFaults {
  readonly name?: Said
  readonly command?: Said
  readonly url?: Said
  readonly timeout?: Said
  readonly values: ReadonlyMap<number, Said>
}

/** Judges a draft. What is only missing is said after the first try; what is wrong, at once. */
export function faultsOf(draft: Draft, taken: readonly string[]): DraftFaults {
  const name = nameFault(draft.name, taken)
  const isProgram = draft.transport === 'stdio'
  const command = isProgram && draft.command.trim() === '' ? said('servers.fault.command') : null
  const url = isProgram ? null : urlFault(draft.url)
  const timeout = timeoutFault(draft.timeout)
  const values = isProgram ? valueFaults(draft.env, 'env') : valueFaults(draft.headers, 'headers')
  return { ...(name && { name }), ...(command && { command }), ...(url && { url }), ...(timeout && { timeout }), values }
}

export function hasFaults({ values, ...rest }: DraftFaults): boolean {
  return values.size > 0 || Object.keys(rest).length > 0
}

function nameFault(name: string, taken: readonly string[]): Said | null {
  if (name.trim() === '') return said('servers.fault.name')
  if (name.trim().length > 200) return said('servers.fault.name-long')
  return taken.some((one) => one === name.trim()) ? said('servers.fault.name-taken', { name: name.trim() }) : null
}

function urlFault(url: string): Said | null {
  if (url.trim() === '') return said('servers.fault.url')
  return /^(https?:\/\/[^\s/]|\$\{)/i.test(url.trim()) ? null : said('servers.fault.url-form')
}

function timeoutFault(timeout: string): Said | null {
  if (timeout.trim() === '') return null
  const seconds = Number(timeout)
  return Number.isFinite(seconds) && seconds >= 1 && seconds <= 86_400 ? null : said('servers.fault.timeout')
}

/** What the host takes as the name of a variable or a header: in the keychain it is part of a name too. */
const nameForm = /^[A-Za-z_][A-Za-z0-9_.-]*$/

function valueFaults(values: readonly DraftValue[], list: ValueList): ReadonlyMap<number, Said> {
  const faults = new Map<number, Said>()
  const seen = new Set<string>()
  for (const { id, name, value } of values) {
    const key = list === 'headers' ? name.trim().toLowerCase() : name.trim()
    if (key === '') faults.set(id, said('servers.fault.value-name'))
    else if (!nameForm.test(key)) faults.set(id, said('servers.fault.value-form'))
    else if (seen.has(key)) faults.set(id, said('servers.fault.value-twice', { name: name.trim() }))
    else if (value.kind === 'secret' && value.text === '') faults.set(id, said('servers.fault.secret'))
    seen.add(key)
  }
  return faults
}

/** Whether a new secret would be written: it needs a place to be kept. */
export function hasSecrets(draft: Draft): boolean {
  return (draft.transport === 'stdio' ? draft.env : draft.headers).some((value) => value.value.kind === 'secret')
}

/** What may be known of a kept value. */
export function hiddenOf(detail: McpServerDetail | null, list: ValueList, name: string): McpHiddenValue | undefined {
  return detail?.[list].find((value) => value.name === name)
}

/** A name that is free: `postgres`, `postgres-2`, … */
export function freeName(wanted: string, taken: readonly string[]): string {
  const used = new Set(taken)
  for (let number = 2; ; number += 1) if (!used.has(`${wanted}-${number}`)) return `${wanted}-${number}`
}
