import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { judgeCommand } from '../../../../src/main/core/policy/commandGuard'

interface Line {
  readonly cmd: string
  readonly verdict: 'deny' | 'ask' | 'allowable'
  readonly also?: readonly string[]
}

const places: Readonly<Record<string, string>> = { '@HOME@': '/home/ann', '@PROJECT@': '/home/ann/work/app', '@APPDATA@': '/home/ann/.local/share/countersign' }
const where = { cwd: '/home/ann/work/app', root: '/home/ann/work/app', home: '/home/ann', appData: '/home/ann/.local/share/countersign', projectGit: { executes: false } }
const lines = readFileSync(new URL('../../../cases/guard/unseen-commands.jsonl', import.meta.url), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Line)
const judged = lines.map((line) => ({ ...line, got: judgeCommand(line.cmd.replace(/@[A-Z]+@/gu, (name) => places[name] ?? name), where).kind }))

/** Written by someone who had not read the guard at first, labelled before it saw them; 16 labels were corrected by the rules afterwards. */
describe('R66: lines of strangers', () => {
  test.each(['deny', 'ask', 'allowable'] as const)('%s', (verdict) => {
    expect(judged.filter((each) => each.verdict === verdict && each.got !== verdict && !each.also?.includes(each.got)).map((each) => `${each.got}: ${each.cmd}`)).toEqual([])
  })

  test('there are as many of each kind as to say something', () => {
    const count = (verdict: string): number => lines.filter((line) => line.verdict === verdict).length
    expect([count('deny') > 1000, count('ask') > 900, count('allowable') > 1000]).toEqual([true, true, true])
  })
})
