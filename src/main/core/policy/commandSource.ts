import type { TaintSource } from '../../../shared/domain/tool'
import type { CommandPart } from '../../../shared/domain/verdict'

/** How a command ran, as far as that says where its output may come from. */
export interface CommandReach {
  /** As judged. */
  readonly parts: readonly CommandPart[]
  readonly root: string
  /** The person gave it the network or the way outside. */
  readonly isOpened: boolean
  /** Nothing held it, so that it had the network anyway. */
  readonly isFree: boolean
}

/**
 * What a command read from the network, or of files outside the project, is text from outside (R71): as far as its words tell,
 * and for one that was given the network or the way outside whatever they say, since what it prints may come from there. Null
 * when nothing tells of a source.
 */
export function commandSource({ parts, root, isOpened, isFree }: CommandReach): TaintSource | null {
  const host = isOpened || isFree ? parts.flatMap((part) => part.hosts)[0] : undefined
  if (host !== undefined) return { kind: 'web', host, url: host }
  // A program that is steered to a folder outside says no file that it reads there.
  const folders = parts.flatMap(({ reason: { code, values } }) => (code === 'guard.outside-folder' && typeof values['path'] === 'string' ? [values['path']] : []))
  const outside = [...parts.flatMap((part) => part.reads), ...folders].find((path) => path.startsWith('/') && path !== root && !path.startsWith(`${root}/`) && !path.startsWith('/dev/'))
  if (outside !== undefined) return { kind: 'file', path: outside }
  const program = parts[0]?.argv[0] ?? 'bash'
  return isOpened ? { kind: 'web', host: program, url: program } : null
}
