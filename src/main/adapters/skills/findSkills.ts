import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { said } from '../../../shared/domain/result'
import type { SkillFault, SkillOrigin } from '../../../shared/domain/skill'
import { wholeFault } from './place'

/** A SKILL.md: its path below the folder, with slashes, and where it really lies, inside of the folder. */
export interface FoundSkill {
  readonly path: string
  readonly file: string
}

/** What was found below one folder. */
export interface FoundSkills {
  readonly files: readonly FoundSkill[]
  readonly faults: readonly SkillFault[]
}

/** How far is looked; a fault says where it ended. Measured from the skills folder. */
const maxDepth = 8
const maxEntries = 20_000
const maxSkills = 2000
/** Never looked into: other programs' stores, which hold copies of everything. */
const passedOver = new Set(['node_modules', '__pycache__'])

interface Walk {
  readonly origin: SkillOrigin
  readonly root: string
  readonly seen: Set<string>
  readonly files: FoundSkill[]
  readonly faults: SkillFault[]
  /** Links to folders inside, looked into when everything else has been: a folder's own path is its name. */
  readonly links: { readonly at: Place; readonly to: string }[]
  entries: number
}

interface Place {
  /** Below the root, with slashes; '' is the root. */
  readonly path: string
  /** The real folder. */
  readonly folder: string
  readonly depth: number
  /** It lies below the folder of another skill: what is there belongs to that one. */
  readonly within: string | null
}

/**
 * Looks for SKILL.md files below a folder, in categories too, by name and not as the disk lists them. No link is followed out
 * of the folder, and no folder is entered twice, so nothing hangs on a loop. Never rejects: what the disk refuses is a fault.
 * A link that is changed between being looked at and being read is not noticed; these folders are the person's own.
 */
export async function findSkills(origin: SkillOrigin, folder: string): Promise<FoundSkills> {
  const walk: Walk = { origin, root: '', seen: new Set(), files: [], faults: [], links: [], entries: 0 }
  const root = await realpath(folder).catch((error: unknown) => noteDisk(walk, '', error))
  if (root === null) return walk
  const inRoot: Walk = { ...walk, root }
  await look(inRoot, { path: '', folder: root, depth: 0, within: null })
  for (let link = inRoot.links.shift(); link; link = inRoot.links.shift()) await look(inRoot, { ...link.at, folder: link.to })
  return inRoot
}

async function look(walk: Walk, first: Place): Promise<void> {
  const waiting: Place[] = [first]
  for (let place = waiting.shift(); place; place = waiting.shift()) {
    if (walk.seen.has(place.folder)) continue
    walk.seen.add(place.folder)
    if (isOver(walk)) return note(walk, place.path, 'skill.too-many')
    waiting.push(...(await lookInto(walk, place)))
  }
}

function isOver({ entries, files }: Walk): boolean {
  return entries > maxEntries || files.length >= maxSkills
}

/** Takes the skill of one folder, and returns the folders below it. */
async function lookInto(walk: Walk, place: Place): Promise<readonly Place[]> {
  const list = await readdir(place.folder, { withFileTypes: true }).catch((error: unknown) => noteDisk(walk, place.path, error))
  const entries = [...(list ?? [])].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  walk.entries += entries.length
  const own = skillFile(entries.map((entry) => entry.name))
  const below: Place[] = []
  let hasOwn = false
  for (const entry of entries) {
    const at = placeBelow(place, entry.name)
    if (entry.name === own) hasOwn = await takeFile(walk, place, at, entry.isSymbolicLink())
    else if (entry.name.startsWith('.') || passedOver.has(entry.name)) continue
    else if (entry.isDirectory()) below.push(at)
    else if (entry.isSymbolicLink()) await takeLink(walk, at)
  }
  const within = place.within ?? (hasOwn && place.depth > 0 ? place.path : null)
  const next = below.map((one) => ({ ...one, within }))
  if (place.depth < maxDepth) return next
  // Deeper is not looked; that is said once a folder, and not of a skill's own files.
  if (next.length > 0 && within === null) note(walk, place.path, 'skill.too-deep', { depth: maxDepth })
  return []
}

function placeBelow(place: Place, name: string): Place {
  return { path: place.path === '' ? name : `${place.path}/${name}`, folder: path.join(place.folder, name), depth: place.depth + 1, within: place.within }
}

/** `SKILL.md`, or one that differs only in case. */
function skillFile(names: readonly string[]): string | undefined {
  return names.find((name) => name === 'SKILL.md') ?? names.find((name) => name.toLowerCase() === 'skill.md')
}

async function takeFile(walk: Walk, place: Place, at: Place, isLink: boolean): Promise<boolean> {
  const file = isLink ? await insideOf(walk, at) : at.folder
  if (file === null) return false
  const facts = await lstat(file).catch((error: unknown) => noteDisk(walk, at.path, error, true))
  if (facts === null || facts.isDirectory()) return false
  if (place.within !== null) note(walk, at.path, 'skill.inside-another', { path: place.within })
  else if (!facts.isFile()) walk.faults.push(wholeFault({ origin: walk.origin, path: at.path }, said('skill.no-file'), true))
  else walk.files.push({ path: at.path, file })
  return true
}

/** A link to a folder inside waits; one to a folder outside is said; others are no concern of skills. */
async function takeLink(walk: Walk, at: Place): Promise<void> {
  const isFolder = await stat(at.folder).then((facts) => facts.isDirectory(), () => null)
  if (isFolder === null) return note(walk, at.path, 'skill.link-nowhere')
  const to = isFolder ? await insideOf(walk, at) : null
  if (to !== null) walk.links.push({ at, to })
}

/** The real place of a link, or null and said when it lies outside or nowhere. */
async function insideOf(walk: Walk, at: Place): Promise<string | null> {
  const real = await realpath(at.folder).catch(() => null)
  if (real === null) note(walk, at.path, 'skill.link-nowhere')
  else if (!isInside(walk.root, real)) note(walk, at.path, 'skill.link-out', { target: real })
  else return real
  return null
}

/** Whether a real path is the root or lies below it. */
export function isInside(root: string, real: string): boolean {
  return real === root || real.startsWith(root.endsWith(path.sep) ? root : root + path.sep)
}

type WalkCode = 'skill.too-many' | 'skill.too-deep' | 'skill.inside-another' | 'skill.link-out' | 'skill.link-nowhere'

function note({ origin, faults }: Walk, at: string, code: WalkCode, values: Readonly<Record<string, string | number>> = {}): void {
  faults.push(wholeFault({ origin, path: at }, said(code, values), false))
}

/** A folder that is not there holds no skills, and that is no fault. */
function noteDisk({ origin, faults }: Walk, at: string, error: unknown, isFatal = false): null {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined) throw error
  if (code !== 'ENOENT' && code !== 'ENOTDIR') faults.push(wholeFault({ origin, path: at }, said('skill.cannot-read', { problem: message }), isFatal))
  return null
}
