import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Author } from '../../../../src/shared/domain/snapshot'
import { applied, inputFor, inputForOne, wholePlan, type Disk, type Moment } from '../../../support/rollbackPlans'

/** Every line has a name of its own, so that it can be said who wrote it and who took it away. */
const then: Disk = { f: lines(['f0', 'f1', 'f2', 'f3', 'f4', 'f5']), g: lines(['g0', 'g1', 'g2']) }

function lines(names: readonly string[]): string {
  return names.map((name) => `${name}\n`).join('')
}

const linesOf = (disk: Disk): readonly string[] => Object.values(disk).flatMap((text) => text.split('\n').filter((line) => line !== ''))

const edit = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('insert' as const), at: fc.nat(8) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), at: fc.nat(8) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('replace' as const), at: fc.nat(8) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'delete' as const, at: 0 }) },
)
const step = fc.record({ author: fc.constantFrom<Author>('agent', 'command', 'you', 'unknown'), path: fc.constantFrom('f', 'g', 'made'), edits: fc.array(edit, { minLength: 1, maxLength: 3 }) })
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

interface Story {
  readonly moments: readonly Moment[]
  /** By line, whose it is, and who took it away. */
  readonly wrote: ReadonlyMap<string, Author>
  readonly took: ReadonlyMap<string, Author>
}

function tell(steps: readonly Step[]): Story {
  let disk: Disk = then
  const [wrote, took] = [new Map<string, Author>(), new Map<string, Author>()]
  const moments = steps.map(({ author, path, edits }, index): Moment => {
    const names = [...(disk[path] ?? '').split('\n').filter((line) => line !== '')]
    let isThere = disk[path] !== undefined
    edits.forEach(({ kind, at }, number) => {
      const [place, name] = [Math.min(at, names.length), `${author} ${index}.${number}`]
      const gone = kind === 'insert' ? [] : names.splice(kind === 'delete' ? 0 : place, kind === 'delete' ? names.length : 1)
      for (const line of gone) took.set(line, author)
      if (kind === 'insert' || kind === 'replace') {
        names.splice(place, 0, name)
        wrote.set(name, author)
      }
      isThere = kind === 'delete' ? false : isThere || names.length > 0
    })
    const { [path]: _, ...rest } = disk
    disk = isThere ? { ...rest, [path]: lines(names) } : rest
    return { author, disk }
  })
  return { moments, wrote, took }
}

const isPersons = (author: Author | undefined): boolean => author === 'you' || author === 'unknown'
const stories = fc.array(step, { minLength: 1, maxLength: 7 }).map(tell)
const deletesFile = ({ moments }: Story): boolean =>
  moments.some(({ author, disk }, at) => isPersons(author) && Object.keys(moments[at - 1]?.disk ?? then).some((path) => disk[path] === undefined))
const nowOf = ({ moments }: Story): Disk => moments.at(-1)?.disk ?? then

test('R77 property: no line that only the person wrote is lost, none that only the person took away comes again', () => {
  fc.assert(
    fc.property(stories, (story) => {
      const [now, { rows }] = [nowOf(story), wholePlan(inputFor(then, story.moments))]
      const after = new Set(linesOf(applied(now, rows)))
      for (const line of linesOf(now)) if (isPersons(story.wrote.get(line))) expect(after).toContain(line)
      for (const [line, author] of story.took) if (isPersons(author)) expect(after).not.toContain(line)
    }),
    { numRuns: 150 },
  )
})

test('R77 property: where nothing is in conflict, nothing of the agent’s is left and what it took away is there again', () => {
  fc.assert(
    fc.property(stories, (story) => {
      const { rows } = wholePlan(inputFor(then, story.moments))
      fc.pre(rows.every(({ action }) => action !== 'conflict'))
      const after = linesOf(applied(nowOf(story), rows))
      expect(after.filter((line) => story.wrote.has(line) && !isPersons(story.wrote.get(line)))).toEqual([])
      const expected = [...linesOf(then), ...[...story.wrote].flatMap(([line, author]) => (isPersons(author) ? [line] : []))].filter((line) => !isPersons(story.took.get(line)))
      // A file that the person deleted stays so, with all that others took from it before.
      if (!deletesFile(story)) expect([...after].sort()).toEqual(expected.sort())
    }),
    { numRuns: 150 },
  )
})

test('R76 property: one call taken back alone leaves every change that came after it', () => {
  fc.assert(
    fc.property(stories, fc.nat(6), (story, pick) => {
      const at = pick % story.moments.length
      const [now, { rows }] = [nowOf(story), wholePlan(inputForOne(then, story.moments, at))]
      const [own, after] = [story.moments[at]?.disk ?? then, new Set(linesOf(applied(now, rows)))]
      const [atItsEnd, present] = [new Set(linesOf(own)), new Set(linesOf(now))]
      for (const line of present) if (!atItsEnd.has(line)) expect(after).toContain(line)
      for (const line of atItsEnd) if (!present.has(line)) expect(after).not.toContain(line)
    }),
    { numRuns: 150 },
  )
})

test('R78 property: the undo of a rollback gives the bytes back, and keeps what was written since elsewhere', () => {
  fc.assert(
    fc.property(stories, fc.boolean(), (story, keepUserEdits) => {
      const now = nowOf(story)
      const rolled = applied(now, wholePlan(inputFor(then, story.moments, { keepUserEdits })).rows)
      const moments: readonly Moment[] = [...story.moments, { author: 'you', kind: 'after-rollback', disk: rolled }]
      const undo = wholePlan(inputForOne(then, moments, moments.length - 1))
      expect(applied(rolled, undo.rows)).toEqual(now)
      const later = { ...rolled, 'only mine': 'x\n' }
      const kept = wholePlan(inputForOne(then, [...moments, { author: 'you', disk: later }], moments.length - 1))
      expect(applied(later, kept.rows)).toEqual({ ...now, 'only mine': 'x\n' })
    }),
  )
})
