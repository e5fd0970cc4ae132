import type { TreeChange, TreeEntry } from '../../../../shared/domain/snapshot'
import { compareBytes, toBytes, toText } from '../../../native/byteText'
import { differingLines, emptyTree, folderMode, hexOf, parseTree, type RawId, type TreeLine } from './gitObjects'
import type { ObjectStore } from './objectStore'
import { bitsOf, emptySide, parseSide, type SideList } from '../scan/sideList'

/** What a moment holds, by raw ids; null for nothing at all. */
export interface Held {
  readonly tree: RawId
  readonly side: RawId
}

/** An object that something points to is not in the store: a broken point. */
export class ObjectMissing extends Error {
  readonly id: string

  constructor(id: RawId) {
    super(`object ${hexOf(id)} is missing`)
    this.id = hexOf(id)
  }
}

function readTree(objects: ObjectStore, id: RawId): TreeLine[] {
  return parseTree(treeBody(objects, id))
}

function treeBody(objects: ObjectStore, id: RawId): Buffer {
  if (id === emptyTree) return Buffer.alloc(0)
  const body = objects.readTree(id)
  if (!body) throw new ObjectMissing(id)
  return body
}

export function readBlob(objects: ObjectStore, id: RawId): Buffer {
  const object = objects.read(id)
  if (object?.type !== 'blob') throw new ObjectMissing(id)
  return object.body
}

function readSide(objects: ObjectStore, held: Held | null): SideList {
  return held ? parseSide(readBlob(objects, held.side)) : emptySide
}

/** What stands at a path in a tree; a folder is a line with git's folder mode. */
export function lineAt(objects: ObjectStore, tree: RawId, path: string): TreeLine | null {
  let line: TreeLine | null = { name: '', mode: folderMode, id: tree }
  for (const name of path.split('/')) {
    if (line?.mode !== folderMode) return null
    line = readTree(objects, line.id).find((one) => one.name === name) ?? null
  }
  return line
}

/** The folders of a moment. */
export interface Shape {
  isFolder(path: string): boolean
  /** Full permission bits of a folder that is there. */
  bitsOf(path: string): number | undefined
}

export function shapeOf(objects: ObjectStore, held: Held): Shape {
  const side = readSide(objects, held)
  return {
    isFolder: (path) => side.empty.has(path) || side.aboveEmpty.has(path) || lineAt(objects, held.tree, path)?.mode === folderMode,
    bitsOf: (path) => bitsOf(side, path, folderMode),
  }
}

interface Change {
  readonly before: TreeEntry | null
  readonly after: TreeEntry | null
}

/**
 * Paths that differ between two moments, in byte order: files and links by content and mode, what the lists beside the trees
 * hold, and nothing for a folder that is there only because of what is in it.
 */
export function diffHeld(objects: ObjectStore, before: Held | null, after: Held): TreeChange[] {
  const sides = { before: readSide(objects, before), after: readSide(objects, after) }
  const changes = new Map<string, Change>()
  const entry = (side: SideList, path: string, line: TreeLine | undefined): TreeEntry | null => (line && line.mode !== folderMode ? entryOf(side, path, line) : null)
  diffTrees(objects, before?.tree ?? emptyTree, after.tree, '', (path, from, to) => {
    changes.set(path, { before: entry(sides.before, path, from), after: entry(sides.after, path, to) })
  })
  if (before?.side !== after.side) addSideChanges(objects, before, after, sides, changes)
  return [...changes]
    .filter(([, change]) => change.before !== null || change.after !== null)
    .sort(([a], [b]) => compareBytes(a, b))
    .map(([path, change]) => ({ path: toText(path), change: kindOf(change), ...change }))
}

