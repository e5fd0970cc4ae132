import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyEdits, type TextEdit } from '../../../../src/main/core/tools/applyEdits'
import { flattenText } from '../../../../src/main/core/tools/flatText'
import { decodeFile, encodeFile, lineEndsOf, type Encoding } from '../../../../src/main/core/tools/textFile'
import { decodeUtf8, encodeUtf8 } from '../../../../src/main/core/tools/utf8'

const edit = (oldText: string, newText: string, replaceAll = false): TextEdit => ({ oldText, newText, replaceAll })

function edited(text: string, ...edits: readonly TextEdit[]): string {
  const result = applyEdits({ encoding: 'UTF-8', text }, edits, 'f')
  return result.ok ? result.value.text : result.fault.code
}

describe('text edits', () => {
  test.each([
    ['a\nold\nb', 'old', 'new', 'a\nnew\nb'],
    ['a\r\nold\r\nnext\r\n', 'old\nnext', 'new\nnext', 'a\r\nnew\r\nnext\r\n'],
    ['a\r\nold\nnext\r\n', 'old\nnext', 'new\nnext', 'a\r\nnew\nnext\r\n'],
    ['a\r\nb\r\n', 'a\nb', 'a\nX\nY\nb', 'a\r\nX\r\nY\r\nb\r\n'],
    ['a\nb\n', 'a\r\nb', 'a\r\nX\r\nb', 'a\nX\nb\n'],
    ['a\r\nb\nc\n', 'a\nb\nc', 'a\nb\nX\nc', 'a\r\nb\nX\nc\n'],
    ['a\r\nb\nc\r\nd\n', 'a\nb\nc\nd\n', 'A\nb\nc\nD\n', 'A\r\nb\nc\r\nD\n'],
    ['one line', 'one', 'a\nb', 'a\nb line'],
    ['x\r\n', 'x', 'x\ny', 'x\r\ny\r\n'],
    ['a\r\nb\r\nc', 'b\n', '', 'a\r\nc'],
    ['', '', 'new', 'new'],
    ['a\rb\rc', 'b', 'B', 'a\rB\rc'],
    ['tab\there', 'tab\t', '', 'here'],
  ])('C04: in %j, %j becomes %j: %j', (text, old, by, expected) => {
    expect(edited(text, edit(old, by))).toBe(expected)
  })

  test('R102: several edits go one after the other, all or none', () => {
    expect(edited('a b', edit('a', 'c'), edit('c b', 'd'))).toBe('d')
    expect(edited('a b', edit('a', 'c'), edit('x', 'd'))).toBe('file.no-match')
  })

  test('R102: replace_all takes every place, and only where it is asked for', () => {
    expect(edited('a\r\na\n', edit('a\n', 'b\n', true))).toBe('b\r\nb\n')
    expect(edited('aaa', edit('aa', 'b', true))).toBe('ba')
    expect(applyEdits({ encoding: 'UTF-8', text: 'x\nx\ny' }, [edit('x', 'z')], 'f')).toEqual({
      ok: false,
      fault: { code: 'file.many-matches', values: { path: 'f', number: 1, count: 2, lines: ['1', '2'] } },
    })
  })

  test('R102: a text that is not there is answered with the nearest line', () => {
    expect(applyEdits({ encoding: 'UTF-8', text: 'one\n\tconst total = sum(items)\ntwo' }, [edit('  const total = sum(items)\n', 'x')], 'f')).toEqual({
      ok: false,
      fault: { code: 'file.no-match-near', values: { path: 'f', number: 1, near: { code: 'file.near-line', values: { line: 2, text: '\tconst total = sum(items)' } } } },
    })
    expect(edited('one', edit('', 'x'))).toBe('file.empty-old-text')
    expect(edited('one', edit('one', 'one'))).toBe('file.edit-changes-nothing')
    expect(edited('a\r\nb', edit('a\r\nb', 'a\nb'))).toBe('file.edit-changes-nothing')
    expect(edited('key=abc', edit('key=[redacted:key]', 'x'))).toBe('file.old-text-redacted')
    expect(edited('q', edit('zzz', 'x'))).toBe('file.no-match')
  })

  test('C04: in an unknown encoding only sure ASCII is replaced', () => {
    const file = (bytes: readonly number[]): NonNullable<ReturnType<typeof decodeFile>> => {
      const decoded = decodeFile(Uint8Array.from(bytes))
      if (decoded === null) throw new Error('no text')
      return decoded
    }
    const gbk = file([0xc4, 0xe3, 0x0a, 0x6f, 0x6c, 0x64, 0x0a])
    expect(gbk.encoding).toBe('bytes')
    const done = applyEdits(gbk, [edit('old', 'new')], 'f')
    expect(done.ok && encodeFile(done.value)).toEqual(Uint8Array.from([0xc4, 0xe3, 0x0a, 0x6e, 0x65, 0x77, 0x0a]))
    expect(applyEdits(gbk, [edit('old', '新')], 'f')).toMatchObject({ fault: { code: 'file.not-ascii' } })
    expect(applyEdits(gbk, [edit('ãold', 'x')], 'f')).toMatchObject({ ok: false })
    // 0x81 0x61 is one character in GBK: the "a" is no letter of its own.
    expect(applyEdits(file([0x81, 0x61, 0x20]), [edit('a', 'b')], 'f')).toMatchObject({ fault: { code: 'file.unknown-encoding' } })
    // What a person made of the whole shown text is taken byte for byte.
    expect(applyEdits(gbk, [edit(gbk.text, `${gbk.text}é`)], 'f')).toMatchObject({ ok: true, value: { text: `${gbk.text}é` } })
    expect(applyEdits(gbk, [edit(gbk.text, `${gbk.text}新`)], 'f')).toMatchObject({ ok: false })
  })
})

