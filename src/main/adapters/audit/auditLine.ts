import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { auditFacts, type AuditDraft, type AuditEntry, type AuditHead } from '../../../shared/domain/audit'

/** What stands before the first entry. */
export const noHead: AuditHead = { entries: 0, chain: '0'.repeat(64) }

/** A line of the log as it is read: the two values at its end, and the text they are made of. */
export interface AuditLine {
  readonly entry: number
  /** How its chain value is made: 1 of the body, 2 of the hash of the body. */
  readonly form: 1 | 2
  readonly prev: string
  readonly body: string
  /** The body as JSON. */
  readonly value: Readonly<Record<string, unknown>>
  readonly chain: string
  readonly mac: string | null
}

/**
 * The next line after `head`, with its line end. Anybody can check it: `chain` is the SHA-256 of the previous chain value and
 * the SHA-256, in hexadecimal, of the line without `chain` and `mac`, so that the hash of a line that is not shown takes its
 * place (`excerpt.ts`); `mac` is the HMAC-SHA-256 of `chain`, and says who could have written it.
 */
export function lineAfter(head: AuditHead, draft: AuditDraft, argsDigest: string | null, macKey: Uint8Array | null): { readonly text: string; readonly head: AuditHead } {
  const { fact, atMs, actor, ...rest } = draft
  const entry = head.entries + 1
  const body = JSON.stringify({ entry, atMs, fact, actor, ...rest, ...(argsDigest === null ? {} : { argsDigest }), form: 2, prev: head.chain })
  const chain = chainAfter(head.chain, digestOf(body))
  const mac = macKey === null ? '' : `,"mac":"${macOf(macKey, chain)}"`
  return { text: `${body.slice(0, -1)},"chain":"${chain}"${mac}}\n`, head: { entries: entry, chain } }
}

/** A line in its parts, or null when it is none of ours. Says nothing about whether it fits. */
export function readLine(text: string): AuditLine | null {
  const [, start, chain, mac] = /^(\{.*),"chain":"([0-9a-f]{64})"(?:,"mac":"([0-9a-f]{64})")?\}$/s.exec(text) ?? []
  if (start === undefined || chain === undefined) return null
  const body = `${start}}`
  try {
    const value = JSON.parse(body) as Readonly<Record<string, unknown>>
    const { entry, prev, form = 1 } = value
    const isKnown = typeof entry === 'number' && typeof prev === 'string' && (form === 1 || form === 2)
    return isKnown ? { entry, form, prev, body, value, chain, mac: mac ?? null } : null
  } catch {
    return null // not JSON: torn, or changed by hand
  }
}

/**
 * A line as the entry it holds, or null when it is none that this version knows. What a person or program may have put there
 * is looked at: nothing of it has another shape than it says.
 */
export function readEntry(text: string): AuditEntry | null {
  const line = readLine(text)
  if (line === null) return null
  const entry = line.value
  const isText = (name: string) => entry[name] === undefined || typeof entry[name] === 'string'
  const isKnown = auditFacts.some((fact) => fact === entry['fact']) && actors.has(entry['actor']) && typeof entry['atMs'] === 'number' && Number.isSafeInteger(line.entry)
  const isShaped = textFields.every(isText) && (entry['exitCode'] == null || typeof entry['exitCode'] === 'number') && isListOf(entry['taint'], (one) => typeof one === 'string') && isListOf(entry['changed'], isChange)
  const isNamed = (entry['effect'] === undefined || effects.has(entry['effect'])) && (entry['confined'] === undefined || confinements.has(entry['confined']))
  if (!isKnown || !isShaped || !isNamed) return null
  return { ...entry, chain: line.chain, ...(line.mac === null ? {} : { mac: line.mac }) } as unknown as AuditEntry
}

const actors: ReadonlySet<unknown> = new Set<AuditDraft['actor']>(['person', 'rule', 'grant', 'policy', 'level', 'agent', 'app'])
const effects: ReadonlySet<unknown> = new Set<AuditDraft['effect']>(['read', 'write', 'execute', 'network'])
const confinements: ReadonlySet<unknown> = new Set<AuditDraft['confined']>(['sandbox', 'network', 'outside', 'trial', 'none'])
const textFields = ['sessionId', 'turnId', 'callId', 'tool', 'outcome', 'snapshotId', 'commit', 'say', 'ruleId', 'argsDigest'] as const

function isListOf(value: unknown, fits: (one: unknown) => boolean): boolean {
  return value === undefined || (Array.isArray(value) && value.every(fits))
}

function isChange(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { path, before, after } = value as Readonly<Record<string, unknown>>
  return typeof path === 'string' && [before, after].every((hash) => hash === null || typeof hash === 'string')
}

/** Whether an entry tells of a rollback. */
export function isOfRollback(text: string, id: string): boolean {
  if (!text.includes(id)) return false
  const entry = readEntry(text)
  return entry?.fact === 'rolled-back' && typeof entry.args === 'object' && entry.args !== null && 'rollbackId' in entry.args && entry.args.rollbackId === id
}

/** The ends of the files that a `log-pruned` entry names; null for every other entry. */
export function prunedEnds({ value: { fact, args } }: AuditLine): readonly AuditHead[] | null {
  if (fact !== 'log-pruned' || typeof args !== 'object' || args === null) return null
  const { ends } = args as { readonly ends?: unknown }
  return Array.isArray(ends) ? (ends as readonly AuditHead[]) : null
}

/** Whether a line is the one after `head`. A mac is checked where a key is at hand. */
export function fitsAfter(head: AuditHead, line: AuditLine, macKey: Uint8Array | null): boolean {
  if (line.entry !== head.entries + 1 || line.prev !== head.chain || line.chain !== chainAfter(head.chain, line.form === 2 ? digestOf(line.body) : line.body)) return false
  return line.mac === null || macKey === null || timingSafeEqual(Buffer.from(line.mac), Buffer.from(macOf(macKey, line.chain)))
}

/** The keyed hash of the unredacted arguments: whoever has the key and the arguments can prove that they belong together. */
export function argsDigestOf(args: unknown, macKey: Uint8Array | null): string | null {
  return args === undefined || macKey === null ? null : createHmac('sha256', macKey).update(JSON.stringify(args)).digest('hex')
}

/** The chain value behind `prev` of what a line is bound by: the hash of its body, in the first form the body itself. */
export function chainAfter(prev: string, bound: string): string {
  return createHash('sha256').update(prev).update(bound).digest('hex')
}

/** What stands for the body of a line of the second form. */
export function digestOf(body: string): string {
  return createHash('sha256').update(body).digest('hex')
}

function macOf(key: Uint8Array, chain: string): string {
  return createHmac('sha256', key).update(chain).digest('hex')
}
