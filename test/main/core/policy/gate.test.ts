import { expect, test } from 'vitest'
import { said, succeed } from '../../../../src/shared/domain/result'
import type { Verdict } from '../../../../src/shared/domain/verdict'
import { lookAgain, passGate, type GatePorts } from '../../../../src/main/core/policy/gate'
import type { CallForecast } from '../../../../src/main/core/tools/defineTool'
import { isLooser } from '../../../../src/shared/domain/session'
import { levelLets } from '../../../../src/main/core/policy/askingLevel'

const allowable: Verdict = { kind: 'allowable', reason: said('guard.nothing-against') }
const deny: Verdict = { kind: 'deny', reason: said('guard.needs-person') }
const ask: Verdict = { kind: 'ask', reason: said('guard.needs-person') }
const judged = (verdict: Verdict) => ({ verdict, parts: [], places: [], isReader: false })
const forecast = (base: CallForecast['base'] = {}): CallForecast => ({ preview: { kind: 'arguments', text: '', notes: [] }, writes: [], base })

function ports(change: Partial<GatePorts>): GatePorts {
  return {
    parse: (args) => succeed(args as Readonly<Record<string, unknown>>),
    judge: () => Promise.resolve(judged(allowable)),
    forecast: () => Promise.resolve(succeed(forecast())),
    standing: () => null,
    hold: () => true,
    stands: () => true,
    sandbox: () => 'none',
    ask: () => Promise.resolve({ kind: 'allow' }),
    withEdit: () => null,
    ...change,
  }
}

test('R62 an edit that policy forbids is refused after the person allowed it', async () => {
  let asked = 0
  const outcome = await passGate({ command: 'ls' }, ports({
    judge: (args) => Promise.resolve(judged(args['command'] === 'rm -r .' ? deny : allowable)),
    ask: () => (asked++, Promise.resolve({ kind: 'edited', args: { command: 'rm -r .' } })),
  }))
  expect({ outcome, asked }).toEqual({ outcome: { kind: 'refused', by: 'policy', reason: said('tool.edited-refused', { reason: deny.reason }) }, asked: 1 })
})

test('R62 a guard that asks is never answered by a rule or the level', async () => {
  let asked = 0
  const outcome = await passGate({}, ports({ judge: () => Promise.resolve(judged(ask)), standing: () => ({ by: 'level', ruleId: null, used: [] }), ask: () => (asked++, Promise.resolve({ kind: 'allow' })) }))
  expect({ by: outcome.kind === 'granted' && outcome.by, asked }).toEqual({ by: 'person', asked: 1 })
})

test('what a rule answered is asked after all when the second look asks', async () => {
  const verdicts = [allowable, ask, ask, ask]
  let asked = 0
  const outcome = await passGate({}, ports({ judge: () => Promise.resolve(judged(verdicts.shift() ?? ask)), standing: () => ({ by: 'rule', ruleId: '1', used: [] }), ask: () => (asked++, Promise.resolve({ kind: 'allow' })) }))
  expect({ by: outcome.kind === 'granted' && outcome.by, asked }).toEqual({ by: 'person', asked: 1 })
})

test('R63 a file that changed while the question waited asks again with what is there now', async () => {
  const bases = [{ 'a.txt': 'old' }, { 'a.txt': 'new' }, { 'a.txt': 'new' }, { 'a.txt': 'new' }]
  const shown: unknown[] = []
  const outcome = await passGate({}, ports({
    forecast: () => Promise.resolve(succeed(forecast(bases.shift()))),
    ask: (question) => (shown.push(question.forecast.base), Promise.resolve({ kind: 'allow' })),
  }))
  expect({ kind: outcome.kind, shown }).toEqual({ kind: 'granted', shown: [{ 'a.txt': 'old' }, { 'a.txt': 'new' }] })
})

test('R62 R63 what the guards say that changed while the question waited asks again with what they say now', async () => {
  const verdicts = [allowable, ask, ask, ask]
  const shown: unknown[] = []
  const outcome = await passGate({}, ports({
    judge: () => Promise.resolve(judged(verdicts.shift() ?? ask)),
    ask: (question) => (shown.push(question.judgement.verdict.kind), Promise.resolve({ kind: 'allow' })),
  }))
  expect({ kind: outcome.kind, shown }).toEqual({ kind: 'granted', shown: ['allowable', 'ask'] })
})

test('R63 what is shown of a call and changed while the question waited asks again with what would happen now', async () => {
  const texts = ['d/\nd/a', 'd/\nd/a\nd/b', 'd/\nd/a\nd/b', 'd/\nd/a\nd/b']
  const shown: unknown[] = []
  const outcome = await passGate({}, ports({
    forecast: () => Promise.resolve(succeed({ ...forecast(), preview: { kind: 'arguments', text: texts.shift() ?? '', notes: [] } })),
    ask: ({ forecast: { preview } }) => (shown.push(preview.kind === 'arguments' && preview.text), Promise.resolve({ kind: 'allow' })),
  }))
  expect({ kind: outcome.kind, shown }).toEqual({ kind: 'granted', shown: ['d/\nd/a', 'd/\nd/a\nd/b'] })
})

