import type { SayCode } from '../../../shared/words/codes'
import type { TreeEntry } from '../../../shared/domain/snapshot'
import { mergeText } from './mergeLines'

/** A stretch of changes to one path that is to be taken back: what stood before it and after it. */
export interface Stretch {
  readonly before: TreeEntry | null
  readonly after: TreeEntry | null
}

/** What a path is to become: an entry that is stored, a text that is not, or nobody can say. */
export type Wanted =
  | { readonly kind: 'entry'; readonly entry: TreeEntry | null }
  | { readonly kind: 'text'; readonly text: string; readonly entry: TreeEntry }
  | { readonly kind: 'conflict'; readonly reason: SayCode }

/** Git's mode of a folder: its content is nothing that is stored. */
export const folderMode = '40000'

/** The text of a blob; null when it is no text, or is not held. */
export type TextOf = (oid: string) => string | null

/**
 * Takes one stretch out of a path and keeps everything else: a three-way merge with what the stretch left as base, what is
 * wanted so far as ours, and what stood before it as theirs (R77). Content and mode are merged each for itself.
 */
export function takeBack(now: Wanted, { before: theirs, after: base }: Stretch, textOf: TextOf): Wanted {
  if (now.kind === 'conflict') return now
  const ours = now.entry
  if (now.kind === 'entry' && sameEntry(ours, base)) return { kind: 'entry', entry: theirs }
  if (sameEntry(theirs, base) || (now.kind === 'entry' && sameEntry(ours, theirs))) return now
  // Deleted since: that stays, whatever it held.
  if (ours === null) return now
  if (base === null) return { kind: 'conflict', reason: 'rollback.conflict-remade' }
  if (theirs === null) return { kind: 'conflict', reason: 'rollback.conflict-made' }
  if (![ours, base, theirs].every(isFile)) return { kind: 'conflict', reason: 'rollback.conflict-kind' }
  return mergeFile(now, ours, base, theirs, textOf)
}

function mergeFile(now: Exclude<Wanted, { kind: 'conflict' }>, ours: TreeEntry, base: TreeEntry, theirs: TreeEntry, textOf: TextOf): Wanted {
  const mode = sameMode(ours, base) ? theirs : ours
  if (now.kind === 'entry' && ours.oid === base.oid) return { kind: 'entry', entry: withMode(theirs.oid, mode) }
  if (theirs.oid === base.oid) return { ...now, entry: withMode(ours.oid, mode) }
  if (now.kind === 'entry' && ours.oid === theirs.oid) return { kind: 'entry', entry: withMode(ours.oid, mode) }
  const texts = { ours: now.kind === 'text' ? now.text : textOf(ours.oid), base: textOf(base.oid), theirs: textOf(theirs.oid) }
  if (texts.ours === null || texts.base === null || texts.theirs === null) return { kind: 'conflict', reason: 'rollback.conflict-binary' }
  const text = mergeText({ base: texts.base, ours: texts.ours, theirs: texts.theirs })
  if (text === null) return { kind: 'conflict', reason: 'rollback.conflict-lines' }
  if (text === texts.theirs) return { kind: 'entry', entry: withMode(theirs.oid, mode) }
  return { kind: 'text', text, entry: withMode(ours.oid, mode) }
}

/** Same content, git mode and permission bits. */
export function sameEntry(a: TreeEntry | null, b: TreeEntry | null): boolean {
  if (a === null || b === null) return a === b
  return a.oid === b.oid && sameMode(a, b)
}

function sameMode(a: TreeEntry, b: TreeEntry): boolean {
  return a.mode === b.mode && a.bits === b.bits
}

function withMode(oid: string, { mode, bits }: TreeEntry): TreeEntry {
  return bits === undefined ? { oid, mode } : { oid, mode, bits }
}

/** A file with content, not a link or a folder. */
export function isFile(entry: TreeEntry | null): entry is TreeEntry {
  return entry !== null && entry.mode.startsWith('100')
}
