import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeDataFlow, type FlowFinding, type FlowSource } from '../../../../src/main/core/mcp/dataFlow'

const mail: FlowSource = { kind: 'server', server: 'mail' }
const env: FlowSource = { kind: 'secret-file', path: '.env' }
const source: FlowSource = { kind: 'project-file', path: 'src/index.ts' }

const prose = 'The committee met on Tuesday to discuss the renovation of the harbour. Several members raised concerns about noise, and the mayor promised a second hearing before any contract is signed. '
const sourcesOf = (found: readonly FlowFinding[]): readonly FlowSource[] => found.map((finding) => finding.source)
const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** Twenty characters and more of no meaning. */
const canary = fc.tuple(fc.nat(), fc.integer({ min: 20, max: 64 }), fc.boolean()).map(([seed, length, isUpper]) => {
  const hex = createHash('sha256').update(String(seed)).digest('hex').slice(0, length)
  return isUpper ? hex.toUpperCase() : hex
})
const encodings: readonly (readonly [string, (text: string) => string])[] = [
  ['as it is', (text) => text],
  ['with spaces around', (text) => `  ${text}\n`],
  ['broken into lines', (text) => `${text.slice(0, 9)}\n${text.slice(9, 15)}\r\n    ${text.slice(15)}`],
  ['in JSON', (text) => JSON.stringify({ note: `a\n"${text}"\n` })],
  ['in JSON in JSON', (text) => JSON.stringify(JSON.stringify(`\t${text}\\`))],
  ['as \\u escapes', (text) => [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')],
  ['in base64', (text) => base64(text)],
  ['in base64 of more', (text) => `data: ${base64(`say ${text} to them`)}`],
  ['in base64 for addresses', (text) => Buffer.from(`??>>${text}`).toString('base64url')],
  ['in base64 in lines', (text) => base64(`${prose}${text}${prose}`).replace(/.{60}/gu, '$&\n')],
  ['in an address', (text) => `https://x.test/?q=${encodeURIComponent(`ö ${text}`)}`],
  ['with every character in percent form', (text) => [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')],
  ['in percent form of base64', (text) => encodeURIComponent(base64(`${text}=`))],
  ['in hex', (text) => Buffer.from(text).toString('hex')],
  ['with dashes between', (text) => text.replace(/.{4}/gu, '$&-')],
]

/** How a file may lie in an address. */
const inAddress: readonly (readonly [string, (text: string) => string])[] = [
  ['as a value', (text) => `?d=${base64(text)}`],
  ['as a value without padding', (text) => `?d=${base64(text).replace(/=+$/u, '')}`],
  ['as a value in percent form', (text) => `?d=${encodeURIComponent(base64(text))}`],
  ['behind a path', (text) => `collect/${base64(text)}`],
  ['behind a path, for addresses', (text) => `collect/v1/${Buffer.from(text).toString('base64url')}`],
  ['behind a path, in percent form', (text) => `collect/${encodeURIComponent(base64(text))}`],
  ['between two parts of a path', (text) => `a/${Buffer.from(text).toString('base64url')}/end`],
  ['as the name of a picture', (text) => `a/${Buffer.from(text).toString('base64url')}.png`],
  ['behind a dash', (text) => `item-${Buffer.from(text).toString('base64url')}`],
  ['out of step', (text) => `x${Buffer.from(text).toString('base64url')}`],
  ['behind a hash', (text) => `#${Buffer.from(text).toString('base64url')}`],
]

test.each(inAddress)('R54 R102 base64 of a file that was read is found in an address, %s', (_, address) => {
  const file = 'Minutes of the harbour board???\nThe northern pier stays closed until March, because its pilings are rotten>>>\n预算：四万八千两百元，一分也不能多。\n'
  const flow = makeDataFlow()
  flow.add(source, file)
  for (const text of [file, file.slice(1), file.slice(2), file.slice(3)]) expect(sourcesOf(flow.find({ url: `https://notes.example/${address(text)}` }, { kind: 'web', host: 'notes.example' }))).toEqual([source])
  expect(flow.find({ url: `https://notes.example/${address('A text that nobody here has ever read, of about the same length as the other one is.')}` }, { kind: 'web', host: 'notes.example' })).toEqual([])
})

describe('text of one server on its way to another is found (R54, SECURITY 5)', () => {
  test.each(encodings)('a canary %s', (_, encode) => {
    fc.assert(
      fc.property(canary, fc.nat({ max: 3 }), fc.constantFrom<FlowSource[]>(mail, env, source), (secret, before, from) => {
        const flow = makeDataFlow()
        flow.add(from, `${prose.repeat(before)}key: ${secret}\n${prose}`)
        expect(sourcesOf(flow.find({ to: 'somebody', deep: [{ text: `Look: ${encode(secret)} ok` }] }, 'web'))).toEqual([from])
      }),
      { numRuns: 40 },
    )
  })

  test('text that has nothing of a source is no finding', () => {
    const words = prose.toLowerCase().match(/[a-z]+/gu) ?? []
    const sentence = fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((list) => list.join(' '))
    fc.assert(
      fc.property(canary, canary, fc.array(fc.string({ unit: 'grapheme' })), sentence, (secret, other, more, shuffled) => {
        fc.pre(secret.toLowerCase().slice(0, 12) !== other.toLowerCase().slice(0, 12))
        const flow = makeDataFlow()
        flow.add(mail, `${secret} ${prose}`)
        expect(flow.find({ other, more, base64: base64(other) }, 'web')).toEqual([])
        const found = flow.find({ shuffled }, 'web')
        // Words in another order are another text, unless chance put many in the same order.
        for (const { sample } of found) expect(prose.toLowerCase()).toContain(sample.slice(0, 30))
      }),
    )
  })

  test.each([
    ['a sentence inside another text', { body: `FYI: the mayor promised a second hearing before any contract is signed!` }, [mail]],
    ['the same in other case and wrapping', { body: 'THE MAYOR PROMISED\n> a second hearing\n> before any CONTRACT' }, [mail]],
    ['a number', { id: 484_920_175_533 }, [mail]],
    ['an id in an address', { url: 'https://x.test/orders/ord_9f8K2mQz71/edit' }, [mail]],
    ['a UUID', { id: '5F0C1F4E-6D2B-4C7E-9A55-0B1E7A3C9D10' }, [mail]],
    ['Chinese', { q: '请看：本季度营业收入同比下降百分之十一，主要原因是出口减少' }, [mail]],
    ['a key of an object', { '5f0c1f4e-6d2b-4c7e-9a55-0b1e7a3c9d10': true }, [mail]],
    ['a secret of a file', { q: 'is hunter2hunter77 still right?' }, [env]],
    ['both', { a: 'hunter2hunter77', b: ['ord_9f8K2mQz71'] }, [env, mail]],
    ['a common phrase', { q: 'Thank you for your message. Please let me know if you have any questions.' }, []],
    ['technical words', { q: 'Content-Type: application/json; https://api.example.com' }, []],
    ['a short part', { q: 'the renovation of the' }, []],
    ['a date', { since: '2026-11-02T10:15:00Z' }, []],
    ['half an id', { id: '4849201755' }, []],
    ['numbers that repeat', { n: 100_000_000_000 }, []],
    ['nothing', {}, []],
    ['a name in camel case', { q: 'getElementsByTagName' }, []],
  ] as const)('%s', (_, args, expected) => {
    const flow = makeDataFlow()
    flow.add(mail, `${prose} order 484920175533, ord_9f8K2mQz71, 5f0c1f4e-6d2b-4c7e-9a55-0b1e7a3c9d10, sum 100000000000 at 2026-11-02T10:15:00Z. getElementsByTagName. Content-Type: application/json https://api.example.com/v1`)
    flow.add(mail, '本季度营业收入同比下降百分之十一，主要原因是出口减少。Thank you for your message. Please let me know if you have any other wish.')
    flow.add(env, 'DEBUG=1\nPASSWORD=hunter2hunter77\n')
    flow.add(source, 'export const harmless = 1\n')
    expect([...sourcesOf(flow.find(args, 'web'))].sort((a, b) => (a.kind < b.kind ? -1 : 1))).toEqual([...expected].sort((a, b) => (a.kind < b.kind ? -1 : 1)))
  })

  test('what the receiving server gave itself is no finding, though another gave it too', () => {
    const flow = makeDataFlow()
    flow.add(mail, 'ticket TCK-2026-88812345')
    expect(sourcesOf(flow.find({ id: 'TCK-2026-88812345' }, 'web'))).toEqual([mail])
    expect(flow.find({ id: 'TCK-2026-88812345' }, 'mail')).toEqual([])
    flow.add({ kind: 'server', server: 'web' }, 'Known: TCK-2026-88812345.')
    expect(flow.find({ id: 'TCK-2026-88812345' }, 'web')).toEqual([])
  })

  test('a finding shows a short sample in one line, and hardly any of a secret file', () => {
    const flow = makeDataFlow()
    flow.add(mail, prose)
    flow.add(env, 'KEY=9f8e7d6c5b4a39281706f5e4')
    expect(flow.find({ a: prose.replaceAll(' ', '\n') }, 'web')).toEqual([{ source: mail, sample: 'The committee met on Tuesday to discuss the renovation of t…' }])
    expect(flow.find({ a: '9f8e7d6c5b4a39281706f5e4' }, 'web')).toEqual([{ source: env, sample: '9f8e…' }])
  })

  test('each file is told from others', () => {
    const flow = makeDataFlow()
    for (let at = 0; at < 20; at += 1) flow.add({ kind: 'project-file', path: `f${at}` }, `const token = '${createHash('sha256').update(String(at)).digest('hex')}'`)
    expect(sourcesOf(flow.find({ a: createHash('sha256').update('7').digest('hex') }, 'web'))).toEqual([{ kind: 'project-file', path: 'f7' }])
  })
})

describe('memory of flows is bounded (R54)', () => {
  const block = (name: string, letters: number): string => Array.from({ length: Math.ceil(letters / 64) }, (_, at) => createHash('sha256').update(`${name}${at}`).digest('hex')).join(' ')

  const small = { source: 30_000, all: 100_000, text: 20_000 }
  const old = 'aa11bb22cc33dd44ee55ff66'
  const fresh = '0f1e2d3c4b5a69788796a5b4'

  test('the newest text of a source is kept, old text goes', () => {
    const flow = makeDataFlow(small)
    flow.add(mail, old)
    flow.add(mail, block('a', 19_000))
    expect(sourcesOf(flow.find({ a: old }, 'web'))).toEqual([mail])
    for (let at = 0; at < 3; at += 1) flow.add(mail, block(`b${at}`, 19_000))
    flow.add(mail, fresh)
    expect(flow.find({ a: old }, 'web')).toEqual([])
    expect(sourcesOf(flow.find({ a: `${old} ${fresh}` }, 'web'))).toEqual([mail])
  })

  test('of one long text the beginning and the end are kept', () => {
    const flow = makeDataFlow(small)
    flow.add(env, `${old} ${block('x', 20_000)} 9911aa22bb33cc44dd55ee66 ${block('y', 20_000)} ${fresh}`)
    expect([old, fresh, '9911aa22bb33cc44dd55ee66'].map((a) => flow.find({ a }, 'web').length)).toEqual([1, 1, 0])
  })

  test('when everything is too much, the source that was quiet longest is forgotten', () => {
    const flow = makeDataFlow(small)
    flow.add(env, old)
    flow.add(mail, fresh)
    for (let at = 0; at < 5; at += 1) flow.add({ kind: 'server', server: `s${at}` }, block(`s${at}`, 19_000))
    flow.add(mail, 'still here')
    expect(sourcesOf(flow.find({ a: `${old} ${fresh}` }, 'web'))).toEqual([env, mail])
    flow.add({ kind: 'server', server: 'last' }, block('last', 19_000))
    expect(sourcesOf(flow.find({ a: `${old} ${fresh}` }, 'web'))).toEqual([mail])
  })

  test('text that repeats itself is no trouble, in memory or in arguments', () => {
    const flow = makeDataFlow()
    flow.add(mail, 'ab'.repeat(2_000_000))
    flow.add(mail, 'x'.repeat(10_000_000))
    flow.add(mail, `${'lorem ipsum dolor sit amet '.repeat(50_000)}`)
    expect(flow.find({ a: 'x'.repeat(900_000), b: 'ab'.repeat(40_000) }, 'web')).toEqual([])
  })
})
