import { isThisMachine, hostOf } from '../programs/hosts'
import type { Call, Outcome } from './call'
import { hasUnknown } from './marks'
import { resolvePath } from './paths'

/** Reasons of parts that only read, print or steer the shell. Their judges know which of their words are paths. */
export const readerCodes: ReadonlySet<string> = new Set(['guard.reads', 'guard.prints', 'guard.steers'])

/**
 * True when a call may act on places outside of the project, as far as its words tell (R69). Where the judge knows which
 * words are paths, its own findings count; of all other programs every word counts as one, and every value after `=`, `:`,
 * `@` or `,` in it too: better to ask once more than to take an address for an option's value.
 */
export function reachesOutside(call: Call, found: Outcome): boolean {
  const isInside = (path: string): boolean => call.classify(path).every(({ is }) => is.place !== 'outside' || is.special === 'null-device')
  if (![...found.reads, ...found.writes, ...found.deletes].every(isInside)) return true
  if (readerCodes.has(found.reason.code)) return false
  const { cwds } = call.state
  if (cwds.length === 0 || !cwds.every(isInside)) return true
  return !call.args.every(({ text }) => isLocalAddress(text) || placesIn(text).every((place) => !place.startsWith('~') && resolvePath(place, cwds).every(isInside)))
}

function isLocalAddress(text: string): boolean {
  return /^https?:\/\//u.test(text) && isThisMachine(hostOf(text))
}

/** Everything in a word that a program may take for a path. */
function placesIn(text: string): readonly string[] {
  if (hasUnknown(text)) return []
  const glued = /^-[A-Za-z](?=[/~.])(.+)$/u.exec(text)?.[1]
  return [text, ...(glued === undefined ? [] : [glued]), ...text.split(/[=@:,]/u)]
}
