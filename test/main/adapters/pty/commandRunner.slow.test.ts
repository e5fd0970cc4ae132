import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { holdersBelow, isolations, makeCommandWorld, openTerminals, type CommandWorld } from '../../../support/commandWorld'

describe.each(isolations)('commands %s', (_, parts) => {
  let world: CommandWorld
  beforeEach(() => {
    world = makeCommandWorld(parts)
  })
  afterEach(async () => {
    await world.close()
    // R15: nothing is left, neither process nor terminal.
    await vi.waitFor(() => expect({ terminals: openTerminals(), holders: holdersBelow() }).toEqual({ terminals: 0, holders: [] }), 5000)
  })

  test('output that comes with the exit is not lost: 200 runs, four at a time (D11)', { timeout: 120_000 }, async () => {
    const command = world.useCase('d11.sh')
    const expected = `${Array.from({ length: 3000 }, (_, at) => `line ${at + 1}\n`).join('')}END`
    const wrong: unknown[] = []
    const quarter = async (): Promise<void> => {
      for (let run = 0; run < 50; run++) {
        const end = await world.run(command)
        if (end.exitCode !== 7 || end.text !== expected) wrong.push({ ...end, text: end.text.slice(-200), characters: end.text.length })
      }
    }
    await Promise.all([quarter(), quarter(), quarter(), quarter()])
    expect(wrong).toEqual([])
  })

  test('no pager and no editor waits for a key (D07)', { timeout: 60_000 }, async () => {
    const end = await world.run(world.useCase('d07.sh'), { timeoutMs: 45_000 })
    const whole = Buffer.from((await world.blobs.get(end.outputRef ?? '')) ?? []).toString('utf8') || end.text
    expect({ isTimedOut: end.isTimedOut, commits: new Set(whole.match(/^ {4}commit \d+/gm)).size }).toEqual({ isTimedOut: false, commits: 80 })
    // Said for the amended commit and for the rebase; git itself quotes it once more each time.
    expect(whole.match(/(?<!')There is no editor here/g)).toHaveLength(2)
    expect(end.exitCode).not.toBe(0)
  })
})
