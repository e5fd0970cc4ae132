import type { ApprovalRequest, CommandConfinement } from '../../../shared/domain/approval'
import type { PartAnswer } from '../../../shared/domain/rule'
import { isSkippedBy, type Coverage, type SkippedPath } from '../../../shared/domain/snapshot'
import type { CommandPart } from '../../../shared/domain/verdict'
import { quoteWord } from './cardText'

/** What stands before a part of a command: what it does, unless it is answered already or cannot be taken back. */
export type PartIcon = 'lost' | 'answered' | 'deletes' | 'downloads' | 'network' | 'writes' | 'reads' | 'runs'

export function partIcon(part: CommandPart, answer: PartAnswer | null): PartIcon {
  if (part.verdict === 'deny' || (!part.canUndo && !isDownload(part))) return 'lost'
  if (answer !== null) return 'answered'
  if (isDownload(part)) return 'downloads'
  if (part.deletes.length > 0) return 'deletes'
  if (part.hosts.length > 0) return 'network'
  if (part.writes.length > 0) return 'writes'
  return part.reads.length > 0 ? 'reads' : 'runs'
}

function isDownload({ reason }: CommandPart): boolean {
  return reason.code === 'guard.installs'
}

/** The text of the project's script that a part runs; null where it runs none, or none that is known. */
export function scriptOf({ reason }: CommandPart): string | null {
  if (reason.code !== 'guard.script-runs') return null
  const { text } = reason.values
  return typeof text === 'string' && text !== '' ? text : null
}

/** Of how many parts what they do can be taken back, and what of the others cannot, in words. */
export interface UndoShare {
  readonly covered: number
  readonly partly: number
  readonly lost: number
  /** Paths that no snapshot holds, and parts as they begin. */
  readonly missing: readonly string[]
}

export function undoShare(parts: readonly CommandPart[], coverage: Coverage, root: string): UndoShare {
  const missing = new Set<string>()
  const share = { covered: 0, partly: 0, lost: 0 }
  for (const part of parts) {
    const changed = [...part.writes, ...part.deletes].map((path) => inProject(path, root))
    const unheld = coverage.skipped.map(({ path }) => path).filter((line) => changed.some((path) => isSkippedBy(line, path)))
    if (!part.canUndo || (coverage.kind === 'none' && changed.length > 0)) {
      share.lost += 1
      missing.add(part.argv.slice(0, 2).map(quoteWord).join(' '))
    } else if (unheld.length > 0) {
      share.partly += 1
      unheld.forEach((line) => missing.add(line))
    } else share.covered += 1
  }
  return { ...share, missing: [...missing] }
}

/** Reasons of parts that do no more to files than their paths say. */
const told: ReadonlySet<string> = new Set([
  'guard.nothing-against', 'guard.reads', 'guard.reads-git', 'guard.reads-machine', 'guard.reads-packages', 'guard.reads-database', 'guard.remote-reads', 'guard.prints', 'guard.steers',
  'guard.writes', 'guard.deletes', 'guard.deletes-source', 'guard.protected', 'guard.secret-file', 'guard.outside-read', 'guard.outside-write', 'guard.outside-delete', 'guard.local-request', 'guard.ends-job',
])

/** It runs code, or does what its words do not tell: where it writes is not known. */
function isOpenPart({ reason }: CommandPart): boolean {
  return !told.has(reason.code)
}

/**
 * Of what no snapshot holds, what a command may change: the paths it names, and all of it where a part runs code, which may
 * write anywhere. The project's own `.git` is there for git to change; other programs have no business in it.
 */
export function unheldThatMatter(parts: readonly CommandPart[], coverage: Coverage, root: string): readonly SkippedPath[] {
  const isOpen = parts.length === 0 || parts.some(isOpenPart)
  const isGit = parts.some(({ reason }) => reason.code.startsWith('guard.git'))
  const changed = parts.flatMap(({ writes, deletes }) => [...writes, ...deletes]).map((path) => inProject(path, root))
  return coverage.skipped.filter(({ path }) => changed.some((one) => isSkippedBy(path, one)) || (path === '.git' ? isGit : isOpen))
}

/** Where a command would connect to, when it does: hosts that are named, and whether there are others. */
export interface NetworkNeed {
  readonly hosts: readonly string[]
  readonly hasOthers: boolean
}

/** Null where no part of a command needs the network, or it would have it anyway. */
export function networkNeed({ preview, sandbox }: Pick<ApprovalRequest, 'preview' | 'sandbox'>): NetworkNeed | null {
  if (preview.kind !== 'command' || sandbox === 'none' || preview.confinement === undefined || hasNetwork(preview.confinement)) return null
  const hosts = new Set(preview.parts.flatMap((part) => part.hosts))
  if (hosts.size === 0) return null
  const hasOthers = hosts.delete('?')
  return { hosts: [...hosts], hasOthers }
}

function hasNetwork({ network, outside }: CommandConfinement): boolean {
  return network || outside
}

/** A path as the person knows it: in the project by its place there, elsewhere whole. `root` is the folder that is open. */
export function inProject(path: string, root: string): string {
  if (path === root) return '.'
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
}

/** A path that leads out of the project. */
export function isOutside(path: string, root: string): boolean {
  return /^(?:\/|~|\.\.(?:\/|$)|[A-Za-z]:[\\/]|\\\\)/.test(inProject(path, root))
}
