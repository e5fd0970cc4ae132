import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkspaceFs } from '../../../../src/main/adapters/fs/workspaceFs'
import { makeTextSearch } from '../../../../src/main/adapters/search/textSearch'
import { judgePath } from '../../../../src/main/core/policy/pathGuard'
import type { PathUse, WorkspaceFs } from '../../../../src/main/core/ports/workspaceFs'
import { confirmed, insideNames } from '../../../../src/main/core/tools/confirmHits'
import { actingHere, type Root } from '../../../../src/main/native/safeFolder'
import { chmodNow, fenceOf, makeFolderNow, openRoot, readFileNow, removeFileNow, writeFileNow, writeLinkNow } from '../../../../src/main/native/safePath'
import type { Result } from '../../../../src/shared/domain/result'
import { bundleForNode } from '../../../support/bundleForNode'
import { makePathWorld, portrait, type PathWorld } from '../../../support/pathWorld'

const never = new AbortController().signal
let child = ''

beforeAll(async () => {
  child = await bundleForNode(join(import.meta.dirname, '../../../support/children/pathSwapper.ts'))
})

afterAll(() => {
  rmSync(join(child, '..'), { recursive: true, force: true })
})

/** An outside folder with the names that are asked for inside: whatever gets there finds something. */
function fillOutside(world: PathWorld): void {
  for (const folder of ['', 'sub', 'sub/d1', 'd0', 'd1', 'app']) mkdirSync(join(world.outside, folder), { recursive: true })
  writeFileSync(join(world.outside, 'linked'), 'LINKED')
  for (const file of ['f', 'g', 'sub/f', 'sub/g', 'd0/f', 'd1/f', 'd1/g', 'sub/d1/f', 'outer.txt']) writeFileSync(join(world.outside, file), `OUTSIDE ${file}`)
}

const name = fc.constantFrom('d0', 'd1', 'd2', 'f', 'g', 'n', 'm')
const way = fc.array(fc.oneof({ arbitrary: name, weight: 6 }, { arbitrary: fc.constantFrom('..', '.'), weight: 1 }), { minLength: 1, maxLength: 4 }).map((names) => names.join('/'))
const plainWay = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'))
/** What a tree begins with; later steps that no longer fit are passed over. */
const planted = fc.array(
  fc.record({ what: fc.constantFrom('folder', 'file', 'link', 'far-link', 'hard-link' as const), at: plainWay, to: plainWay }),
  { maxLength: 14 },
)
const step = fc.record({ kind: fc.constantFrom('read', 'read', 'write', 'create', 'mkdir', 'delete', 'rename', 'list', 'restore', 'remove-now', 'chmod-now', 'link-now', 'folder-now', 'read-now' as const), path: way, to: way })
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

function plant(world: PathWorld, { what, at, to }: { readonly what: string; readonly at: string; readonly to: string }): void {
  const place = join(world.root, at)
  try {
    if (what === 'folder') mkdirSync(place, { recursive: true })
    else if (what === 'file') writeFileSync(place, 'inside', { flag: 'wx' })
    else if (what === 'link') symlinkSync(join(world.root, to), place)
    // A link right below the project: a later step never goes through it.
    else if (at.includes('/')) return
    else if (what === 'far-link') symlinkSync(join(world.outside, to), place)
    else linkSync(join(world.outside, 'linked'), place)
  } catch {
    // It does not fit into this tree.
  }
}

interface Found {
  /** What was given back of contents and names. */
  readonly texts: string[]
  readonly answers: Map<string, number>
}

async function act(one: Step, { fs, root, judge }: { readonly fs: WorkspaceFs; readonly root: Root; readonly judge: (facts: Awaited<ReturnType<WorkspaceFs['locate']>>, use: PathUse) => string }, found: Found): Promise<void> {
  const bytes = Buffer.from('written')
  const loose = { durable: false } as const
  const note = (done: Result<unknown>): void => void found.answers.set(done.ok ? 'done' : done.fault.code, (found.answers.get(done.ok ? 'done' : done.fault.code) ?? 0) + 1)
  const text = (content: Result<{ readonly bytes: Uint8Array }>): void => {
    if (content.ok) found.texts.push(Buffer.from(content.value.bytes).toString('utf8'))
    note(content)
  }
  // What a restore compares with may have a second name: the file is in the project all the same.
  const textOfPlace = (content: Result<{ readonly bytes: Uint8Array }>): void => {
    if (!content.ok || Buffer.from(content.value.bytes).toString('utf8') !== 'LINKED') text(content)
  }
  switch (one.kind) {
    case 'read-now': return textOfPlace(readFileNow(root, one.path, 1000))
    case 'restore': return note(writeFileNow(root, one.path, bytes, { ...loose, mode: 0o600 }))
    case 'remove-now': return note(removeFileNow(root, one.path, loose))
    case 'chmod-now': return note(chmodNow(root, one.path, 0o711))
    case 'link-now': return note(writeLinkNow(root, one.path, 'nowhere', loose))
    case 'folder-now': return note(makeFolderNow(root, one.path, { mode: 0o711, durable: false }))
    default:
  }
  const facts = await fs.locate(one.path, one.kind)
  if (judge(facts, one.kind) !== 'allowable') return
  if (one.kind === 'read') return text(await fs.read(facts, 1000))
  if (one.kind === 'mkdir') return note(await fs.makeFolder(facts))
  if (one.kind === 'delete') return note(await fs.remove(facts, null))
  if (one.kind === 'list') {
    const listed = await fs.list(facts)
    if (listed.ok) found.texts.push(...listed.value.map((entry) => entry.name))
    return note(listed)
  }
  if (one.kind === 'rename') {
    const to = await fs.locate(one.to, 'rename')
    return judge(to, 'rename') === 'allowable' ? note(await fs.move(facts, to)) : undefined
  }
  const base = facts.kind === 'file' ? await fs.read(facts, 1000) : null
  if (base) text(base)
  note(await fs.write(facts, bytes, base?.ok ? base.value.hash : null))
}

