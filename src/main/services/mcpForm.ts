import type { McpField, McpHiddenValue, McpServerForm } from '../../shared/domain/mcp'
import { fail, succeed, type Result } from '../../shared/domain/result'
import { expand, referencesOf } from '../core/mcp/expand'
import { refusedServers } from '../core/mcp/serverNames'
import { redact } from '../core/policy/redaction'
import type { McpServerConfig } from '../core/ports/mcpConfig'
import { isReachable, lookupFor, secretName, type McpList } from './mcpEndpoint'
import type { McpServersPorts } from './mcpPorts'

/** A form as it would be written: the entry of mcp.json, and the secrets that go beside it by their names in the store. */
export interface ReadForm {
  readonly config: McpServerConfig
  readonly secrets: ReadonlyMap<string, string>
}

/** What the form shows of a server: every value hidden, since nobody knows which of them is a key (R44). */
export function formOf(config: McpServerConfig): McpServerForm {
  return {
    name: config.name, transport: config.transport, command: config.command, args: config.args, cwd: config.cwd, env: hiddenFields(config.env), url: config.url, headers: hiddenFields(config.headers),
    isDisabled: config.isDisabled, timeoutMs: config.timeoutMs,
  }
}

function hiddenFields(values: Readonly<Record<string, string>>): readonly McpField[] {
  return Object.keys(values).map((name) => ({ name, value: { kind: 'kept' } }))
}

/** Reads the form over what was there before; hidden values that were kept are taken from it. Faults name the field. */
export function readForm(form: McpServerForm, previous: McpServerConfig | null, otherNames: readonly string[]): Result<ReadForm> {
  const name = form.name.trim()
  const refusal = name === '' ? fail('mcp.name-empty').fault : refusedServers([...otherNames, name]).get(name)
  if (refusal) return { ok: false, fault: refusal }
  if (otherNames.includes(name)) return fail('mcp.name-taken', { name })
  const isHttp = form.transport === 'http'
  if (!isHttp && form.command.trim() === '') return fail('mcp.command-empty')
  if (isHttp && referencesOf(form.url).length === 0 && !isReachable(form.url.trim())) return fail('mcp.bad-address', { address: form.url })
  const secrets = new Map<string, string>()
  const env = isHttp ? succeed({}) : valuesOf(form.env, previous?.env ?? {}, name, 'env', secrets)
  if (!env.ok) return env
  const headers = isHttp ? valuesOf(form.headers, previous?.headers ?? {}, name, 'headers', secrets) : succeed({})
  if (!headers.ok) return headers
  return succeed({
    config: {
      name, transport: form.transport, command: isHttp ? '' : form.command.trim(), args: isHttp ? [] : form.args, cwd: isHttp ? '' : form.cwd.trim(), env: env.value,
      url: isHttp ? form.url.trim() : '', headers: headers.value, isDisabled: form.isDisabled, timeoutMs: form.timeoutMs,
    },
    secrets,
  })
}

const fieldName: Readonly<Record<McpList, RegExp>> = { env: /^[A-Za-z_][A-Za-z0-9_.-]*$/u, headers: /^[A-Za-z_][A-Za-z0-9_.-]*$/u }

function valuesOf(fields: readonly McpField[], before: Readonly<Record<string, string>>, server: string, list: McpList, secrets: Map<string, string>): Result<Readonly<Record<string, string>>> {
  const values = new Map<string, string>()
  for (const field of fields) {
    const name = field.name.trim()
    if (!fieldName[list].test(name)) return fail('mcp.bad-field-name', { name: field.name })
    if (values.has(name)) return fail('mcp.field-twice', { name })
    if (field.value.kind === 'kept') {
      const kept = Object.hasOwn(before, name) ? before[name] : undefined
      if (kept === undefined) return fail('mcp.field-gone', { name })
      values.set(name, kept)
    } else if (field.value.kind === 'secret') {
      secrets.set(secretName(server, list, name), field.value.text)
      values.set(name, `\${secret:${name}}`)
    } else values.set(name, field.value.text)
  }
  return succeed(Object.fromEntries(values))
}

/** Names in the secret store that a server's entry refers to. */
export function secretsOf(config: McpServerConfig): ReadonlySet<string> {
  const list: McpList = config.transport === 'http' ? 'headers' : 'env'
  const values = [config.command, config.cwd, config.url, ...config.args, ...Object.values(config.env), ...Object.values(config.headers)]
  return new Set(values.flatMap(referencesOf).flatMap((one) => (one.kind === 'secret' ? [secretName(config.name, list, one.name)] : [])))
}

/** The hidden values of a list as the window may know them. What a variable gives is shown unless it looks like a key. */
export async function hiddenValues(config: McpServerConfig, list: McpList, ports: Pick<McpServersPorts, 'secrets' | 'env' | 'redact'>): Promise<readonly McpHiddenValue[]> {
  const lookup = await lookupFor(config, ports)
  return Object.entries(config[list]).map(([name, value]): McpHiddenValue => {
    const references = referencesOf(value)
    const secret = references.find((one) => one.kind === 'secret')
    if (secret) return { name, place: lookup('secret', secret.name) === null ? 'missing' : 'keychain', reference: null, expands: null }
    if (references.length === 0) return { name, place: 'file', reference: null, expands: null }
    const filled = expand(value, lookup)
    if (!filled.ok) return { name, place: 'missing', reference: value, expands: null }
    return { name, place: 'file', reference: value, expands: looksSecret(name, filled.value) ? '••••••' : ports.redact(filled.value) }
  })
}

/** Whether a value should be in the keychain, by its name or by its form. */
export function looksSecret(name: string, value: string): boolean {
  if (value === '' || referencesOf(value).length > 0) return false
  const line = `${name}: ${value}`
  const quoted = `${name}="${value}"`
  return redact(value) !== value || redact(line) !== line || redact(quoted) !== quoted
}
