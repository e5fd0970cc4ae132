import { describe, expect, test } from 'vitest'
import { protocols } from '../../../../src/shared/domain/catalogue'
import { makeAssembler } from '../../../../src/main/core/stream/assemble'
import { startFakeModelServer } from '../../../support/fakeModelServer'
import { seededFault } from '../../../support/fakeModelServerFaults'
import { clientOf, partsOf } from './world'

// R16–R21: whatever goes wrong with a reply, in every protocol, it ends once, and only a whole one may be acted on.

const reply = { reasoning: 'I think 想一想.', text: 'I look 看 at it.', calls: [{ name: 'write_file', args: { path: 'a.txt', content: 'x'.repeat(60) } }, { name: 'read_file', args: { path: '文' } }], usage: { input: 10, output: 5 } }

describe.each(protocols)('R18 R20 seeded faults in the protocol %s', (protocol) => {
  test.each(Array.from({ length: 44 }, (_, seed) => seed))('number %i', async (seed) => {
    const { name, step, isWhole } = seededFault(protocol, reply, seed)
    const server = await startFakeModelServer({ steps: [step], seed: seed + 1 })
    const { client, close } = clientOf(protocol === 'openai' ? server.baseUrl : server.origin, { at: { protocol }, retries: { times: 0, baseMs: 0, longestMs: 0 } })
    const assembler = makeAssembler()
    const parts = await partsOf(client)
    for (const part of parts) assembler.feed(part)
    const { status, text, reasoning, calls } = assembler.result()
    expect([name, parts.filter((part) => part.kind === 'stopped' || part.kind === 'failed').length]).toEqual([name, 1])
    const isComplete = status === 'complete'
    if (isWhole) expect([name, isComplete]).toEqual([name, true])
    expect([name, isComplete ? text : reply.text.startsWith(text), isComplete ? reasoning : reply.reasoning.startsWith(reasoning)]).toEqual([name, isComplete ? reply.text : true, isComplete ? reply.reasoning : true])
    if (isComplete) expect(calls.map((call) => [call.name, JSON.parse(call.argumentsText) as unknown])).toEqual(reply.calls.map((call) => [call.name, call.args]))
    await close()
    await server.close()
  })
})
