import type { McpServerForm } from '../../shared/domain/mcp'
import { fail, succeed, type Result } from '../../shared/domain/result'
import type { McpServerConfig } from '../core/ports/mcpConfig'
import { signInName } from './mcpEndpoint'
import { readForm, secretsOf } from './mcpForm'
import type { McpServersPorts } from './mcpPorts'
import { kept, type McpRoster } from './mcpRoster'

/** Changes of what is configured: the file, the secrets beside it, and what was accepted go together. */
export interface McpSaving {
  save(form: McpServerForm, previousName: string | null, passPhrase?: string): Promise<Result<null>>
  /** Adds an entry with its secrets; the name must be free. */
  add(config: McpServerConfig, secrets: ReadonlyMap<string, string>, passPhrase?: string): Promise<Result<null>>
  remove(name: string): Promise<Result<null>>
}

/** Makes it. */
export function makeMcpSaving(ports: McpServersPorts, roster: McpRoster): McpSaving {
  const write = async (config: McpServerConfig, secrets: ReadonlyMap<string, string>, previous: McpServerConfig | null, passPhrase?: string): Promise<Result<null>> => {
    const moved = await movedSecrets(config, previous, ports)
    const stored = await storeSecrets(new Map([...moved, ...secrets]), ports, passPhrase)
    if (!stored.ok) return stored
    const written = await ports.config.write(config, previous?.name ?? null)
    if (!written.ok) {
      await stored.value()
      return written
    }
    const isRenamed = previous !== null && previous.name !== config.name
    const settled = await kept(async () => {
      if (isRenamed) await roster.register.rename(previous.name, config.name)
      await roster.register.acceptStart(config)
      await ports.audit.append({ fact: 'server-changed', atMs: ports.clock.nowMs(), actor: 'person', tool: config.name, outcome: previous === null ? 'added' : isRenamed ? 'renamed' : 'changed', args: recordOf(config, (text) => ports.redact(text)) })
      const used = secretsOf(config)
      for (const name of previous === null ? [] : secretsOf(previous)) if (!used.has(name)) await ports.secrets.remove(name)
      if (isRenamed) await ports.secrets.remove(signInName(previous))
      // Somebody signed in at the address of before.
      if (previous !== null && previous.url !== config.url) await ports.secrets.remove(signInName(config))
    })
    // It runs with the value that was there before; the entry in the file may be the same.
    if (secrets.size > 0) await roster.life(config.name)?.stop()
    await roster.reload()
    return settled
  }

  return {
    async save(form, previousName, passPhrase) {
      await roster.load()
      await roster.reload()
      const fault = roster.fault()
      if (fault !== null) return { ok: false, fault }
      const previous = previousName === null ? null : (roster.config(previousName) ?? null)
      if (previousName !== null && previous === null) return fail('mcp.not-configured', { server: previousName })
      if (previous?.project !== undefined) return fail('trust.server-read-only', { server: previous.name })
      // One of the opened folder with that name gives way.
      const others = roster.servers().flatMap((one) => (one.name === previousName || one.project !== undefined ? [] : [one.name]))
      const read = readForm(form, previous, others)
      return read.ok ? write(read.value.config, read.value.secrets, previous, passPhrase) : read
    },
    add: (config, secrets, passPhrase) => write(config, secrets, null, passPhrase),
    async remove(name) {
      await roster.load()
      const config = roster.config(name)
      if (!config) return fail('mcp.not-configured', { server: name })
      if (config.project !== undefined) return fail('trust.server-read-only', { server: name })
      await roster.life(name)?.stop()
      const removed = await ports.config.remove(name)
      if (!removed.ok) return removed
      const settled = await kept(async () => {
        for (const secret of [...secretsOf(config), signInName(config)]) await ports.secrets.remove(secret)
        await roster.register.forget(name)
        await ports.audit.append({ fact: 'server-changed', atMs: ports.clock.nowMs(), actor: 'person', tool: name, outcome: 'removed' })
      })
      await roster.reload()
      return settled
    },
  }
}

/** What the record keeps of an entry: never a value, nor a key among its arguments. */
function recordOf({ transport, command, args, cwd, env, url, headers }: McpServerConfig, redact: (text: string) => string): Readonly<Record<string, unknown>> {
  return transport === 'http' ? { url: redact(url), headers: Object.keys(headers) } : { command, args: recordedArgs(args, redact), cwd, env: Object.keys(env) }
}

/** A key is known by the flag before it, so each argument is read together with that one. */
function recordedArgs(args: readonly string[], redact: (text: string) => string): readonly string[] {
  return args.map((arg, at) => {
    const flag = args[at - 1]
    if (flag === undefined || !/^--?[^=\s]+$/.test(flag)) return redact(arg)
    const pair = redact(`${flag} ${arg}`)
    return pair.startsWith(`${flag} `) ? pair.slice(flag.length + 1) : redact(arg)
  })
}

/** Secrets that an entry under another name still refers to. */
async function movedSecrets(config: McpServerConfig, previous: McpServerConfig | null, { secrets }: McpServersPorts): Promise<ReadonlyMap<string, string>> {
  const moved = new Map<string, string>()
  if (previous === null || previous.name === config.name) return moved
  const wanted = secretsOf(config)
  for (const before of secretsOf(previous)) {
    const name = `mcp/${config.name}${before.slice(`mcp/${previous.name}`.length)}`
    const value = wanted.has(name) ? await secrets.get(before) : null
    if (value !== null) moved.set(name, value)
  }
  const signIn = await secrets.get(signInName(previous))
  if (signIn !== null) moved.set(signInName(config), signIn)
  return moved
}

/** Stores all or none; gives what takes them back. */
async function storeSecrets(values: ReadonlyMap<string, string>, { secrets }: McpServersPorts, passPhrase?: string): Promise<Result<() => Promise<void>>> {
  const before = new Map<string, string | null>()
  const undo = async (): Promise<void> => {
    for (const [name, value] of before) {
      if (value === null) await secrets.remove(name)
      else await secrets.set(name, value, passPhrase)
    }
  }
  for (const [name, value] of values) {
    const was = await secrets.get(name)
    const stored = await secrets.set(name, value, passPhrase)
    if (!stored.ok) {
      await undo()
      return stored
    }
    before.set(name, was)
  }
  return succeed(undo)
}
