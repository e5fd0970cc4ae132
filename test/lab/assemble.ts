import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { loadCatalogue } from '../../src/main/adapters/model/catalogue'
import { createModelClient } from '../../src/main/adapters/model/client'
import { openNetwork } from '../../src/main/adapters/model/network'
import { makeAssembler } from '../../src/main/core/stream/assemble'
import { parseArguments } from '../../src/main/core/stream/parseArguments'
import { protocols, type Protocol } from '../../src/shared/domain/catalogue'
import type { AssembledReply } from '../../src/shared/domain/model'
import { say } from '../../src/shared/words/say'
import { rawStream, startFakeModelServer, type FakeStep, type Spoil } from '../support/fakeModelServer'
import type { LabInput, Print } from './index'

/** Beside test/ in the sources, beside out/ when built. */
const resources = resolve(import.meta.dirname, '../../resources')

/** What became of one stream, in the form that checks compare. */
export interface Assembled {
  readonly status: AssembledReply['status']
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: unknown }[]
  readonly usage: AssembledReply['usage']
  /** The calls may go on to approval. */
  readonly execute: boolean
  /** A call whose arguments cannot be read; the model is told, the others run. */
  readonly toolError?: string
  /** What was repaired in the arguments, in words. */
  readonly repairs?: readonly string[]
  readonly error?: string
}

/** `assemble`: the bytes on stdin as one answer of a provider, read through the real HTTP layer, put together as in a turn. */
export async function assemble(args: readonly string[], input: LabInput, print: Print): Promise<void> {
  const options = readOptions(args)
  const cuts = options.cuts === undefined ? undefined : readFileSync(options.cuts, 'utf8').split(/\s+/).filter(Boolean).map(Number)
  print(await assembleStep(rawStream(input.bytes(), { ...(options.bytewise ? { bytewise: true } : {}), ...(cuts ? { cuts } : {}) }), options.protocol))
}

function readOptions(args: readonly string[]): { readonly protocol: Protocol; readonly bytewise: boolean; readonly cuts: string | undefined } {
  const usage = (sentence: string): Error => Object.assign(new Error(sentence), { name: 'LabUsage' })
  let values
  try {
    values = parseArgs({ args: [...args], options: { protocol: { type: 'string' }, bytewise: { type: 'boolean' }, cuts: { type: 'string' }, data: { type: 'string' } } }).values
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error))
  }
  const protocol = protocols.find((one) => one === values.protocol)
  if (!protocol) throw usage(`--protocol takes ${protocols.join(', ')}`)
  return { protocol, bytewise: values.bytewise === true, cuts: values.cuts }
}

/** Serves one answer from a loopback server and puts it together; nothing is asked for twice. */
export async function assembleStep(step: FakeStep & Spoil, protocol: Protocol = 'openai'): Promise<Assembled> {
  const server = await startFakeModelServer({ steps: [step] })
  const network = openNetwork({})
  const client = createModelClient({
    catalogue: await loadCatalogue(resources),
    network,
    inProcess: {},
    endpoint: () => Promise.resolve({ baseUrl: protocol === 'openai' ? server.baseUrl : server.origin, key: null, protocol }),
    stallMs: () => Promise.resolve(30_000),
    retries: { times: 0, baseMs: 0, longestMs: 0 },
  })
  try {
    const assembler = makeAssembler()
    const request = { choice: { provider: 'lab', model: 'm' }, messages: [{ role: 'user' as const, text: 'go' }], tools: [] }
    for await (const part of client.stream(request, new AbortController().signal)) assembler.feed(part)
    return describe(assembler.result())
  } finally {
    await network.close()
    await server.close()
  }
}

/** An answer cut at the output limit did not end as it should, also when only text was cut. Of a broken one, only calls with whole arguments are shown. */
function describe(reply: AssembledReply): Assembled {
  const status = reply.status === 'complete' && reply.stop === 'length' ? 'incomplete' : reply.status
  const read = reply.calls.map((call) => ({ call, parsed: parseArguments(call.argumentsText) }))
  const calls = read.flatMap(({ call, parsed }): Assembled['calls'] => (parsed.ok ? [{ id: call.providerCallId, name: call.name, args: parsed.value.args }] : status === 'complete' ? [{ id: call.providerCallId, name: call.name, args: null }] : []))
  const bad = read.flatMap(({ parsed }) => (parsed.ok ? [] : [say('en', parsed.fault)]))
  const repairs = read.flatMap(({ parsed }) => (parsed.ok && parsed.value.repair ? [say('en', parsed.value.repair)] : []))
  return {
    status,
    text: reply.text,
    reasoning: reply.reasoning,
    calls,
    usage: reply.usage,
    execute: status === 'complete' && bad.length === 0,
    ...(status === 'complete' && bad[0] !== undefined ? { toolError: bad[0] } : {}),
    ...(repairs.length > 0 ? { repairs } : {}),
    ...(reply.fault ? { error: say('en', reply.fault.say) } : {}),
  }
}
