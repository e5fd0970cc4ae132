import fc from 'fast-check'
import { expect, test } from 'vitest'
import { conflictView, textsToCompare } from '../../../../src/main/core/snapshot/conflictParts'
import { findWays } from '../../../../src/main/core/snapshot/planRollback'
import type { TextOf } from '../../../../src/main/core/snapshot/takeBack'
import type { ConflictView } from '../../../../src/shared/domain/rollback'
import { atOnce, inputFor, inputForOne, itself, wholePlan, type Disk, type Moment } from '../../../support/rollbackPlans'

function viewOf(then: Disk, moments: readonly Moment[], textOf: TextOf = itself): ConflictView {
  const input = inputFor(then, moments)
  const way = atOnce(findWays(input)).find(({ path }) => path === 'f')
  if (!way) throw new Error('nothing is to be done')
  return conflictView(way, textOf, wholePlan(input, textOf).rows.some(({ action }) => action === 'conflict'))
}

const taking = ({ parts }: ConflictView, side: 'earlier' | 'base' | 'disk'): string => parts.map((part) => (part.kind === 'same' ? part.text : part[side])).join('')

test('R77 three versions of the lines that both changed; all other lines are decided', () => {
  const view = viewOf({ f: '1\n2\n3\n4\n5\n6\n7\n' }, [{ author: 'agent', disk: { f: '1\nA\n3\nB\n5\n6\n7\n' } }, { author: 'you', disk: { f: '1\nmine\n3\nB\n5\nmine too\n7\n' } }])
  expect(view).toEqual({
    earlier: '1\n2\n3\n4\n5\n6\n7\n',
    disk: '1\nmine\n3\nB\n5\nmine too\n7\n',
    parts: [
      { kind: 'same', text: '1\n' },
      { kind: 'conflict', earlier: '2\n', base: 'A\n', disk: 'mine\n' },
      { kind: 'same', text: '3\n4\n5\nmine too\n7\n' },
    ],
  })
})

test('R77 with the person’s edits between the agent’s, each of the agent’s is taken out in turn', () => {
  const view = viewOf({ f: '1\n2\n3\n4\n5\n' }, [
    { author: 'agent', disk: { f: 'A\n2\n3\n4\n5\n' } },
    { author: 'you', disk: { f: 'mine\n2\n3\n4\n5\n' } },
    { author: 'command', disk: { f: 'mine\n2\nC\n4\n5\n' } },
    { author: 'you', disk: { f: 'mine\n2\nC\n4\nlast\n' } },
  ])
  expect(view.parts).toEqual([
    { kind: 'conflict', earlier: '1\n', base: 'A\n', disk: 'mine\n' },
    { kind: 'same', text: '2\n3\n4\nlast\n' },
  ])
})

test('R77 one call alone against what came after it', () => {
  const input = inputForOne({ f: '1\n2\n' }, [{ author: 'agent', disk: { f: 'A\n2\n' } }, { author: 'agent', disk: { f: 'B\n2\n' } }], 0)
  const [way] = atOnce(findWays(input))
  if (!way) throw new Error('no way')
  expect(conflictView(way, itself, true).parts).toEqual([
    { kind: 'conflict', earlier: '1\n', base: 'A\n', disk: 'B\n' },
    { kind: 'same', text: '2\n' },
  ])
})

test('R77 where nobody knows what the agent left, the two texts are compared', () => {
  const both = viewOf({ f: '1\n2\n3\n' }, [{ author: 'both', disk: { f: '1\nX\n3\n' } }])
  expect(both.parts).toEqual([{ kind: 'same', text: '1\n' }, { kind: 'conflict', earlier: '2\n', base: '2\n', disk: 'X\n' }, { kind: 'same', text: '3\n' }])
  const remade = viewOf({ f: '1\n2\n' }, [{ author: 'agent', disk: {} }, { author: 'you', disk: { f: '1\nmine\n' } }])
  expect(remade.parts).toEqual([{ kind: 'same', text: '1\n' }, { kind: 'conflict', earlier: '2\n', base: '2\n', disk: 'mine\n' }])
})

test('R77 a side without a file or without text has one part or none', () => {
  const made = viewOf({}, [{ author: 'agent', disk: { f: 'a\n' } }, { author: 'you', disk: { f: 'a\nb\n' } }])
  expect(made).toEqual({ earlier: null, disk: 'a\nb\n', parts: [{ kind: 'conflict', earlier: '', base: '', disk: 'a\nb\n' }] })
  const moments: readonly Moment[] = [{ author: 'agent', disk: { f: 'a\n' } }, { author: 'you', disk: { f: 'mine\n' } }, { author: 'agent', disk: {} }]
  expect(viewOf({}, moments)).toEqual({ earlier: null, disk: null, parts: [{ kind: 'conflict', earlier: '', base: 'mine\n', disk: '' }] })
  expect(viewOf({ f: '1' }, [{ author: 'agent', disk: { f: '2' } }, { author: 'you', disk: { f: '3' } }], () => null)).toEqual({ earlier: null, disk: null, parts: [] })
})

