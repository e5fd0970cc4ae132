import path from 'node:path'
import { openMcpAlone } from '../app/composeMcp'
import { say } from '../../shared/words/say'
import type { McpAlone } from '../services/mcpAlone'
import type { Print } from './jsonLines'
import { hostOptions } from './options'
import { Fault, readOptions, required, UsageError } from './usage'

const spec = { config: { type: 'string' }, server: { type: 'string' }, tool: { type: 'string' }, args: { type: 'string' }, model: { type: 'string' } } as const

type Values = ReturnType<typeof readOptions>['values']

const verbs: Readonly<Record<string, (servers: McpAlone, values: Values, print: Print, signal: AbortSignal) => Promise<void>>> = {
  async list(servers, _values, print) {
    const listed = await servers.list()
    if (!listed.ok) throw new Fault(say('en', listed.fault))
    listed.value.forEach(print)
  },
  async call(servers, values, print, signal) {
    const result = await servers.call(required(values['server'], 'server'), required(values['tool'], 'tool'), argumentsIn(values['args']), signal)
    if (!result.ok) throw new Fault(say('en', result.fault))
    print(result.value)
  },
}

/** `mcp list|call`: the servers of one file, seen for the first time, ended afterwards. The file is only read. */
export async function mcpCommand(args: readonly string[], print: Print): Promise<void> {
  const [name = '', ...rest] = args
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  if (!verb) throw new UsageError(`no such command: mcp ${name}`)
  const { values } = readOptions(rest, spec)
  const model = values['model']
  const servers = await openMcpAlone(hostOptions(values), path.resolve(required(values['config'], 'config')), typeof model === 'string' ? (model.split('/')[0] ?? '') : '')
  const cancel = new AbortController()
  const abort = (): void => {
    cancel.abort()
    void servers.close()
  }
  process.on('SIGINT', abort)
  try {
    await verb(servers, values, print, cancel.signal)
  } finally {
    process.off('SIGINT', abort)
    await servers.close()
  }
}

function argumentsIn(text: string | boolean | undefined): unknown {
  if (typeof text !== 'string' || text === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError('--args takes JSON')
  }
}
