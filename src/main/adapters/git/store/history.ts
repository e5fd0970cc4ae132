import * as fs from 'node:fs'
import { join } from 'node:path'
import { hexOf, rawOf, type RawId } from './gitObjects'
import { ObjectMissing } from './heldDiff'
import type { ObjectStore } from './objectStore'
import { mainRef } from './storeFiles'

/** Keeps the side lists reachable, so that no cleaning by plain git takes them for rubbish. */
export const sideRef = 'refs/countersign/side'
/** Snapshots that the branch no longer leads to, because what came after them was forgotten. */
export const keptRefs = 'refs/countersign/kept/'

/** A commit as far as the store cares. */
export interface CommitLine {
  readonly id: RawId
  readonly tree: RawId
  readonly parents: readonly RawId[]
  /** The list beside the tree; null in a commit that names none. */
  readonly side: RawId | null
}

/** Reads what a commit object says. */
export function parseCommit(id: RawId, body: Buffer): CommitLine {
  const text = body.toString('latin1')
  const tree = /^tree ([0-9a-f]{40})$/m.exec(text)?.[1]
  if (tree === undefined) throw new Error(`commit ${hexOf(id)} is damaged`)
  const head = text.slice(0, text.indexOf('\n\n'))
  const side = /^Countersign-Side: ([0-9a-f]{40})$/m.exec(text)?.[1]
  return { id, tree: rawOf(tree), parents: [...head.matchAll(/^parent ([0-9a-f]{40})$/gm)].map(([, parent = '']) => rawOf(parent)), side: side === undefined ? null : rawOf(side) }
}

/** Null when the store does not have it. */
export function commitOf(objects: ObjectStore, id: RawId): CommitLine | null {
  const object = objects.read(id)
  return object?.type === 'commit' ? parseCommit(id, object.body) : null
}

/** Every name of the store and what it points to; names in a folder of their own win over those in `packed-refs`. */
export function readRefs(folder: string): Map<string, RawId> {
  const refs = new Map<string, RawId>()
  for (const line of readText(join(folder, 'packed-refs')).split('\n')) {
    const [, hex = '', name = ''] = /^([0-9a-f]{40}) (\S+)$/.exec(line) ?? []
    if (name !== '') refs.set(name, rawOf(hex))
  }
  for (const name of filesBelow(folder, 'refs')) {
    const hex = readText(join(folder, name)).trim()
    if (/^[0-9a-f]{40}$/.test(hex)) refs.set(name, rawOf(hex))
  }
  return refs
}

/** The commits from one on towards the first, as far as they are there. Throws at one that stands in `expected` and is not there. */
export function* commitsFrom(objects: ObjectStore, tip: RawId, seen: Set<RawId>, expected?: ReadonlySet<RawId>): Generator<CommitLine> {
  const open = [tip]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue
    seen.add(id)
    const commit = commitOf(objects, id)
    if (!commit && expected?.has(id)) throw new ObjectMissing(id)
    if (!commit) continue
    yield commit
    open.push(...commit.parents)
  }
}

/** All snapshots, the newest first: those the branch leads to, then those kept beside it. */
export function* snapshotsOf(objects: ObjectStore, refs: ReadonlyMap<string, RawId>): Generator<CommitLine> {
  const seen = new Set<RawId>()
  const tips = [refs.get(mainRef), ...[...refs].filter(([name]) => name.startsWith(keptRefs)).map(([, id]) => id)]
  for (const tip of tips) if (tip !== undefined) yield* commitsFrom(objects, tip, seen)
}

function filesBelow(folder: string, name: string): string[] {
  return fs.readdirSync(join(folder, name), { withFileTypes: true }).flatMap((entry) => {
    const path = `${name}/${entry.name}`
    if (entry.isDirectory()) return filesBelow(folder, path)
    return entry.isFile() && !/\.lock$|^tmp_/.test(entry.name) ? [path] : []
  })
}

function readText(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
