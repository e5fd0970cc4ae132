import { chmodSync, closeSync, existsSync, linkSync, lstatSync, mkdirSync, openSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { defaultBounds } from '../../../../src/main/adapters/git/scan/limits'
import { noFlags } from '../../../../src/main/adapters/git/scan/scanFlags'
import { watchLimits, type WatchLimits } from '../../../../src/main/adapters/git/scan/watchLimits'
import { SideStore } from '../../../../src/main/adapters/git/sideStore'
import { change, happen, type Change } from '../../../support/projectChanges'
import { fsck, makeScratch, openStore, scan as scanAll, valueOf, type Scratch } from '../../../support/sideRepository'

let scratch: Scratch
/** In a folder of the scratch's project, so that the folder above it can be another. */
let root: string
let opened: SideStore[]

beforeEach(() => {
  scratch = makeScratch()
  root = join(scratch.project, 'root')
  mkdirSync(root)
  opened = []
})

afterEach(async () => {
  for (const store of opened) await store.close()
  for (const folder of [join(scratch.data, 'hears'), scratch.store]) if (existsSync(folder)) fsck(folder)
  scratch.remove()
})

const at = (name: string): string => join(root, name)

function write(name: string, text: string): void {
  mkdirSync(join(at(name), '..'), { recursive: true })
  writeFileSync(at(name), text)
}

/** A store in this very thread: watches belong to a thread's loop. */
function storeNamed(name: string, limits: Partial<WatchLimits> = {}): SideStore {
  const start = { folder: join(scratch.data, name), root, cacheFile: join(scratch.data, `${name}.db`), exclude: [], bounds: defaultBounds }
  const store = new SideStore(start, { ...watchLimits(root), leastFiles: 0, tokenMs: 2000, ...limits })
  opened.push(store)
  return store
}

/** Near no path: hints may be used. Null looks at everything. */
async function scan(store: SideStore, near: readonly string[] | null): Promise<string> {
  const { tree, side } = valueOf(await store.scan(noFlags(), () => undefined, near))
  return `${tree} ${side}`
}

/** What is read within a tick of its last change is read again; after this that is over. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 30))

async function hearing(limits: Partial<WatchLimits> = {}): Promise<SideStore> {
  await settle()
  const store = storeNamed('hears', limits)
  await scan(store, null)
  while (store.watch());
  await scan(store, null)
  return store
}

/** A write through a link from outside makes no event in the project: whether it is found says whether everything was looked at. */
async function looksAtAll(store: SideStore, near: readonly string[] | null = []): Promise<boolean> {
  await settle()
  await scan(store, null)
  await settle()
  const before = await scan(store, [])
  writeFileSync(join(scratch.top, 'outside'), `${Math.random()}`)
  return (await scan(store, near)) !== before
}

function linkOutside(): void {
  write('linked/inside', '')
  linkSync(at('linked/inside'), join(scratch.top, 'outside'))
}

test('R74 what no event tells of is found by the next scan that looks at everything, and at once on a path that is asked for', async () => {
  linkOutside()
  write('elsewhere/file', 'x')
  const store = await hearing()
  const seen = {
    'told of nothing': await looksAtAll(store),
    'asked for another path': await looksAtAll(store, ['elsewhere/file']),
    'asked for the path': await looksAtAll(store, ['linked/inside']),
    'asked for its folder': await looksAtAll(store, ['linked']),
    'asked for the project': await looksAtAll(store, ['']),
    'asked for everything': await looksAtAll(store, null),
  }
  expect(seen).toEqual({ 'told of nothing': false, 'asked for another path': false, 'asked for the path': true, 'asked for its folder': true, 'asked for the project': true, 'asked for everything': true })
})

test.each<[string, Partial<WatchLimits>]>([
  ['watching is not possible', { isPossible: false }],
  ['there are few files', { leastFiles: 1000 }],
  ['there are more folders than may be watched', { mostFolders: 2 }],
  ['any event may be the last of a full queue', { mostEvents: 1 }],
])('R74 everything is looked at where %s', async (_, limits) => {
  linkOutside()
  write('a/b/c', 'x')
  expect(await looksAtAll(await hearing(limits))).toBe(true)
})

test('R74 everything is looked at before the watches are set, and once after', async () => {
  linkOutside()
  const store = storeNamed('hears')
  await scan(store, null)
  const before = await looksAtAll(store)
  for (let i = 0; i < 300; i++) write(`folders/d${i}/f`, '')
  await settle()
  await scan(store, null)
  store.watch()
  const amid = await looksAtAll(store)
  while (store.watch());
  await settle()
  writeFileSync(join(scratch.top, 'outside'), 'while they were set')
  const first = await scan(store, [])
  expect({ before, amid, isSame: first === (await scan(storeNamed('looks'), null)), after: await looksAtAll(store) }).toEqual({ before: true, amid: true, isSame: true, after: false })
})

test('R74 more events than the queue may hold make the next scan look at everything, and the one after it hears again', async () => {
  linkOutside()
  const store = await hearing({ mostEvents: 200 })
  const looks = storeNamed('looks')
  for (let i = 0; i < 300; i++) write(`many/f${i}`, `${i}`)
  writeFileSync(join(scratch.top, 'outside'), 'not told')
  const [heard, all] = [await scan(store, []), await scan(looks, null)]
  expect({ isSame: heard === all, after: await looksAtAll(store) }).toEqual({ isSame: true, after: false })
})

/** More events than the system keeps, one after the other different, while nobody reads them. */
function fillQueue(): void {
  write('full/a', '')
  write('full/b', '')
  const most = watchLimits(root).mostEvents * 4 + 1000
  for (let i = 0; i < most; i++) chmodSync(at(i % 2 === 0 ? 'full/a' : 'full/b'), i % 4 < 2 ? 0o600 : 0o644)
}

test.each([
  ['at once', 0, { mostEvents: Infinity, tokenMs: 300 }],
  ['when the queue is empty again', 50, {}],
])('R74 what was lost at the end of a full queue is found by a scan asked for %s', async (_, waitMs, limits) => {
  write('full/a', '')
  write('later/file', 'before')
  const [store, looks] = [await hearing(limits), storeNamed('looks')]
  const before = await scan(store, [])
  fillQueue()
  write('later/file', 'after')
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
  const [heard, all] = [await scan(store, []), await scan(looks, null)]
  expect({ isSame: heard === all, isNew: heard !== before }).toEqual({ isSame: true, isNew: true })
})

test('R74 the thread of a store begins to hear when it is quiet', async () => {
  linkOutside()
  for (let i = 0; i < 5000; i++) write(`d${i % 500}/f${i}`, `${i}`)
  const store = await openStore(scratch)
  onTestFinished(() => store.close())
  await scanAll(store)
  const near = async (): Promise<string> => valueOf(await store.scan(new AbortController().signal, { near: [] })).tree
  const hears = async (): Promise<boolean> => {
    await scanAll(store)
    await settle()
    const before = await near()
    writeFileSync(join(scratch.top, 'outside'), `${Math.random()}`)
    return (await near()) === before && (await scanAll(store)).tree !== before
  }
  const atFirst = await hears()
  let later = false
  // Each question begins the quiet anew.
  for (let time = 0; time < 5 && !later; time++) {
    await new Promise((resolve) => setTimeout(resolve, 2500))
    later = await hears()
  }
  expect({ atFirst, later }).toEqual({ atFirst: false, later: true })
})

/** Each step with what hints would get wrong that take a watcher's word too lightly. */
const steps: Readonly<Record<string, () => void>> = {
  'new folders with 500 files at once': () => {
    for (let i = 0; i < 500; i++) write(`new/chain/of/f${i}`, `x${i}`)
  },
  'a folder renamed': () => renameSync(at('d1'), at('moved')),
  'a file written under it': () => write('moved/deep/er/late', 'late'),
  'a folder made under it': () => write('moved/deep/er/new/in', 'in'),
  'same size, old time put back': () => {
    const { atime, mtime } = lstatSync(at('d2/deep/er/f0'))
    writeFileSync(at('d2/deep/er/f0'), 'y'.repeat(lstatSync(at('d2/deep/er/f0')).size))
    utimesSync(at('d2/deep/er/f0'), atime, mtime)
  },
  'a file made a program': () => chmodSync(at('d2/deep/er/f1'), 0o755),
  'a folder that only its owner enters': () => chmodSync(at('d2/deep'), 0o700),
  'a file becomes a folder': () => {
    rmSync(at('d2/f'))
    write('d2/f/in/side', 'in')
  },
  'and a file again': () => {
    rmSync(at('d2/f'), { recursive: true })
    write('d2/f', 'file')
  },
  'a folder replaced by one with the same names': () => {
    renameSync(at('d3'), join(scratch.top, 'away'))
    for (let i = 0; i < 10; i++) write(`d3/deep/er/f${i}`, 'other')
  },
  'a file written deep in it': () => write('d3/deep/er/f3', 'again'),
  'what went away comes back under another name': () => renameSync(join(scratch.top, 'away'), at('back')),
  'and is written to': () => write('back/deep/er/f4', 'back'),
  'an empty folder': () => mkdirSync(at('empty')),
  'a link': () => symlinkSync('d2', at('link')),
  'an ignore file deep down': () => write('moved/.gitignore', 'late\n'),
  'the same ignore file gone': () => rmSync(at('moved/.gitignore')),
  'a folder that can be made again': () => write('back/CACHEDIR.TAG', 'Signature: 8a477f597d28d172789f06886806bc55\n'),
  'and is none any more': () => rmSync(at('back/CACHEDIR.TAG')),
  'a file that was open before it was moved': () => {
    const fd = openSync(at('d2/deep/er/f2'), 'r+')
    mkdirSync(at('d4/to'))
    renameSync(at('d2/deep/er/f2'), at('d4/to/f2'))
    writeSync(fd, 'written after the move')
    closeSync(fd)
  },
  'the project itself replaced': () => {
    renameSync(root, join(scratch.top, 'old'))
    for (let i = 0; i < 10; i++) write(`d4/deep/er/f${i}`, 'other project')
  },
  'what is above the project replaced': () => {
    renameSync(scratch.project, join(scratch.top, 'older'))
    for (let i = 0; i < 10; i++) write(`d4/deep/er/f${i}`, 'one more project')
  },
  'and written to': () => write('d4/deep/er/f1', 'written'),
  'all removed': () => rmSync(at('d4'), { recursive: true }),
}

test('R74 with hints each step of structural change gives the tree of a scan that looks at everything', async () => {
  for (let folder = 1; folder <= 4; folder++) for (let i = 0; i < 10; i++) write(`d${folder}/deep/er/f${i}`, `content ${folder} ${i}`)
  write('d2/f', 'file')
  const [store, looks] = [await hearing(), storeNamed('looks')]
  await scan(looks, null)
  const wrong: string[] = []
  for (const [name, step] of Object.entries(steps)) {
    step()
    if ((await scan(store, [])) !== (await scan(looks, null))) wrong.push(name)
    // What changed just now is looked at in any case: here the watches are to tell.
    await settle()
    await scan(store, [])
  }
  expect(wrong).toEqual([])
}, 60_000)

const burst = fc.array(change, { minLength: 1, maxLength: 8 })
/** What is done after each: a scan by hints, one of everything, or time in which watches are set. */
const then = fc.constantFrom('hints' as const, 'hints' as const, 'hints' as const, 'all' as const, 'quiet' as const)

test('R74 whatever happens, a scan by hints gives the tree of a scan that looks at everything', async () => {
  let byHints = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(burst, then), { minLength: 3, maxLength: 10 }), fc.constantFrom(20, 1000), async (bursts: readonly (readonly [readonly Change[], 'hints' | 'all' | 'quiet'])[], mostEvents) => {
      for (const store of opened) await store.close()
      opened = []
      for (const name of ['project', 'data']) rmSync(join(scratch.top, name), { recursive: true, force: true })
      for (const name of ['project/root', 'data']) mkdirSync(join(scratch.top, name), { recursive: true })
      for (let i = 0; i < 5; i++) write(`a/b.txt/d e/f${i}`, `${i}`)
      rmSync(join(scratch.top, 'outside'), { force: true })
      linkOutside()
      const [store, looks] = [await hearing({ mostEvents }), storeNamed('looks')]
      await scan(looks, null)
      for (const [changes, what] of bursts) {
        for (const one of changes) happen(root, one)
        if (what === 'quiet') while (store.watch());
        expect(await scan(store, what === 'all' ? null : [])).toBe(await scan(looks, null))
      }
      if (!(await looksAtAll(store))) byHints++
    }),
    { numRuns: 25 },
  )
  expect(byHints).toBeGreaterThan(12)
}, 120_000)
