import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeEndMarkScanner, shownCommand } from '../../../src/main/native/reaper'

const word = '7-8-0123456789ABCDEF01234567'

/** Everything the scanner gives for these pieces, up to the mark. */
function scan(pieces: readonly Buffer[]): { readonly output: string; readonly end: unknown } {
  const scanner = makeEndMarkScanner(word)
  const output: Buffer[] = []
  for (const piece of pieces) {
    const found = scanner.push(piece)
    output.push(Buffer.from(found.output))
    if (found.end) return { output: Buffer.concat(output).toString('latin1'), end: found.end }
  }
  return { output: Buffer.concat([...output, scanner.rest()]).toString('latin1'), end: null }
}

function cut(bytes: Buffer, lengths: readonly number[]): readonly Buffer[] {
  const pieces: Buffer[] = []
  let from = 0
  for (const length of lengths) {
    pieces.push(bytes.subarray(from, from + length))
    from += length
  }
  return [...pieces, bytes.subarray(from)]
}

/** Bytes with many beginnings of a mark in them. */
const output = fc.array(fc.oneof(fc.constantFrom('\x1b', '\x1b_', '\x1b_7-8-', `\x1b_${word}`, '\x1b\\', ';0;1'), fc.string({ maxLength: 5 })), { maxLength: 30 }).map((parts) => parts.join('').replaceAll(`\x1b_${word};`, ''))
const lengths = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 60 })

describe('the end mark', () => {
  test('is found however the stream is cut, and everything before it is output', () => {
    fc.assert(
      fc.property(output, fc.integer({ min: 0, max: 255 }), fc.integer({ min: 1, max: 500 }), lengths, (text, status, processes, cuts) => {
        const before = Buffer.from(text, 'utf8')
        const bytes = Buffer.concat([before, Buffer.from(`\x1b_${word};${status};${processes}\x1b\\tick`)])
        expect(scan(cut(bytes, cuts))).toEqual({ output: before.toString('latin1'), end: { status, processes } })
      }),
    )
  })

  test('is not seen where it is not, and no byte is lost', () => {
    fc.assert(
      fc.property(output, lengths, (text, cuts) => {
        const bytes = Buffer.from(text, 'utf8')
        expect(scan(cut(bytes, cuts))).toEqual({ output: bytes.toString('latin1'), end: null })
      }),
    )
  })
})

test('the shell that runs a command is shown as the command', () => {
  expect(['/bin/bash --noprofile --norc -c -- npm run dev\nwait bash', 'node server.js', 'bash -c x'].map(shownCommand)).toEqual(['npm run dev\nwait', 'node server.js', 'bash -c x'])
})