test('a call that cannot be forecast ends before anybody is asked', async () => {
  let asked = 0
  const outcome = await passGate({}, ports({ forecast: () => Promise.resolve({ ok: false, fault: said('tool.cancelled') }), ask: () => (asked++, Promise.resolve({ kind: 'allow' })) }))
  expect({ outcome, asked }).toEqual({ outcome: { kind: 'failed', fault: said('tool.cancelled') }, asked: 0 })
})

test('R64 a level lets only what it names run, and loosening is told from tightening', () => {
  const table = (['all', 'writes', 'commands', 'read-only'] as const).map((level) => (['read', 'write', 'execute', 'network'] as const).filter((effect) => levelLets(level, effect)))
  expect(table).toEqual([[], ['read'], ['read', 'write'], ['read']])
  expect([isLooser('writes', 'commands'), isLooser('commands', 'writes'), isLooser('read-only', 'all'), isLooser('writes', 'writes')]).toEqual([true, false, true, false])
})

test('R69 a rule whose last use another call took does not answer: the person does, once', async () => {
  let asked = 0
  const outcome = await passGate({}, ports({ standing: () => ({ by: 'rule', ruleId: '1', used: [] }), hold: () => false, ask: () => (asked++, Promise.resolve({ kind: 'allow' })) }))
  expect({ by: outcome.kind === 'granted' && outcome.by, asked }).toEqual({ by: 'person', asked: 1 })
})

const byRule = { by: 'rule', ruleId: '1', used: [] } as const
const commandForecast: CallForecast = { preview: { kind: 'command', command: 'make', cwd: '/project', parts: [] }, writes: [], base: {} }

test('R69 a rule that fits the first look and not the second does not answer: what moved between is asked', async () => {
  let [looks, asked] = [0, 0]
  const outcome = await passGate({}, ports({ standing: () => (looks++ === 0 ? byRule : null), ask: () => (asked++, Promise.resolve({ kind: 'allow' })) }))
  expect({ by: outcome.kind === 'granted' && outcome.by, asked }).toEqual({ by: 'person', asked: 1 })
})

test('R69 a rule is counted as it fits at the second look', async () => {
  const counted: unknown[] = []
  const found = [byRule, { ...byRule, ruleId: '2' }]
  const outcome = await passGate({}, ports({ standing: () => found.shift() ?? null, hold: (standing) => (counted.push(standing.ruleId), true) }))
  expect({ outcome, counted }).toMatchObject({ outcome: { kind: 'granted', ruleId: '2' }, counted: ['2'] })
})

test('R73 what is to be asked again is asked of the person, also when a rule came meanwhile', async () => {
  const answers = ['again', { kind: 'skip' }] as const
  let at = 0
  const outcome = await passGate({}, ports({ standing: () => (at > 0 ? byRule : null), ask: () => Promise.resolve(answers[at++] ?? null) }))
  expect({ outcome, at }).toEqual({ outcome: { kind: 'skipped' }, at: 2 })
})

test('R72 a command whose card said that a sandbox holds it asks again when none does any more, never the other way round', async () => {
  const run = async (states: ('none' | 'on')[]) => {
    const shown: string[] = []
    const outcome = await passGate({}, ports({ forecast: () => Promise.resolve(succeed(commandForecast)), sandbox: () => states.shift() ?? 'none', ask: ({ sandbox }) => (shown.push(sandbox), Promise.resolve({ kind: 'edited', args: {} })) }))
    return [outcome.kind, ...shown]
  }
  expect([await run(['on', 'none']), await run(['none', 'on'])]).toEqual([['granted', 'on', 'none'], ['granted', 'none']])
})

test('R69 after a wait the call ends when what answered it does not any more', async () => {
  const outcome = await passGate({}, ports({ standing: () => byRule }))
  if (outcome.kind !== 'granted') throw new Error(outcome.kind)
  expect([await lookAgain(outcome, ports({ stands: () => false })), await lookAgain(outcome, ports({}))]).toEqual([said('tool.no-longer-allowed'), null])
})

test('R63 R54 an edit says yes to what was shown: when the call itself would be shown otherwise by now, what was edited is asked again', async () => {
  const shown: unknown[] = []
  // The tool changes while the person edits its arguments; the base tells nothing of that.
  const run = async (texts: string[]) => {
    shown.length = 0
    const answers = [{ kind: 'edited', args: { to: 'bob' } }, { kind: 'skip' }] as const
    const outcome = await passGate({ to: 'ann' }, ports({
      forecast: (args) => Promise.resolve(succeed({ ...forecast(), preview: { kind: 'arguments', text: `${texts.shift() ?? 'old'} ${JSON.stringify(args)}`, notes: [] } })),
      ask: (question) => (shown.push(question.forecast.preview), Promise.resolve(answers[shown.length - 1] ?? null)),
    }))
    return [outcome.kind, shown.length]
  }
  expect([await run(['old', 'old', 'old']), await run(['old', 'new', 'new', 'new'])]).toEqual([['granted', 1], ['skipped', 2]])
})