interface Swapping {
  readonly world: PathWorld
  readonly root: Root
  readonly fs: WorkspaceFs
  readonly judge: (facts: Awaited<ReturnType<WorkspaceFs['locate']>>, use: PathUse) => string
}

/** Does something while another process swaps; gives how often it did, and whether the outside is as it was. */
async function whileSwapping(seed: number, prepare: (world: PathWorld) => void, work: (swapping: Swapping) => Promise<void>): Promise<{ readonly swaps: number; readonly isUntouched: boolean }> {
  const world = makePathWorld()
  try {
    fillOutside(world)
    for (const folder of ['d0', 'd1', 'd2/d1']) mkdirSync(join(world.root, folder), { recursive: true })
    for (const file of ['d0/f', 'd0/g', 'd1/f', 'd2/g', 'd2/d1/f']) writeFileSync(join(world.root, file), 'inside')
    prepare(world)
    const before = portrait(world.dir, world.root)
    const root = openRoot(world.root)
    if (!root.ok) throw new Error(root.fault.code)
    const fence = fenceOf(root.value, world.home, world.appData)
    const swapper = spawn(process.execPath, [child, world.root, world.outside, String(seed)], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(swapper, 'exit')
    let said = ''
    swapper.stdout.on('data', (piece: Buffer) => (said += piece.toString()))
    await once(swapper.stdout, 'data')
    try {
      await work({ world, root: root.value, fs: openWorkspaceFs(root.value, { guarded: [world.appData] }), judge: (facts, use) => judgePath(facts, use, fence).kind })
    } finally {
      swapper.kill('SIGTERM')
      await ended
    }
    return { swaps: Number(said.split('\n')[1]), isUntouched: portrait(world.dir, world.root) === before }
  } finally {
    world.remove()
  }
}

test.runIf(actingHere() === 'descriptor')('R65: in random trees whose folders and files are swapped for links thousands of times a second, nothing outside is read, listed, written or changed', { timeout: 120_000 }, async () => {
  const answers = new Map<string, number>()
  let swaps = 0
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 2 ** 30 }), planted, fc.array(step, { minLength: 60, maxLength: 160 }), async (seed, trees, steps) => {
      const found: Found = { texts: [], answers }
      const done = await whileSwapping(seed, (world) => trees.forEach((tree) => plant(world, tree)), async (swapping) => {
        for (const one of steps) await act(one, swapping, found)
      })
      swaps += done.swaps
      expect(found.texts.filter((text) => /^(?:OUTSIDE|LINKED|outer\.txt)/u.test(text))).toEqual([])
      expect(done.isUntouched).toBe(true)
    }),
    { numRuns: 12, endOnFailure: true },
  )
  // That there was a race at all: it was won and lost, and the swaps were many.
  expect([(answers.get('done') ?? 0) > 100, (answers.get('path.moved') ?? 0) > 10, swaps > 1000]).toEqual([true, true, true])
})

test.runIf(actingHere() === 'descriptor').each([['ripgrep', undefined], ['the own walk', () => Promise.resolve(null)]] as const)('R65: a search by %s shows nothing of outside while folders are swapped', { timeout: 120_000 }, async (_, find) => {
  const search = makeTextSearch(find)
  const shown: string[] = []
  const raw: string[] = []
  const done = await whileSwapping(7, () => undefined, async ({ root, fs, judge }) => {
    const context = { fs, judgePath: (facts: Parameters<typeof judge>[0], use: PathUse) => ({ kind: judge(facts, use) }) } as Parameters<typeof confirmed>[2]
    for (let n = 0; n < 60; n += 1) {
      const facts = await fs.locate(['d0', 'd1', '.', 'd2/d1'][n % 4] ?? '.', 'read')
      if (facts.relative === null || facts.kind !== 'folder') continue
      const hits = await search.text({ root: root.path, pattern: 'OUTSIDE|LINKED|inside', isLiteral: false, ignoreCase: false, under: facts.realPath, maxHits: 500, exclude: [] }, never)
      if (hits.ok) {
        raw.push(...hits.value.hits.map((hit) => hit.text))
        shown.push(...(await confirmed(hits.value.hits, null, context)).map((hit) => hit.text))
      }
      const files = await search.files({ root: root.path, under: facts.realPath, glob: '*', max: 500 }, never)
      if (files.ok) shown.push(...(await insideNames(files.value.paths, context)).filter((path) => path.endsWith('outer.txt')))
    }
  })
  expect([shown.filter((text) => text !== 'inside'), done.isUntouched, raw.length > 0]).toEqual([[], true, true])
})
