import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../../src/main/core/tools/defineTool'
import { said, succeed } from '../../../src/shared/domain/result'
import type { StreamPart } from '../../../src/shared/domain/model'
import { makeRunsWorld, runsSession as id } from '../../support/runsWorld'
import { makeTurnWorld, reply } from '../../support/turnWorld'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** What is still held. */
function heldBytes(): number {
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

const turns = 40
const stepsOfTurn = 50
const body = (n: number): string => `${n} `.repeat(200)

const look = defineTool({
  name: 'look', description: '', params: z.object({ n: z.number() }), effect: 'read', paths: () => [],
  forecast: () => Promise.resolve(succeed({ preview: { kind: 'arguments', text: '', notes: [] }, writes: [], base: {} })),
  run: (args) => Promise.resolve({ status: 'ok', say: said('turn.done'), body: body(args.n) }),
})

/**
 * 2,000 steps of one session: what stays in memory is the record, which is read from there, and what is kept beside it to send it;
 * nothing grows with the number of requests. A kept copy of each request would be some hundred times the record.
 */
test('R97 2,000 steps of one session hold little more memory than their record is long', async () => {
  let n = 0
  const model = {
    async *stream(): AsyncGenerator<StreamPart, void, undefined> {
      n += 1
      await Promise.resolve()
      // The pieces of a long answer are shown and not kept.
      for (let at = 0; at < 20; at += 1) yield { kind: 'text-delta', text: `piece ${at} of step ${n} ` }
      yield* n % stepsOfTurn === 0 ? reply('done') : reply('', { name: 'look', args: { n } })
    },
  }
  const { ports } = makeTurnWorld({ tools: [look], replies: [] })
  const audit: typeof ports.audit = { ...ports.audit, append: () => Promise.resolve({ entries: 1, chain: '' }) }
  const world = await makeRunsWorld({ ports: { ...ports, model, audit } }, { maxSteps: () => Promise.resolve(stepsOfTurn) })
  world.sessions.onParts(() => undefined)
  const marks: { readonly held: number; readonly record: number }[] = []
  for (let turn = 1; turn <= turns; turn += 1) {
    const started = await world.runs.prompt(id, `Part ${turn}`)
    if (!started.ok) throw new Error(started.fault.code)
    expect((await started.value.ended).reason).toBe('done')
    if (turn % 10 === 0) marks.push({ held: heldBytes(), record: world.session.events.reduce((sum, event) => sum + JSON.stringify(event).length, 0) })
  }
  expect(n).toBe(turns * stepsOfTurn)
  const [first, , , last] = marks
  if (!first || !last) throw new Error('no marks')
  const ratio = (last.held - first.held) / (last.record - first.record)
  console.log(`held bytes for a byte of record: ${ratio.toFixed(2)} (${((last.record - first.record) / 1e6).toFixed(1)} MB of record)`)
  expect(ratio).toBeLessThan(4)
}, 120_000)
