import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fieldsOf, valuesFor } from '../../../../src/main/adapters/mcp/formFields'
import { makeLineReader } from '../../../../src/main/adapters/mcp/lineReader'
import { messagesOf } from '../../../../src/main/adapters/mcp/messages'
import { callResultOf } from '../../../../src/main/adapters/mcp/parts'
import { answerQuestion } from '../../../../src/main/adapters/mcp/questions'
import { makeServerLog } from '../../../../src/main/adapters/mcp/serverLog'
import type { McpAnswer, McpQuestion } from '../../../../src/main/core/ports/mcpConnections'

/** Cuts bytes at the places given. */
function cut(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b)
  return [0, ...at].map((from, index) => bytes.subarray(from, at[index] ?? bytes.length))
}

describe('the reader', () => {
  test('lines are the same however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }).map((line) => line.replaceAll('\n', '')), { maxLength: 20 }), fc.array(fc.nat(), { maxLength: 20 }), (lines, places) => {
        const found: string[] = []
        const reader = makeLineReader(1000, (line) => found.push(line.toString('utf8')), () => found.push('long'))
        for (const piece of cut(Buffer.from(lines.map((line) => `${line}\n`).join('') + 'rest'), places)) reader.push(piece)
        expect([...found, reader.rest().toString('utf8')]).toEqual([...lines.map((line) => Buffer.from(line).toString('utf8')), 'rest'])
      }),
    )
  })

  test('a line over the limit is told once, whatever the cuts, and nothing is read after it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 }), fc.array(fc.nat(), { maxLength: 8 }), (size, places) => {
        const found: string[] = []
        const reader = makeLineReader(20, (line) => found.push(`${line.length}`), () => found.push('long'))
        for (const piece of cut(Buffer.from(`one\n${'x'.repeat(size)}\ntwo\n`), places)) reader.push(piece)
        expect(found).toEqual(size > 20 ? ['3', 'long'] : ['3', `${size}`, '3'])
      }),
    )
  })

  test('what is no message of the protocol is none, and a batch gives several', () => {
    const kinds = ['{"jsonrpc":"2.0","id":1,"result":{}}', '[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","id":"x","error":{"code":1.5}}]', '{"jsonrpc":"2.0","id":2,"result":null}', '{"jsonrpc":"2.0"}', '{"id":1,"result":{}}', '[]', '[1]', '"x"', '{', '', '{"jsonrpc":"2.0","id":{},"method":"a"}']
    expect(kinds.map((line) => messagesOf(Buffer.from(line)))).toEqual([
      [{ jsonrpc: '2.0', id: 1, result: {} }],
      [{ jsonrpc: '2.0', method: 'a' }, { jsonrpc: '2.0', id: 'x', error: { code: -32603, message: '' } }],
      [{ jsonrpc: '2.0', id: 2, result: {} }],
      null, null, null, null, null, null, null, null,
    ])
  })
})

describe('the log (R46)', () => {
  test('lines on standard error are the same however the bytes are cut, each cut to a length', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'ünï 你好', 'x'.repeat(9000), 'crlf\r'), { minLength: 1, maxLength: 12 }), fc.array(fc.nat(), { maxLength: 12 }), (lines, places) => {
        const found: string[] = []
        const log = makeServerLog(({ text }) => found.push(text))
        for (const piece of cut(Buffer.from(lines.join('\n')), places)) log.stderr(piece)
        log.close()
        expect(found).toEqual(lines.map((line) => (line.startsWith('x') ? `${'x'.repeat(8000)}…` : line.replace('\r', ''))))
      }),
    )
  })

  test('of a flood a window\'s worth is kept, and the rest is counted', () => {
    const found: string[] = []
    const log = makeServerLog(({ text }) => found.push(text))
    for (let n = 0; n < 10; n++) log.stderr(Buffer.from('flood\n'.repeat(1000)))
    log.close()
    log.line('app', 'after the end')
    expect([found.length, found.at(-1)]).toEqual([401, '[… 9,600 lines …]'])
  })
})

