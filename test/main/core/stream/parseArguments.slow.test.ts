import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseArguments } from '../../../../src/main/core/stream/parseArguments'
import { say } from '../../../../src/shared/words/say'

// R7: empty means {}; a repair only where it is unambiguous, and shown; never {} as a way out.

function read(text: string): { readonly args: unknown; readonly repair: string | null } | { readonly fault: string } {
  const result = parseArguments(text)
  return result.ok ? { args: result.value.args, repair: result.value.repair && say('en', result.value.repair) } : { fault: result.fault.code }
}

describe('R7: arguments', () => {
  test.each(['', '  \n', 'null', ' null '])('nothing (%j) means an empty object', (text) => {
    expect(read(text)).toEqual({ args: {}, repair: null })
  })

  test('valid JSON is never touched', () => {
    expect(read('{"path":"x","content":"a}{b, c,} \\n ``` {}"}')).toEqual({ args: { path: 'x', content: 'a}{b, c,} \n ``` {}' }, repair: null })
    fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const text = JSON.stringify(value)
      expect(read(text)).toEqual({ args: JSON.parse(text) as unknown, repair: null })
    }))
  })

  test('line breaks and tabs inside a text are escaped, and a last comma goes', () => {
    expect(read('{"path":"t.txt","content":"one\n\ttwo\u0001",}')).toEqual({
      args: { path: 't.txt', content: 'one\n\ttwo\u0001' },
      repair: 'line breaks and tabs inside a text were escaped; a comma before a closing bracket was taken out',
    })
  })

  test('backslash-n between tokens is white space, inside a string it stays', () => {
    expect(read('{"path": "q\\n.py", "range": \\n[10, 20]\\n}')).toEqual({ args: { path: 'q\n.py', range: [10, 20] }, repair: 'backslash-n between two parts was read as a line break' })
  })

  test('a megabyte of commas to take out is read in one go, and not copied for each', () => {
    const lists = 200_000
    expect(read(`{"a":[${'[1,],'.repeat(lists)}]}`)).toEqual({ args: { a: Array.from({ length: lists }, () => [1]) }, repair: 'a comma before a closing bracket was taken out' })
  })

  test('a comma before a closing bracket goes, inside a string it stays', () => {
    expect(read('{"a":["x,]",1,],"b":"c,}",\n}')).toEqual({ args: { a: ['x,]', 1], b: 'c,}' }, repair: 'a comma before a closing bracket was taken out' })
  })

  test('a code fence goes', () => {
    expect(read('```json\n{"a":1}\n```')).toEqual({ args: { a: 1 }, repair: 'the code fence around them was taken off' })
  })

  test('an empty object before the real one goes, and one of two equal ones', () => {
    expect(read('{}{"a":1}')).toEqual({ args: { a: 1 }, repair: 'an empty or equal copy before them was taken out' })
    expect(read('{"a":1}{"a":1}')).toEqual({ args: { a: 1 }, repair: 'an empty or equal copy before them was taken out' })
  })

  test('JSON inside a JSON string is unpacked', () => {
    expect(read(JSON.stringify('{"a":1}'))).toEqual({ args: { a: 1 }, repair: 'they were unpacked from a text that held them' })
  })

  test.each([
    '{"path":"big.txt","content":"line 1\\nlin', // cut
    '{"path":"a"', // cut between tokens
    '{"path":"a"}{"path":"b"}', // two different objects
    '{"path":"a"}{"pa', // an object and a beginning
    '{}{"pa', // an empty object and a beginning
    "{'path':'a'}", // not JSON
    '{path:"a"}',
    '{"a":1}}',
    '{,}',
    '{"a":,}',
    '{"a":1,,}',
    '{"a":True}',
    '{"re":"\\d"}',
    'read the file',
    '{"content":"say "hi" now"}',
  ])('what can be read in more ways than one, or was cut, is a fault: %s', (text) => {
    expect(read(text)).toEqual({ fault: 'tool.bad-json' })
  })

  test.each(['[1]', '7', 'true', '"text"'])('JSON that is no object is a fault: %s', (text) => {
    expect(read(text)).toEqual({ fault: 'tool.bad-arguments' })
  })

  test('no beginning of an object text that leaves something out is ever read', () => {
    fc.assert(fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue(), { minKeys: 1 }), fc.nat(), (value, at) => {
      const text = JSON.stringify(value)
      const cut = text.slice(0, 1 + (at % (text.length - 1)))
      expect(read(cut)).toHaveProperty('fault')
    }))
  })
})