const mixedText = fc.array(fc.constantFrom('a', 'b', '\n', '\r\n', 'é', '😀'), { maxLength: 40 }).map((parts) => parts.join(''))
const flatText = fc.array(fc.constantFrom('a', 'b', 'c', '\n', '😀'), { maxLength: 12 }).map((parts) => parts.join(''))

test('C04: a replaced part changes nothing outside itself, and flattened it is what was asked for', () => {
  fc.assert(
    fc.property(mixedText, fc.nat(), fc.nat(), flatText, (text, a, b, by) => {
      const source = flattenText(text)
      const [from, until] = [a % (source.flat.length + 1), b % (source.flat.length + 1)].sort((x, y) => x - y) as [number, number]
      const result = source.replace([from], until - from, by)
      expect(result.replace(/\r\n/gu, '\n')).toBe(source.flat.slice(0, from) + by + source.flat.slice(until))
      const untouched = flattenText(text.slice(0, text.length)).replace([from], until - from, source.flat.slice(from, until))
      expect(untouched).toBe(text)
    }),
    { numRuns: 2000 },
  )
})

test('C04: uniform line ends stay uniform', () => {
  fc.assert(
    fc.property(fc.array(flatText, { minLength: 2, maxLength: 6 }), fc.nat(), flatText, (lines, at, by) => {
      const text = lines.join('\n').replace(/\n/gu, '\r\n')
      const source = flattenText(text)
      const from = at % source.flat.length || 0
      const result = source.replace([from], Math.min(3, source.flat.length - from), by)
      expect(['CRLF', 'none']).toContain(lineEndsOf(result) === 'LF' && lineEndsOf(text) === 'none' ? 'none' : lineEndsOf(result))
    }),
    { numRuns: 1000 },
  )
})

test('C04: any bytes taken apart as text give the same bytes put together', () => {
  const anyBytes = fc.oneof(
    fc.uint8Array({ max: 255, maxLength: 60 }),
    fc.uint8Array({ min: 9, max: 255, maxLength: 60 }),
    fc.string({ unit: 'binary', maxLength: 40 }).map((text) => Uint8Array.from(Buffer.from(text))),
    fc.tuple(fc.constantFrom([0xff, 0xfe], [0xfe, 0xff], [0xef, 0xbb, 0xbf]), fc.uint8Array({ maxLength: 40 })).map(([mark, rest]) => Uint8Array.from([...mark, ...rest])),
  )
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      const file = decodeFile(bytes)
      if (file !== null) expect(encodeFile(file)).toEqual(bytes)
    }),
    { numRuns: 3000 },
  )
})

test('UTF-8 is read as the platform reads it, and refused where it refuses', () => {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 60 }).map((text) => new Uint8Array(Buffer.from(text)))), (bytes) => {
      let expected: string | null
      try {
        expected = strict.decode(bytes)
      } catch {
        expected = null
      }
      expect(decodeUtf8(bytes)).toBe(expected)
      if (expected !== null) expect(encodeUtf8(expected)).toEqual(Uint8Array.from(bytes))
    }),
    { numRuns: 3000 },
  )
  const long = `${'x'.repeat(20_000)}é${'y'.repeat(40)}😀`
  expect(decodeUtf8(Buffer.from(long))).toBe(long)
  expect(encodeUtf8('\ud800')).toBeNull()
  expect(encodeUtf8('a\udc00')).toBeNull()
})

test.each<[string, readonly number[], Encoding | null]>([
  ['UTF-8', [0x61, 0xc3, 0xa9], 'UTF-8'],
  ['a mark', [0xef, 0xbb, 0xbf, 0x61], 'UTF-8 BOM'],
  ['little endian', [0xff, 0xfe, 0x61, 0x00], 'UTF-16LE'],
  ['big endian', [0xfe, 0xff, 0x00, 0x61], 'UTF-16BE'],
  ['Latin-1', [0x61, 0xe9], 'bytes'],
  ['half a unit', [0xff, 0xfe, 0x61], null],
  ['a NUL', [0x61, 0x00], null],
  ['nothing', [], 'UTF-8'],
])('C04: %s is recognised', (_name, bytes, encoding) => {
  expect(decodeFile(Uint8Array.from(bytes))?.encoding ?? null).toBe(encoding)
})
