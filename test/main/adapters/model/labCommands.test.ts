import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { assemble } from '../../../lab/assemble'
import { repairLab } from '../../../lab/repairLab'

// `assemble` and `repair`, as checks outside this repository call them.

const cases = resolve(import.meta.dirname, '../../../cases')

async function lines(command: typeof assemble, args: readonly string[], file: string): Promise<readonly object[]> {
  const printed: object[] = []
  await command(args, { bytes: () => readFileSync(resolve(cases, file)), lines: () => [] }, (line) => void printed.push(line))
  return printed
}

test('assemble reads stdin through the real HTTP layer, also byte by byte and cut where a file says', async () => {
  const plain = await lines(assemble, ['--protocol', 'openai'], 'A/a13.sse')
  expect(plain).toEqual([expect.objectContaining({ status: 'complete', execute: true })])
  expect(await lines(assemble, ['--protocol', 'openai', '--bytewise'], 'A/a13.sse')).toEqual(plain)
  expect(await lines(assemble, ['--protocol', 'openai', '--cuts', resolve(cases, 'A/a13.cuts')], 'A/a13.sse')).toEqual(plain)
})

test.each([[['--protocol', 'x'], '--protocol takes openai, anthropic, ollama'], [['--bytewise'], '--protocol takes'], [['--nonsense'], 'nonsense']])('assemble %j is wrong usage', async (args, words) => {
  await expect(lines(assemble, args, 'A/a01.sse')).rejects.toMatchObject({ name: 'LabUsage', message: expect.stringContaining(words) as string })
})

test('R32: repair prints the list as it would be sent, and what was done in words', async () => {
  const [line] = (await lines(repairLab, [], 'B/b03.messages.json')) as readonly { readonly messages: readonly object[]; readonly repaired: readonly object[] }[]
  expect(line?.messages.at(-1)).toEqual({ role: 'tool', tool_call_id: 'F', content: 'Interrupted before it finished.' })
  expect(line?.repaired).toEqual([expect.objectContaining({ code: 'model.repaired-missing', say: 'The call F of run_command had no result; it now says that it was interrupted.' })])
})
