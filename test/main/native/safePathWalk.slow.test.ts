import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync, existsSync, lstatSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PathFacts, PathUse } from '../../../src/main/core/ports/workspaceFs'
import { runLater, runNow } from '../../../src/main/native/diskSteps'
import { openRoot } from '../../../src/main/native/safePath'
import { locate } from '../../../src/main/native/safePathWalk'

let base: string
let count = 0

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'walk-')))
})

afterAll(() => {
  rmSync(base, { recursive: true, force: true })
})

interface Entry {
  readonly at: readonly string[]
  readonly kind: 'file' | 'folder' | 'link'
  readonly to: string
}

const name = fc.constantFrom('a', 'b', 'c')
const step = fc.constantFrom('a', 'b', 'c', '..', '.', 'out', 'app')
const target = fc.oneof(
  { weight: 4, arbitrary: fc.array(step, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/')) },
  { weight: 1, arbitrary: fc.array(step, { minLength: 1, maxLength: 3 }).map((parts) => `@/${parts.join('/')}`) },
)
const entry: fc.Arbitrary<Entry> = fc.record({
  at: fc.tuple(fc.constantFrom('app', 'app', 'app', 'out'), fc.array(name, { minLength: 1, maxLength: 3 })).map(([top, names]) => [top, ...names]),
  kind: fc.constantFrom('file', 'folder', 'link', 'link'),
  to: target,
})
const asked = fc.tuple(fc.constantFrom('', '', '@/app/', '@/'), fc.array(step, { minLength: 1, maxLength: 6 }), fc.constantFrom('', '', '/')).map((parts) => parts[0] + parts[1].join('/') + parts[2])

/** Makes a random world; entries that do not fit over earlier ones are left out. */
function makeWorld(entries: readonly Entry[]): string {
  count += 1
  const dir = join(base, String(count))
  mkdirSync(join(dir, 'app'), { recursive: true })
  mkdirSync(join(dir, 'out'))
  for (const { at, kind, to } of entries) {
    const path = join(dir, ...at)
    const parent = dirname(path)
    // Only real folders are built in; what lies behind a link is reached through it.
    if (!existsSync(parent)) mkdirSync(parent, { recursive: true })
    if (realpathSync(parent) !== parent || !statSync(parent).isDirectory() || lstatSync(path, { throwIfNoEntry: false })) continue
    if (kind === 'folder') mkdirSync(path)
    else if (kind === 'file') writeFileSync(path, 'x')
    else symlinkSync(to.replace('@', dir), path)
  }
  return dir
}

function safely(make: () => string): string {
  try {
    return make()
  } catch {
    return ''
  }
}

function facts(dir: string, path: string, use: PathUse): PathFacts {
  const root = openRoot(join(dir, 'app'))
  if (!root.ok) throw new Error(root.fault.code)
  return runNow(locate(root.value, path.replace('@', dir), use))
}

/** Where the system itself ends up; '' when nowhere. The walk's `..` after a link goes by the target, as the system's does. */
function bySystem(dir: string, path: string): string {
  const full = path.startsWith('@') ? path.replace('@', dir) : `${dir}/app/${path}`
  return safely(() => realpathSync.native(full))
}

function isInside(dir: string, path: string): boolean {
  return path === join(dir, 'app') || path.startsWith(join(dir, 'app/'))
}

test('R65: in any tree of links, the place found is the one the system ends up at, and said to be inside only there', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 14 }), fc.array(asked, { minLength: 1, maxLength: 8 }), (entries, paths) => {
      const dir = safely(() => makeWorld(entries))
      fc.pre(dir !== '')
      for (const path of paths) {
        const found = facts(dir, path, 'read')
        const real = bySystem(dir, path)
        if (found.problem !== null) expect([path, found.relative]).toEqual([path, null])
        else if (found.kind !== 'missing') expect([path, found.realPath, found.relative !== null]).toEqual([path, realpathSync.native(found.realPath), isInside(dir, found.realPath)])
        // A slash after a file is no folder for the system; the file itself is meant.
        if (real !== '') expect([path, found.problem, found.realPath]).toEqual([path, null, real])
      }
      rmSync(dir, { recursive: true, force: true })
    }),
    { numRuns: 250 },
  )
})

test('R65: what is written by the system at a path lands where the walk said, or the walk had a problem with it', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 14 }), asked, (entries, path) => {
      const dir = safely(() => makeWorld(entries))
      fc.pre(dir !== '')
      const found = facts(dir, path, 'create')
      const full = path.startsWith('@') ? path.replace('@', dir) : `${dir}/app/${path}`
      const landed = safely(() => {
        writeFileSync(full, 'written')
        return realpathSync.native(full)
      })
      if (landed !== '') expect([path, found.problem, found.realPath, found.relative !== null]).toEqual([path, null, landed, isInside(dir, landed)])
      rmSync(dir, { recursive: true, force: true })
    }),
    { numRuns: 250 },
  )
})

test('R65: delete and rename name the link itself, everything before it is followed', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 14 }), asked, fc.constantFrom<PathUse>('delete', 'rename'), (entries, path, use) => {
      const dir = safely(() => makeWorld(entries))
      fc.pre(dir !== '')
      const found = facts(dir, path, use)
      if (found.problem === null && found.kind !== 'missing') {
        expect(realpathSync.native(dirname(found.realPath))).toBe(dirname(found.realPath))
        expect(lstatSync(found.realPath).isSymbolicLink()).toBe(found.kind === 'link')
      }
      rmSync(dir, { recursive: true, force: true })
    }),
    { numRuns: 150 },
  )
})

test('R65: both ways of running the walk say the same', async () => {
  const dir = makeWorld([{ at: ['app', 'a'], kind: 'folder', to: '' }, { at: ['app', 'b'], kind: 'link', to: '@/out' }, { at: ['out', 'c'], kind: 'file', to: '' }])
  const root = openRoot(join(dir, 'app'))
  if (!root.ok) throw new Error(root.fault.code)
  for (const path of ['a', 'b/c', 'a/x/y', 'a/../b', 'none/../a', '/dev/null']) {
    expect(await runLater(locate(root.value, path, 'read'))).toEqual(runNow(locate(root.value, path, 'read')))
  }
})
