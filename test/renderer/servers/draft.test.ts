import { expect, test } from 'vitest'
import { countChanges, draftOf, faultsOf, formOf, looksSecret, type Draft } from '../../../src/renderer/features/servers/draft'
import { plainText } from '../../../src/renderer/features/servers/logText'
import { railBadge } from '../../../src/renderer/features/servers/stateWords'
import { diffLines } from '../../../src/renderer/ui/diffLines'
import { wordPieces } from '../../../src/renderer/ui/wordDiff'
import { failedState, postgres, row, tracker } from '../stories/serverWorld'

test('a form that is only looked at is saved as it was, for both transports (R44)', () => {
  expect([postgres, tracker].map(({ form }) => [formOf(draftOf(form)), countChanges(draftOf(form), form)])).toEqual([[postgres.form, 0], [tracker.form, 0]])
})

test('of the other transport nothing is saved (R41)', () => {
  const draft = { ...draftOf(postgres.form), transport: 'http' as const, url: ' https://a.example/mcp ' }
  expect(formOf(draft)).toEqual({ ...postgres.form, transport: 'http', command: '', args: [], env: [], url: 'https://a.example/mcp' })
})

test('names of values are judged by list, twice the same name is said, and headers count without case', () => {
  const value = (id: number, name: string) => ({ id, name, value: { kind: 'text', text: 'x' } as const })
  const http = { ...draftOf(tracker.form), headers: [value(1, 'X-A'), value(2, 'x-a'), value(3, 'bad name'), value(4, '')] }
  const program = { ...draftOf(postgres.form), env: [value(1, 'A'), value(2, 'a'), value(3, 'A=B'), value(4, 'A')] }
  const codes = (draft: Draft) => [...faultsOf(draft, []).values].map(([id, fault]) => [id, fault.code])
  expect(codes(http)).toEqual([[2, 'servers.fault.value-twice'], [3, 'servers.fault.value-form'], [4, 'servers.fault.value-name']])
  expect(codes(program)).toEqual([[3, 'servers.fault.value-form'], [4, 'servers.fault.value-twice']])
})

test('names that read like those of keys are secrets until said otherwise', () => {
  expect(['API_KEY', 'GITHUB_TOKEN', 'Authorization', 'DATABASE_URI', 'PGPASSWORD', 'LOG_LEVEL', 'NODE_ENV', 'PORT'].map(looksSecret)).toEqual([true, true, true, true, true, false, false, false])
})

test('a log line loses what only a terminal understands, and of an overwritten line the last text stands (R46)', () => {
  expect(plainText('\u001b[1;31mred\u001b[0m \u001b]0;title\u0007done')).toBe('red done')
  expect(plainText('10%\r50%\r100%\r')).toBe('100%')
})

test('words that moved to another line are the same words; each Han character is one; a change too large has no marks', () => {
  const marked = (before: string, after: string) => {
    const lines = diffLines(before, after) ?? []
    const pieces = wordPieces(lines)
    return lines.filter((line) => line.kind !== 'same').map((line) => pieces.get(line)?.filter((piece) => piece.isChanged).map((piece) => piece.text))
  }
  expect(marked('one two three', 'one two\nthree')).toEqual([[], [], []])
  expect(marked('读取一个文件', '读取两个文件')).toEqual([['一'], ['两']])
  expect(marked('a: true', 'a: false')).toEqual([['true'], ['false']])
  const long = (word: string) => Array.from({ length: 1500 }, (_, at) => `${word}${at}`).join(' ')
  expect(marked(long('a'), long('b'))).toEqual([undefined, undefined])
})

test('no piece of a changed line is lost, whatever stands in it', () => {
  const lines = diffLines('a\u200bb  c\t\ud83d\ude00 x', 'a\u200bb c 😀\ny') ?? []
  const pieces = wordPieces(lines)
  expect(lines.map((line) => pieces.get(line)?.map((piece) => piece.text).join(''))).toEqual(lines.map((line) => line.text))
})

test('the rail warns red of what failed, else counts what waits (DESIGN 2)', () => {
  const changed = row('b', { kind: 'ready', sinceMs: 0 }, { changes: 3 })
  expect([
    railBadge(null), railBadge({ fault: null, servers: [changed, row('c', { kind: 'sign-in' })] }), railBadge({ fault: null, servers: [row('a', failedState), changed] }),
    railBadge({ fault: {}, servers: [] }), railBadge({ fault: null, servers: [row('d', { kind: 'disabled' }, { changes: 2 })] }),
  ]).toEqual([{ failed: false, waiting: 0 }, { failed: false, waiting: 4 }, { failed: true, waiting: 3 }, { failed: true, waiting: 0 }, { failed: false, waiting: 0 }])
})
