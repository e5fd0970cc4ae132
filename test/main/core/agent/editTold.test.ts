import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { keptChanges, toldOfChanges } from '../../../../src/main/core/agent/editTold'
import { runTurn } from '../../../../src/main/core/agent/runTurn'
import { defineTool } from '../../../../src/main/core/tools/defineTool'
import type { ApprovalAnswer } from '../../../../src/shared/domain/approval'
import { exactLines, lineChanges } from '../../../../src/shared/domain/lineChanges'
import { said, succeed } from '../../../../src/shared/domain/result'
import { say } from '../../../../src/shared/words/say'
import { makeTurnWorld, reply } from '../../../support/turnWorld'

const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n'
const proposed = 'ONE\ntwo\nthree\nFOUR\nFOUR and a half\nfive\nsix\nseven\nEIGHT\n'
const told = (effective: string): string => toldOfChanges(before, proposed, effective).map((sentence) => say('en', sentence)).join(' ')

test('R63 the model is told which of its changes were kept, by the lines it knows', () => {
  const last = 'Lines are numbered as they were before this call. What counts is what is in the file now; keep it.'
  expect(told('ONE\ntwo\nthree\nfour\nfive\nsix\nseven\nEIGHT\n')).toBe(`The user looked at each change of yours and kept 2 of 3. Not written, so still as before: line 4. ${last}`)
  expect(told('ONE\ntwo\nthree\n4\nfive\nsix\nseven\n')).toBe(`The user looked at each change of yours and kept 2 of 3. Not written, so still as before: after line 7. Written with other words of the user: line 4. ${last}`)
  expect(told('ONE\ntwo\nthree\nFOUR\nFOUR and a half\nfive\n6\nseven\nEIGHT\n')).toBe(`The user looked at each change of yours and kept 3 of 3. The user also changed: line 6. ${last}`)
})

test('R63 every choice of changes is told as that choice', () => {
  const line = fc.constantFrom('a\n', 'b\n', 'c\n', '}\n', '\n', 'd\r\n')
  const text = fc.array(line, { maxLength: 12 })
  fc.assert(fc.property(text, text, fc.infiniteStream(fc.boolean()), (one, other, choice) => {
    const [old, wanted] = [exactLines(one.join('')), exactLines(other.join(''))]
    const changes = lineChanges(old, wanted)
    let at = 0
    let made = ''
    for (const change of changes) {
      made += old.slice(at, change.before.from).join('') + (choice.next().value === true ? wanted.slice(change.after.from, change.after.to) : old.slice(change.before.from, change.before.to)).join('')
      at = change.before.to
    }
    made += old.slice(at).join('')
    const kept = keptChanges(old.join(''), wanted.join(''), made)
    expect(kept).toMatchObject({ total: changes.length, own: [], elsewhere: [] })
    const isIn = (span: { from: number; to: number }) => kept.rejected.some((rejected) => rejected.from === span.from && rejected.to === span.to)
    const again = changes.reduce((now, change) => ({ at: change.before.to, made: now.made + old.slice(now.at, change.before.from).join('') + (isIn(change.before) ? old.slice(change.before.from, change.before.to) : wanted.slice(change.after.from, change.after.to)).join('') }), { at: 0, made: '' })
    expect(again.made + old.slice(again.at).join('')).toBe(made)
  }))
})

test('R63 what is told is bounded and holds no text of the file', () => {
  const rows = Array.from({ length: 400 }, (_, at) => [`keep ${at}`, `secret${at}`]).flat()
  const sentence = toldOfChanges(rows.join('\n'), rows.map((row) => row.replace('secret', 'other')).join('\n'), rows.join('\n')).map((fact) => say('en', fact)).join(' ')
  expect(sentence).toContain('kept 0 of 400. Not written, so still as before: line 2, line 4, line 6, line 8, line 10, line 12, line 14, line 16, and 392 more.')
  expect([sentence.length < 500, sentence.includes('secret')]).toEqual([true, false])
})

/** Writes a file that is always there, whose tool puts a last line end where the text has none. */
async function play(...answers: readonly ApprovalAnswer[]) {
  const written: string[] = []
  const made = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`)
  const put = defineTool<{ readonly text: string }>({
    name: 'put', description: 'Writes.', effect: 'write', params: z.object({ text: z.string() }), paths: () => [],
    forecast: ({ text }) => Promise.resolve(succeed({ preview: { kind: 'edit' as const, path: 'f', before, after: made(text), notes: [] }, writes: [], base: { f: 'hash' } })),
    withEdit: (_, text) => ({ text }),
    run: ({ text }) => (written.push(made(text)), Promise.resolve({ status: 'ok' as const, say: said('file.wrote', { path: 'f', lines: 1, sizeBytes: 1 }) })),
  })
  let at = 0
  const world = makeTurnWorld({ tools: [put], replies: [reply('', { name: 'put', args: { text: proposed } }), reply('end')], answer: () => answers[at++] ?? { kind: 'skip' } })
  await runTurn(world.turn, world.ports, new AbortController().signal)
  const end = world.events.find((event) => event.type === 'tool-finished')
  return { written, shown: world.asked.map(({ preview }) => (preview.kind === 'edit' ? preview.after : null)), text: end?.type === 'tool-finished' ? end.text : '' }
}

test('R63 the text that was signed is written, and the model reads what was kept', async () => {
  const text = proposed.replace('ONE', 'one')
  const { written, text: heard } = await play({ kind: 'edited-text', text })
  expect(written).toEqual([text])
  expect(heard).toMatch(/^The user looked at each change of yours and kept 2 of 3\. Not written, so still as before: line 1\./u)
})

test('R63 E19 where a tool would write another text than was signed, that text is shown and signed first; the model still hears of it', async () => {
  const { written, shown, text } = await play({ kind: 'edited-text', text: 'mine' }, { kind: 'allow' })
  expect({ written, shown }).toEqual({ written: ['mine\n'], shown: [proposed, 'mine\n'] })
  expect(text).toContain('The user looked at each change of yours')
})

test('R63 E19 a question that is put anew has another number, and is no word about the call', async () => {
  const { written, shown } = await play({ kind: 'look' }, { kind: 'allow' })
  expect({ written, shown }).toEqual({ written: [proposed], shown: [proposed, proposed] })
})
