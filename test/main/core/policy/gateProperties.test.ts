import fc from 'fast-check'
import { expect, test } from 'vitest'
import { said, succeed } from '../../../../src/shared/domain/result'
import { isAsShown, lookAgain, passGate, type GatePorts, type GateQuestion, type PersonAnswer } from '../../../../src/main/core/policy/gate'

/** The world as one look finds it. */
const moment = fc.record({
  verdict: fc.constantFrom('allowable', 'allowable', 'allowable', 'ask', 'deny' as const),
  base: fc.constantFrom('one', 'one', 'one', 'two'),
  text: fc.constantFrom('same', 'same', 'same', 'other'),
  sandbox: fc.constantFrom('on', 'on', 'none' as const),
  rule: fc.constantFrom(null, null, '1', '2'),
})
type Moment = typeof moment extends fc.Arbitrary<infer Value> ? Value : never

const answer = fc.constantFrom<PersonAnswer | 'again' | null>({ kind: 'allow' }, { kind: 'allow' }, { kind: 'edited', args: { text: 'mine' } }, { kind: 'deny', reason: '' }, { kind: 'skip' }, 'again', null)

/** A gate over a world that moves with every look. What is over ends in a refusal, so that every run ends. */
function gateOver(moments: readonly Moment[], answers: readonly (PersonAnswer | 'again' | null)[], canSpend: readonly boolean[]) {
  const seen = { looks: 0, asked: [] as { readonly question: GateQuestion; readonly answer: PersonAnswer | 'again' | null }[], spent: [] as string[] }
  const now = (): Moment => moments[seen.looks - 1] ?? { verdict: 'deny', base: 'one', text: 'same', sandbox: 'on', rule: null }
  const standing = () => {
    const { rule } = now()
    return rule === null ? null : ({ by: 'rule', ruleId: rule, used: [] } as const)
  }
  const ports: GatePorts = {
    parse: (args) => succeed(args as Readonly<Record<string, unknown>>),
    judge: () => (seen.looks++, Promise.resolve({ verdict: { kind: now().verdict, reason: said('guard.nothing-against') }, parts: [], places: [], isReader: false })),
    forecast: () => Promise.resolve(succeed({ preview: { kind: 'command', command: now().text, cwd: '', parts: [] }, writes: [], base: { a: now().base } })),
    standing,
    stands: ({ ruleId }) => standing()?.ruleId === ruleId,
    sandbox: () => now().sandbox,
    hold: ({ ruleId }) => (seen.spent.push(ruleId ?? ''), canSpend[seen.spent.length - 1] ?? true),
    ask: (question) => {
      const given = answers[seen.asked.length] ?? null
      seen.asked.push({ question, answer: given })
      return Promise.resolve(given)
    },
    withEdit: () => null,
  }
  return { ports, seen, now }
}

test('R62 R63 R69 however the world moves: what is granted was judged last, and is what the person saw or what a rule answered just now', async () => {
  let granted = 0
  await fc.assert(
    fc.asyncProperty(fc.array(moment, { maxLength: 12 }), fc.array(answer, { maxLength: 6 }), fc.array(fc.boolean(), { maxLength: 4 }), async (moments, answers, canSpend) => {
      const { ports, seen, now } = gateOver(moments, answers, canSpend)
      const outcome = await passGate({ text: 'proposed' }, ports)
      if (outcome.kind !== 'granted') return
      granted += 1
      const last = now()
      expect(last.verdict).not.toBe('deny')
      expect([outcome.judgement.verdict.kind, outcome.forecast.base['a'], outcome.sandbox]).toEqual([last.verdict, last.base, last.sandbox])
      if (outcome.by !== 'person') {
        expect([last.verdict, last.rule, seen.spent.at(-1), canSpend[seen.spent.length - 1] ?? true]).toEqual(['allowable', outcome.ruleId, outcome.ruleId, true])
        return
      }
      const { question, answer: word } = seen.asked.at(-1) ?? { question: null, answer: null }
      expect([word === null || word === 'again' ? word : word.kind, question?.forecast.base['a']]).toEqual([outcome.answer === 'edited' ? 'edited' : 'allow', last.base])
      expect(question?.sandbox === 'on' && last.sandbox === 'none').toBe(false)
      if (outcome.answer === 'allow') expect([question?.args, question?.forecast.preview, question?.judgement.verdict.kind]).toEqual([outcome.args, outcome.forecast.preview, last.verdict])
    }),
    { numRuns: 1500 },
  )
  expect(granted).toBeGreaterThan(100)
})

test('R62 R69 after a wait only what still is what was granted goes on', async () => {
  await fc.assert(
    fc.asyncProperty(moment, moment, moment, async (first, second, third) => {
      const { ports, now } = gateOver([first, second, third], [{ kind: 'allow' }], [])
      const outcome = await passGate({ text: 'proposed' }, ports)
      if (outcome.kind !== 'granted') return
      const before = now()
      const fault = await lookAgain(outcome, ports)
      const isSame = outcome.standing === null ? third.base === before.base && third.text === before.text && third.verdict === before.verdict && !(before.sandbox === 'on' && third.sandbox === 'none') : third.verdict === 'allowable' && third.rule === outcome.ruleId
      expect(fault === null).toBe(isSame)
    }),
    { numRuns: 500 },
  )
})

test('R73 a question that is denied by now, or that would be put in other words, is not as it was shown', async () => {
  await fc.assert(
    fc.asyncProperty(moment, moment, async (first, second) => {
      const { ports, seen } = gateOver([{ ...first, rule: null }, second], [null], [])
      await passGate({ text: 'proposed' }, ports)
      const [asked] = seen.asked
      if (asked === undefined) return
      expect(await isAsShown(asked.question, ports)).toBe(second.verdict === first.verdict && second.base === first.base && second.text === first.text && !(first.sandbox === 'on' && second.sandbox === 'none'))
    }),
    { numRuns: 300 },
  )
})
