import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { PackReport, SnapshotStore } from '../../src/main/core/ports/snapshotStore'
import type { HeldFiles } from '../../src/shared/domain/snapshot'
import { git, picture, restoreTo, scan, valueOf, type Scratch } from './sideRepository'

/** A snapshot with its commit and what the disk showed when it was taken. */
export interface Moment extends HeldFiles {
  readonly commit: string
  readonly picture: Record<string, string>
}

let count = 0

/** Scans and commits. */
export async function take(store: SnapshotStore, scratch: Scratch): Promise<Moment> {
  const { tree, side } = await scan(store)
  const facts = { snapshotId: `s${++count}`, kind: 'after-call', author: 'agent', callId: null, audit: { chain: 'a'.repeat(64), entries: count }, atMs: 1_700_000_000_000 + count * 1000 }
  return { tree, side, commit: valueOf(await store.commit({ tree, side }, facts)), picture: picture(scratch.project) }
}

export async function pack(store: SnapshotStore): Promise<PackReport> {
  return valueOf(await store.pack(new AbortController().signal))
}

export async function forget(store: SnapshotStore, kept: readonly Moment[]): Promise<PackReport> {
  return valueOf(await store.forget(kept.map(({ commit }) => commit), new AbortController().signal))
}

/** Restores each moment in turn; gives the commits whose files did not come back as they were. */
export async function notRestored(store: SnapshotStore, scratch: Scratch, moments: readonly Moment[]): Promise<readonly string[]> {
  const wrong: string[] = []
  for (const moment of moments) {
    const failed = await restoreTo(store, moment)
    const isSame = JSON.stringify(picture(scratch.project)) === JSON.stringify(moment.picture)
    if (Object.keys(failed).length > 0 || !isSame) wrong.push(moment.commit)
  }
  return wrong
}

/** What lies in a store: packs by name, and how many objects have a file of their own. */
export function layout(store: string): { readonly packs: readonly string[]; readonly loose: number } {
  const objects = join(store, 'objects')
  const packs = readdirSync(join(objects, 'pack')).filter((name) => name.endsWith('.pack'))
  const loose = readdirSync(objects).filter((name) => /^[0-9a-f]{2}$/.test(name)).flatMap((name) => readdirSync(join(objects, name)))
  return { packs: packs.sort(), loose: loose.length }
}

/** The longest chain of deltas in a store's packs, by plain git; and how many objects are deltas. */
export function deltas(store: string): { readonly longest: number; readonly count: number } {
  const depths = layout(store).packs.flatMap((name) => {
    const lines = git(['verify-pack', '-v', join(store, 'objects', 'pack', name)]).split('\n')
    return lines.flatMap((line) => (/^[0-9a-f]{40} \w+ +\d+ \d+ \d+ (\d+) [0-9a-f]{40}$/.exec(line)?.[1] ?? []))
  })
  return { longest: Math.max(0, ...depths.map(Number)), count: depths.length }
}

/** Whether plain git finds an object. */
export function isStored(store: string, id: string): boolean {
  return git(['--git-dir', store, 'cat-file', '--batch-check'], {}, undefined, `${id}\n`) !== `${id} missing`
}
