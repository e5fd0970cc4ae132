import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placesIn } from '../../../src/shared/domain/filePlaces'

/** The places of a text, as `path:line:column`. */
const placed = (text: string): readonly string[] => placesIn(text).map(({ path, line, column }) => [path, line, column].filter((one) => one !== null).join(':'))

const rows: readonly (readonly [text: string, places: readonly string[], why: string])[] = [
  ['src/a.ts:12', ['src/a.ts:12'], 'a path and its line'],
  ['src/a.ts:12:5: error TS2304', ['src/a.ts:12:5'], 'line and column, a colon behind'],
  ["  --> src/main.rs:4:9", ['src/main.rs:4:9'], 'rustc'],
  ["src/app/page.tsx(12,34): error TS1005: ';' expected.", ['src/app/page.tsx:12:34'], 'tsc'],
  ['Program.cs(7): warning', ['Program.cs:7'], 'msbuild'],
  ['  File "tools/run it.py", line 33, in main', ['tools/run it.py:33'], 'Python, a blank in the name'],
  ['PHP Fatal error: x in lib/db.php on line 88', ['lib/db.php:88'], 'PHP'],
  ['    at run (/home/ada/p/src/x.js:10:5)', ['/home/ada/p/src/x.js:10:5'], 'a stack of Node'],
  ['app/[id]/(group)/page.tsx:3', ['app/[id]/(group)/page.tsx:3'], 'brackets in folders'],
  ['见 src/价格/计算.py:40，以及 文档/说明.md 第 12 行。', ['src/价格/计算.py:40', '文档/说明.md:12'], 'Chinese names and marks'],
  ['（src/a.ts:3）', ['src/a.ts:3'], 'full-width brackets'],
  ['src/a.ts#L7', ['src/a.ts:7'], 'as GitHub writes it'],
  ['src/a.ts:12-20', ['src/a.ts:12'], 'a range begins there'],
  ['C:\\work\\a.cs:4', ['C:\\work\\a.cs:4'], 'a drive'],
  ['main.c:3:1: note\nmain.c:9: note', ['main.c:3:1', 'main.c:9'], 'gcc, two lines'],
  ['Makefile:12: *** missing separator', ['Makefile:12'], 'make'],
  ['Look at src/http/client.ts and go on.', ['src/http/client.ts'], 'a path alone, with a folder'],
  ['Look at (src/http/client.ts).', ['src/http/client.ts'], 'the full stop and the bracket are not its own'],
  ['see client.ts, then', [], 'a name alone is a word'],
  ['https://host.example/src/a.ts:12', [], 'an address'],
  ['file:///etc/passwd:1', [], 'a file address'],
  ['http://localhost:3000/x/a.ts', [], 'an address with a port'],
  ['at 12:30:45 on 127.0.0.1:8080', [], 'a time and a number'],
  ['localhost:3000', [], 'a host'],
  ['a.ts:0', [], 'lines count from 1'],
  ['a.ts:12345678', [], 'no file has so many lines'],
  ['and/or', [], 'no ending'],
]

test.each(rows)('R111 finds the places in %j', (text, places) => {
  expect(placed(text)).toEqual(places)
})

test('R111 places are in order, never overlap, and are what stands in the text', () => {
  const word = fc.constantFrom('src/', 'a.ts', ':12', ':', '(3,4)', ' ', '"', 'file://', 'https://', '中文/', '.', 'line 4', ', ', '(', ')', '[', '\n', '价.py', 'C:\\', '\u202e')
  fc.assert(fc.property(fc.array(fc.oneof(word, fc.string({ maxLength: 3 })), { maxLength: 40 }), (words) => {
    const text = words.join('')
    let last = 0
    for (const place of placesIn(text)) {
      expect(place.start).toBeGreaterThanOrEqual(last)
      expect(place.end).toBeGreaterThan(place.start)
      expect(text.slice(place.start, place.end)).toContain(place.path)
      expect(place.path).not.toMatch(/:\/\/|\n/)
      last = place.end
    }
    expect(last).toBeLessThanOrEqual(text.length)
  }))
})

test('R111 a long hostile text ends after so many places', () => {
  expect(placesIn('a/b.c:1 '.repeat(5000))).toHaveLength(500)
  expect(placesIn(`${'('.repeat(100_000)}a.ts:1`).length).toBeLessThan(2)
  expect(placesIn(':1'.repeat(50_000))).toEqual([])
  expect(placesIn('a'.repeat(300_000))).toEqual([])
})
