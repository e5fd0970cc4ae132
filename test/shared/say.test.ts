import { expect, test } from 'vitest'
import { said } from '../../src/shared/domain/result'
import { en } from '../../src/shared/words/en'
import { say } from '../../src/shared/words/say'
import { zhCN } from '../../src/shared/words/zh-CN'

const placeholders = (sentence: string): readonly string[] => [...new Set([...sentence.matchAll(/\{(\w+)/g)].map((match) => match[1] ?? ''))].sort()

test('values are filled in, lists joined, facts said inside facts, and words chosen by number', () => {
  expect([
    say('en', said('tool.denied-reason', { reason: 'no' })),
    say('en', said('turn.cancelled', { changes: 1 })),
    say('en', said('turn.cancelled', { changes: 2 })),
    say('zh-CN', said('call.conflict', { paths: ['a.ts', 'b.ts'] })),
    say('en', said('tool.denied-policy', { reason: said('tool.denied') })),
    say('en', said('tool.denied-reason')),
  ]).toEqual([
    'Denied by the user: no',
    'Stopped by you. 1 change was kept; undo them in the timeline.',
    'Stopped by you. 2 changes were kept; undo them in the timeline.',
    '程序在执行期间退出，a.ts、b.ts 的内容既不是旧的也不是新的。请先查看再继续。',
    'Denied by policy: Denied by the user. Nobody can approve this; find another way.',
    'Denied by the user: {reason}',
  ])
})

test('both languages name the same values, and Chinese uses full-width marks', () => {
  const codes = Object.keys(en) as (keyof typeof en)[]
  // A plural form in English may name a value that Chinese has no need of.
  const missing = codes.filter((code) => placeholders(zhCN[code]).some((name) => !placeholders(en[code]).includes(name)))
  const halfWidth = codes.filter((code) => /[\u4e00-\u9fff][,;:!?]|[\u4e00-\u9fff]\.(?!\w)/.test(zhCN[code]))
  const please = codes.filter((code) => /\bplease\b|\bsuccessfully\b|\boops\b|您/i.test(en[code] + zhCN[code]))
  expect({ missing, halfWidth, please }).toEqual({ missing: [], halfWidth: [], please: [] })
})

test('a sentence that sends people to a group of the settings calls it what it is called there', () => {
  const groups = (words: Readonly<Record<string, string>>): readonly string[] => Object.keys(words).filter((code) => /^settings\.(appearance|writing|start|guards|data)$|^web\.set\.(web-)?title$/.test(code)).map((code) => words[code] ?? '')
  const sentTo = (words: Readonly<Record<string, string>>, way: RegExp): readonly string[] => Object.values(words).flatMap((sentence) => [...sentence.matchAll(way)].map((match) => match[1]?.trim() ?? ''))
  const ways = [sentTo(en, /\bSettings, ([A-Z][\w ]*?)(?=[,.]| if )/g), sentTo(zhCN, /设置 › ([^›”。]+)/g)]
  expect(ways.map((found) => found.length)).toEqual([6, 6])
  expect([ways[0]?.filter((name) => !groups(en).includes(name)), ways[1]?.filter((name) => !groups(zhCN).includes(name))]).toEqual([[], []])
})
