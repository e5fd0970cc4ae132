import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { StreamRedactor } from '../../../../src/main/core/policy/redactionStream'
import { holdersBelow, makeCommandWorld, openTerminals, type CommandWorld } from '../../../support/commandWorld'

let world: CommandWorld
beforeEach(() => {
  world = makeCommandWorld({ makeFilter: () => new StreamRedactor() })
})
afterEach(async () => {
  await world.close()
  await vi.waitFor(() => expect({ terminals: openTerminals(), holders: holdersBelow() }).toEqual({ terminals: 0, holders: [] }), 5000)
})

test('R68 output in GBK is read, masked, shown and kept as what it says, beside UTF-8', async () => {
  let shown = ''
  // 错误 in GBK, a name and a value, then the same in UTF-8.
  const end = await world.run(String.raw`printf '\264\355\316\363: \303\334\302\353 password=zX81kQp0Lw\n错误 2\n'`, { onOutput: (text) => (shown += text) })
  expect([end.text, shown.replaceAll('\r', '')]).toEqual(['错误: 密码 password=[redacted:password]\n错误 2\n', '错误: 密码 password=[redacted:password]\n错误 2\n'])
})

test('O4 one line of eight megabytes is cut in the middle, kept whole on disk and bounded everywhere else', { timeout: 60_000 }, async () => {
  let longest = 0
  const end = await world.run(`head -c 8000000 /dev/zero | tr '\\0' 'x'; printf 终`, { onOutput: (text) => (longest = Math.max(longest, text.length)) })
  expect(end.text).toMatch(/^x{9000,}\n\[… [\d,]+ bytes …\]\nx{9000,}终$/)
  expect(end.text.length).toBeLessThan(31_000)
  expect([end.totalBytes, (await world.blobs.get(end.outputRef ?? ''))?.length, longest < 70_000]).toEqual([8_000_003, 8_000_003, true])
})

test('progress of a minute is one line for the model, and lists that are drawn again stand there once', async () => {
  const bar = String.raw`for i in $(seq 1 3000); do printf '\r\033[2K%d%% of it' $i; done; printf '\r\033[2Kdone\n'`
  const list = String.raw`for i in $(seq 1 200); do printf '\033[2Ka %d\n\033[2Kb %d\n\033[2A' $i $i; done; printf '\033[2B'`
  expect((await world.run(`${bar}; ${list}; echo end`)).text).toBe('done\na 200\nb 200\nend\n')
})