describe('forms of elicitation (R51)', () => {
  const schema = (properties: unknown, required: readonly string[] = []): unknown => ({ type: 'object', properties, required })

  test('anything nested or unknown is no form', () => {
    const refused = [undefined, { type: 'string' }, schema(null), schema({ a: { type: 'object', properties: {} } }), schema({ a: { type: 'array', items: { type: 'object' } } }), schema({ a: { type: 'string', enum: [] } }), schema({ a: { type: 'string', enum: [1, 2] } }), schema({ a: {} }), schema({ a: 'text' })]
    expect(refused.map(fieldsOf)).toEqual(refused.map(() => null))
  })

  test('values go back only where they were asked for, are needed, and fit', () => {
    const fields = fieldsOf(schema({
      name: { type: 'string', minLength: 2, maxLength: 4 },
      mail: { type: 'string', format: 'email', default: 'not one' },
      age: { type: 'integer', minimum: 18 },
      part: { type: 'number', maximum: 1 },
      yes: { type: 'boolean' },
      one: { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
      some: { type: 'array', items: { enum: ['x', 'y'] }, maxItems: 1 },
      day: { type: 'string', format: 'date' },
    }, ['name']))
    if (fields === null) throw new Error('a form')
    const rows: readonly (readonly [Record<string, string | number | boolean | readonly string[]>, boolean])[] = [
      [{ name: 'Ada' }, true], [{}, false], [{ name: 'A' }, false], [{ name: 'Adele' }, false], [{ name: '你好' }, true],
      [{ name: 'Ada', mail: 'a@b' }, true], [{ name: 'Ada', mail: 'a' }, false], [{ name: 'Ada', age: 18 }, true], [{ name: 'Ada', age: 17 }, false], [{ name: 'Ada', age: 18.5 }, false], [{ name: 'Ada', age: '18' }, false],
      [{ name: 'Ada', part: 0.5 }, true], [{ name: 'Ada', part: Number.NaN }, false], [{ name: 'Ada', yes: false }, true], [{ name: 'Ada', yes: 'true' }, false],
      [{ name: 'Ada', one: 'a' }, true], [{ name: 'Ada', one: 'A' }, false], [{ name: 'Ada', some: ['x'] }, true], [{ name: 'Ada', some: ['x', 'y'] }, false], [{ name: 'Ada', some: ['z'] }, false],
      [{ name: 'Ada', day: '2026-02-03' }, true], [{ name: 'Ada', day: '2026-13-03' }, false],
    ]
    expect(rows.map(([values]) => valuesFor(fields, values) !== null)).toEqual(rows.map(([, isGood]) => isGood))
    expect(valuesFor(fields, { name: 'Ada', other: 'x', constructor: 'y' })).toEqual({ name: 'Ada' })
    expect(fields.find(({ name }) => name === 'mail')?.initial).toBe(null)
    expect(valuesFor(fieldsOf(schema({ constructor: { type: 'string' } })) ?? [], {})).toEqual({})
  })
})

describe('questions of a server (R51)', () => {
  const offers = { offersSampling: true, offersElicitation: true }
  const ask = async (method: string, params: Record<string, unknown>, answer: McpAnswer): Promise<{ readonly asked: McpQuestion | undefined; readonly answered: unknown }> => {
    const asked: McpQuestion[] = []
    const answered = await answerQuestion(method, params, offers, (question) => {
      asked.push(question)
      return Promise.resolve(answer)
    }).catch((error: unknown) => (error as { code: number }).code)
    return { asked: asked[0], answered }
  }

  test('sampling: only text is passed on, other parts are counted, tools are refused, a no is an error of the specification', async () => {
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'look' }, { type: 'image', data: '', mimeType: 'image/png' }] }, { role: 'assistant', content: { type: 'text', text: 'yes' } }]
    const given = await ask('sampling/createMessage', { messages, maxTokens: 9, systemPrompt: 'be brief' }, { kind: 'text', text: 'a', model: 'm', isCut: false })
    expect(given).toEqual({
      asked: { kind: 'sampling', system: 'be brief', messages: [{ role: 'user', text: 'look' }, { role: 'assistant', text: 'yes' }], maxTokens: 9, attached: 1 },
      answered: { role: 'assistant', model: 'm', stopReason: 'endTurn', content: { type: 'text', text: 'a' } },
    })
    expect(await ask('sampling/createMessage', { messages, maxTokens: 9, tools: [] }, { kind: 'refused' })).toEqual({ asked: undefined, answered: -32602 })
    expect((await ask('sampling/createMessage', { messages, maxTokens: 9 }, { kind: 'refused' })).answered).toBe(-1)
  })

  test('an address is only shown when it is https or on this machine', async () => {
    const rows: readonly (readonly [string, string])[] = [['https://a.example/x', 'accept'], ['http://localhost:3000/', 'accept'], ['http://a.example/', 'decline'], ['file:///etc/passwd', 'decline'], ['javascript:alert(1)', 'decline'], ['https://user:word@a.example/', 'decline'], ['x', 'decline']]
    const answers = await Promise.all(rows.map(async ([url]) => (await ask('elicitation/create', { mode: 'url', url, message: '', elicitationId: 'e' }, { kind: 'opened' })).answered))
    expect(answers).toEqual(rows.map(([, action]) => ({ action })))
  })

  test('an address is shown as a browser reads it, so that nobody opens another one than they saw (SECURITY 5)', async () => {
    const rows: readonly (readonly [string, string | undefined])[] = [
      ['https://\u0430pple.com/', 'https://xn--pple-43d.com/'], ['https://a.example\\@b.example/', 'https://a.example/@b.example/'], ['https://a.ex\nam\tple/', 'https://a.example/'],
      ['https://a.example/\u202egpj', 'https://a.example/%E2%80%AEgpj'], ['https://a.example@b.example/', undefined], ['data:text/html,x', undefined], ['blob:https://a.example/1', undefined], ['view-source:https://a.example', undefined],
      ['http://127.0.0.1.nip.io/', undefined], ['http://0x7f.1/', 'http://127.0.0.1/'], [`https://a.example/${'x'.repeat(9_000)}`, undefined],
    ]
    const asked = await Promise.all(rows.map(async ([url]) => ((await ask('elicitation/create', { mode: 'url', url, message: '', elicitationId: 'e' }, { kind: 'opened' })).asked as { readonly url: string } | undefined)?.url))
    expect(asked).toEqual(rows.map(([, shown]) => shown))
  })

  test('what nobody could read before saying yes is not asked: an endless text, form or list of choices', async () => {
    const long = { role: 'user', content: { type: 'text', text: 'x'.repeat(200_000) } }
    expect(await ask('sampling/createMessage', { messages: [long], maxTokens: 9 }, { kind: 'text', text: 'a', model: 'm', isCut: false })).toEqual({ asked: undefined, answered: -32602 })
    const schema = { type: 'object', properties: { a: { type: 'string', enum: Array.from({ length: 50_000 }, (_, at) => `v${at}`) } } }
    expect(await ask('elicitation/create', { message: 'm', requestedSchema: schema }, { kind: 'values', values: {} })).toEqual({ asked: undefined, answered: { action: 'decline' } })
    const { asked } = await ask('elicitation/create', { message: 'm'.repeat(1_000_000), requestedSchema: { type: 'object', properties: {} } }, { kind: 'values', values: {} })
    expect((asked as { readonly message: string }).message).toHaveLength(20_007)
  })

  test('a form that the person left is cancelled, one they refused is declined, a nested one never shown', async () => {
    const requestedSchema = { type: 'object', properties: { a: { type: 'string' } } }
    expect([
      (await ask('elicitation/create', { message: 'm', requestedSchema }, { kind: 'cancelled' })).answered,
      (await ask('elicitation/create', { message: 'm', requestedSchema }, { kind: 'refused' })).answered,
      (await ask('elicitation/create', { message: 'm', requestedSchema }, { kind: 'values', values: { a: 5 } })).answered,
      await ask('elicitation/create', { message: 'm', requestedSchema: { type: 'object', properties: { a: { type: 'object' } } } }, { kind: 'values', values: {} }),
    ]).toEqual([{ action: 'cancel' }, { action: 'decline' }, { action: 'cancel' }, { asked: undefined, answered: { action: 'decline' } }])
  })
})

describe('answers that do not keep to the form (R49, F04)', () => {
  test.each([
    ['a text for content', { content: 'words' }, [{ kind: 'text', text: 'words' }], null],
    ['one block for content', { content: { type: 'text', text: 'words' } }, [{ kind: 'text', text: 'words' }], null],
    ['a list as structured content', { content: [], structuredContent: [1, 'a'] }, [{ kind: 'text', text: '[1,"a"]' }], null],
    ['a number as structured content', { structuredContent: 0 }, [{ kind: 'text', text: '0' }], null],
    ['nothing as structured content', { content: null, structuredContent: null }, [], null],
    ['an object as structured content', { structuredContent: { a: 1 } }, [], { a: 1 }],
  ] as const)('%s', (_what, result, parts, structured) => {
    expect(callResultOf(result)).toEqual({ isError: false, parts, structured })
  })
})
