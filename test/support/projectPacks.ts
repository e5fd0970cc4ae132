import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import type { SnapshotStore, TakenTree } from '../../src/main/core/ports/snapshotStore'
import { fsck, git, makeScratch, openStore, picture, restoreTo, scan, valueOf, type Scratch } from './sideRepository'

/** Of the test that runs. */
export let scratch: Scratch

/** Another project within a test. */
export function anew(): void {
  scratch.remove()
  scratch = makeScratch()
}

/** A project and a store of its own for each test of a file. */
export function eachInScratch(): void {
  beforeEach(() => {
    scratch = makeScratch()
  })
  afterEach(() => scratch.remove())
}

export const at = (name: string): string => join(scratch.project, name)
export const inProject = (...args: readonly string[]): string => git(args, {}, scratch.project)
export const facts = { snapshotId: 's', kind: 'manual', author: null, callId: null, audit: null, atMs: 1 }

export function write(name: string, text: string | Buffer): void {
  fs.mkdirSync(join(at(name), '..'), { recursive: true })
  fs.writeFileSync(at(name), text)
}

/** Compresses to half, and is like nothing else. */
export function content(i: number | string, lines = 8): string {
  return Array.from({ length: lines }, (_, line) => `${createHash('sha512').update(`${i}/${line}`).digest('hex')}\n`).join('')
}

export function fill(files = 300): void {
  for (let i = 0; i < files; i++) write(`d${i % 20}/f${i}.txt`, content(i))
}

/** A repository with everything packed. Without `pack` its objects stay loose. */
export function commitAll(pack = true): void {
  inProject('init', '-q')
  inProject('config', 'gc.auto', '0')
  inProject('add', '-A')
  inProject('commit', '-qm', 'all')
  if (pack) inProject('gc', '-q')
}

export function packFilesOf(folder: string, ending: string): string[] {
  return fs.readdirSync(folder).filter((name) => name.endsWith(ending)).map((name) => join(folder, name))
}

export const storePacks = (): string => join(scratch.store, 'objects/pack')
export const projectPacks = (): string => join(scratch.project, '.git/objects/pack')

export function packedBytes(): number {
  return packFilesOf(storePacks(), '.pack').reduce((sum, file) => sum + fs.statSync(file).size, 0)
}

/** The same files in a place that is no repository: what a snapshot must say. */
export async function treeWithout(): Promise<{ readonly tree: string; readonly bytes: number }> {
  const plain = makeScratch()
  fs.cpSync(scratch.project, plain.project, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, filter: (from) => !/\/\.git$/.test(from) })
  const store = await openStore(plain)
  const { tree } = await scan(store)
  const { bytes } = await store.stats()
  await store.close()
  fsck(plain.store)
  plain.remove()
  return { tree, bytes }
}

export async function firstSnapshot(): Promise<{ readonly store: SnapshotStore; readonly taken: TakenTree }> {
  const store = await openStore(scratch)
  const taken = await scan(store)
  valueOf(await store.commit(taken, facts))
  return { store, taken }
}

export async function proven(): Promise<void> {
  for (let waited = 0; packFilesOf(storePacks(), '.unproven').length > 0; waited++) {
    if (waited > 500) throw new Error('what was lent is not proven')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Everything but `.git` goes, and comes back. */
export async function losesAndRestores(store: SnapshotStore, taken: TakenTree): Promise<void> {
  const before = pictureOf(scratch.project)
  for (const name of fs.readdirSync(scratch.project)) if (name !== '.git') fs.rmSync(at(name), { recursive: true })
  expect(await restoreTo(store, taken)).toEqual({})
  expect(pictureOf(scratch.project)).toEqual(before)
}

export function pictureOf(folder: string): Record<string, string> {
  return Object.fromEntries(Object.entries(picture(folder)).filter(([name]) => !/(^|\/)\.git(\/|$)/.test(name)))
}