function addSideChanges(objects: ObjectStore, before: Held | null, after: Held, sides: { before: SideList; after: SideList }, changes: Map<string, Change>): void {
  const paths = new Set([...sides.before.bits.keys(), ...sides.after.bits.keys()])
  // Another idea of the usual: then any path may differ.
  if (before && JSON.stringify(sides.before.usual) !== JSON.stringify(sides.after.usual)) everyPath(objects, after.tree, '', (path) => paths.add(path))
  for (const path of paths) {
    if (changes.has(path) && !sides.before.empty.has(path) && !sides.after.empty.has(path)) continue
    const from = standing(objects, before, sides.before, path)
    const to = standing(objects, after, sides.after, path)
    const known = changes.get(path) ?? { before: null, after: null }
    // A folder that comes or goes with what is in it has no line of its own; an empty one has.
    const isBoth = from !== null && to !== null
    const fromEntry = known.before ?? (from && (isBoth || sides.before.empty.has(path)) ? from : null)
    const toEntry = known.after ?? (to && (isBoth || sides.after.empty.has(path)) ? to : null)
    if (!sameEntry(fromEntry, toEntry)) changes.set(path, { before: fromEntry, after: toEntry })
  }
}

/** A file, a link or a folder at a path. */
function standing(objects: ObjectStore, held: Held | null, side: SideList, path: string): TreeEntry | null {
  if (side.empty.has(path) || side.aboveEmpty.has(path)) return entryOf(side, path, { name: '', mode: folderMode, id: emptyTree })
  const line = held && lineAt(objects, held.tree, path)
  return line ? entryOf(side, path, line) : null
}

function entryOf(side: SideList, path: string, line: TreeLine): TreeEntry {
  const bits = bitsOf(side, path, line.mode)
  const oid = hexOf(line.mode === folderMode ? emptyTree : line.id)
  return bits === undefined ? { oid, mode: line.mode } : { oid, mode: line.mode, bits }
}

function sameEntry(a: TreeEntry | null, b: TreeEntry | null): boolean {
  return a === b || (a !== null && b !== null && a.oid === b.oid && a.mode === b.mode && a.bits === b.bits)
}

function kindOf({ before, after }: Change): TreeChange['change'] {
  if (before === null) return 'added'
  if (after === null) return 'deleted'
  if (typeOf(before.mode) !== typeOf(after.mode)) return 'type'
  return before.oid === after.oid ? 'mode' : 'modified'
}

function typeOf(mode: string): string {
  return mode.startsWith('100') ? 'file' : mode
}

type OnChange = (path: string, from: TreeLine | undefined, to: TreeLine | undefined) => void

function diffTrees(objects: ObjectStore, before: RawId, after: RawId, path: string, onChange: OnChange): void {
  if (before === after) return
  for (const { from, to } of differingLines(treeBody(objects, before), treeBody(objects, after))) {
    const name = (from ?? to)?.name ?? ''
    const isFolder = { from: from?.mode === folderMode, to: to?.mode === folderMode }
    if (isFolder.from || isFolder.to) diffTrees(objects, isFolder.from && from ? from.id : emptyTree, isFolder.to && to ? to.id : emptyTree, `${path}${name}/`, onChange)
    if ((from && !isFolder.from) || (to && !isFolder.to)) onChange(path + name, isFolder.from ? undefined : from, isFolder.to ? undefined : to)
  }
}

/** The first files and links of a moment whose path contains some text, upper and lower case alike; in path order. */
export function pathsIn(objects: ObjectStore, held: Held, query: string, limit: number): { readonly path: string; readonly entry: TreeEntry }[] {
  const [side, wanted] = [readSide(objects, held), query.toLowerCase()]
  const found: { readonly path: string; readonly entry: TreeEntry }[] = []
  const look = (tree: RawId, folder: string): void => {
    for (const line of readTree(objects, tree)) {
      if (found.length >= limit) return
      const path = folder + line.name
      if (line.mode === folderMode) look(line.id, `${path}/`)
      else if (toText(path).toLowerCase().includes(wanted)) found.push({ path: toText(path), entry: entryOf(side, path, line) })
    }
  }
  look(held.tree, '')
  return found
}

/** What a moment holds at each path; null for nothing. */
export function entriesIn(objects: ObjectStore, held: Held, paths: readonly string[]): (TreeEntry | null)[] {
  const side = readSide(objects, held)
  return paths.map((path) => standing(objects, held, side, toBytes(path)))
}

/** Every file, link and folder in a tree. */
function everyPath(objects: ObjectStore, tree: RawId, path: string, visit: (path: string, line: TreeLine) => void): void {
  for (const line of readTree(objects, tree)) {
    visit(path + line.name, line)
    if (line.mode === folderMode) everyPath(objects, line.id, `${path}${line.name}/`, visit)
  }
}
