import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withPictures } from '../../../../src/main/adapters/model/pictures'
import { rooms } from '../../../../src/main/adapters/model/rooms'
import { protocols } from '../../../../src/shared/domain/catalogue'
import { unknownFacts, type ModelChoice, type ModelMessage, type ThinkingBlock } from '../../../../src/shared/domain/model'
import { requestProblems } from '../../../support/fakeModelServerWire'
import { catalogue, wayOf } from './world'

// R88, R91: a session goes on with any model of any provider, whatever made its history.

const makers: readonly ModelChoice[] = [...protocols.map((provider) => ({ provider, model: 'm' })), { provider: 'anthropic', model: 'other' }]
const ids = { openai: 'call_', anthropic: 'toolu_', ollama: 'call_1_', odd: 'functions.read file:', long: 'x'.repeat(120) } as const
const tools = [{ name: 'f', description: '', parameters: { type: 'object' } }]

/** Thinking that names who made it, in every form. */
function thinkingOf(from: ModelChoice, n: number): readonly ThinkingBlock[] {
  const mark = `secret of ${from.provider} ${from.model}`
  return [
    { kind: 'field', field: 'reasoning_content', text: mark },
    { kind: 'item', field: 'reasoning_details', item: { text: mark } },
    { kind: 'signed', text: mark, signature: `${mark} signed`, textBefore: n % 5, callsBefore: 0 },
    { kind: 'redacted', data: mark, textBefore: 2, callsBefore: n % 3 },
  ]
}

interface Made {
  readonly from: ModelChoice
  readonly text: string
  readonly idKind: keyof typeof ids
  readonly calls: number
  readonly args: string
  readonly hasPicture: boolean
  readonly thinks: boolean
}

function historyOf(steps: readonly Made[]): readonly ModelMessage[] {
  const image = { ref: 'r', mimeType: 'image/png', sizeBytes: 1 }
  return steps.flatMap((step, n): readonly ModelMessage[] => {
    const calls = Array.from({ length: step.calls }, (_, at) => ({ providerCallId: `${ids[step.idKind]}${n}_${at}`, name: 'f', argumentsText: step.args }))
    if (step.text.trim() === '' && calls.length === 0) return [{ role: 'user', text: `only a user ${n}` }]
    return [
      { role: 'user', text: `user ${n}`, ...(step.hasPicture ? { images: [image] } : {}) },
      { role: 'assistant', text: step.text, reasoning: 'shown', ...(step.thinks ? { thinking: thinkingOf(step.from, n), from: step.from } : {}), calls },
      ...calls.map((call): ModelMessage => ({ role: 'tool', providerCallId: call.providerCallId, name: 'f', text: n % 2 === 0 ? `result ${call.providerCallId}` : '', ...(step.hasPicture ? { images: [image] } : {}) })),
    ]
  })
}

const steps: fc.Arbitrary<readonly Made[]> = fc.array(
  fc.record({
    from: fc.constantFrom(...makers),
    text: fc.constantFrom('', ' \n', 'I look.', '看一看 🙂'),
    idKind: fc.constantFrom(...(Object.keys(ids) as (keyof typeof ids)[])),
    calls: fc.nat(3),
    args: fc.constantFrom('{}', '{"path":"a"}', '{"deep":{"list":[1,null,"x"]}}'),
    hasPicture: fc.boolean(),
    thinks: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
)

async function bodyFor(choice: ModelChoice, way: ReturnType<typeof wayOf>, messages: readonly ModelMessage[], hasTools: boolean): Promise<Readonly<Record<string, unknown>>> {
  const whole: readonly ModelMessage[] = [{ role: 'system', text: 'You are.' }, ...messages, { role: 'user', text: 'go on' }]
  const sent = await withPictures({ choice, messages: whole }, { readBlob: () => Promise.resolve(Buffer.from('p')) }, true)
  return JSON.parse(Buffer.from(rooms[way.protocol].body({ choice, messages: sent, tools: hasTools ? tools : [], way, facts: unknownFacts })).toString()) as Readonly<Record<string, unknown>>
}

describe.each(protocols)('R88 R91 a history of any makers goes on in the protocol %s', (protocol) => {
  const presets = catalogue.providers.filter((one) => one.protocol === protocol)

  test('with every known provider, as a valid request that holds no thinking of another model', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom(...presets.map((one) => one.id)), fc.boolean(), async (made, preset, hasTools) => {
        const choice = { provider: protocol, model: 'm' }
        const body = await bodyFor(choice, wayOf(protocol, 'm', { preset }), historyOf(made), hasTools)
        expect(requestProblems(protocol, body)).toEqual([])
        const foreign = [...JSON.stringify(body).matchAll(/secret of (\w+) (\w+)/g)].filter(([, provider, model]) => provider !== choice.provider || model !== choice.model)
        expect(foreign).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  test('each call keeps its result under one and the same id', async () => {
    const forms: readonly Made[] = (Object.keys(ids) as (keyof typeof ids)[]).map((idKind) => ({ from: { provider: 'openai', model: 'm' }, text: '', idKind, calls: 2, args: '{}', hasPicture: false, thinks: false }))
    const text = JSON.stringify(await bodyFor({ provider: 'x', model: 'm' }, wayOf(protocol, 'm', { quirks: { callIds: '^[a-zA-Z0-9_-]{1,40}$' } }), historyOf(forms), true))
    const sent = [...text.matchAll(/"(?:id|tool_call_id|tool_use_id)":"([^"]*)"/g)].map(([, id]) => id ?? '')
    expect(sent.every((id) => /^[a-zA-Z0-9_-]{1,40}$/.test(id))).toBe(true)
    expect([...new Set(sent)].map((id) => sent.filter((one) => one === id).length)).toEqual(Array.from({ length: 10 }, () => 2))
  })
})