test('R77 a merge has nothing to decide, and very long texts are one part', () => {
  const merge = viewOf({ f: '1\n2\n3\n' }, [{ author: 'agent', disk: { f: 'A\n2\n3\n' } }, { author: 'you', disk: { f: 'A\n2\nmine\n' } }])
  expect(merge.parts).toEqual([{ kind: 'same', text: '1\n2\nmine\n' }])
  const long = 'x\n'.repeat(20_001)
  const view = viewOf({ f: long }, [{ author: 'agent', disk: { f: `A\n${long}` } }, { author: 'you', disk: { f: `mine\n${long}` } }])
  expect(view.parts).toEqual([{ kind: 'conflict', earlier: long, base: '', disk: `mine\n${long}` }])
})

test('R77 the texts it looks at: the earlier one, the disk’s, and what the agent found and left', () => {
  const input = inputFor({ f: '0' }, [{ author: 'you', disk: { f: '1' } }, { author: 'agent', disk: { f: '2' } }, { author: 'you', disk: { f: '3' } }])
  const [way] = atOnce(findWays(input))
  expect(way && [...textsToCompare(way)].sort()).toEqual(['0', '1', '2', '3'])
})

/** Blocks of one line, with lines between that nobody changes. */
const block = fc.constantFrom<'nobody' | 'agent' | 'you' | 'agent, then you' | 'you, then agent'>('nobody', 'agent', 'you', 'agent, then you', 'you, then agent')

test('R77 property: earlier everywhere takes all of the agent’s back, disk everywhere keeps all of the person’s', () => {
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 8 }), (all) => {
      fc.pre(all.includes('agent, then you'))
      const build = (line: (by: (typeof all)[number], at: number) => string): Disk => ({ f: all.map((by, at) => `between ${at}\n${line(by, at)}\n`).join('') })
      const was = (at: number): string => `was ${at}`
      const first = build((by, at) => (by === 'you, then agent' ? `mine ${at}` : was(at)))
      const second = build((by, at) => (by === 'nobody' || by === 'you' ? was(at) : `agent’s ${at}`))
      const now = build((by, at) => (by === 'you' || by === 'agent, then you' ? `mine ${at}` : by === 'nobody' ? was(at) : `agent’s ${at}`))
      const view = viewOf(build((_, at) => was(at)), [{ author: 'you', disk: first }, { author: 'agent', disk: second }, { author: 'you', disk: now }])
      const expected = (side: 'earlier' | 'base' | 'disk'): string =>
        build((by, at) => (by === 'you' || by === 'you, then agent' ? `mine ${at}` : by === 'agent, then you' ? (side === 'earlier' ? was(at) : side === 'base' ? `agent’s ${at}` : `mine ${at}`) : was(at)))['f'] ?? ''
      for (const side of ['earlier', 'base', 'disk'] as const) expect(taking(view, side)).toBe(expected(side))
      expect(view.parts.filter(({ kind }) => kind === 'conflict').length).toBe(all.filter((by) => by === 'agent, then you').length)
    }),
  )
})

test('R77 property: whatever happened, a conflict has a part to decide, and with the agent alone on one side it is either text whole', () => {
  const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', '}\n'), { minLength: 1, maxLength: 6 }).map((lines) => lines.join(''))
  fc.assert(
    fc.property(text, fc.array(fc.record({ author: fc.constantFrom<'agent' | 'you' | 'both'>('agent', 'you', 'both'), f: text }), { minLength: 2, maxLength: 5 }), (then, told) => {
      const moments = told.map(({ author, f }): Moment => ({ author, disk: { f } }))
      const input = inputFor({ f: then }, moments)
      fc.pre(wholePlan(input).rows.some(({ action }) => action === 'conflict'))
      const view = viewOf({ f: then }, moments)
      expect(view.parts.some(({ kind }) => kind === 'conflict')).toBe(true)
      if (told.some(({ author }, at) => author === 'both' && (told[at - 1]?.f ?? then) !== told[at]?.f)) expect([taking(view, 'earlier'), taking(view, 'disk')]).toEqual([view.earlier, view.disk])
    }),
  )
})
