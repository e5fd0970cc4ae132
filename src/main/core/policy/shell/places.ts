import { said, type Said } from '../../../../shared/domain/result'
import type { Arg, Call, Outcome, PlacedPath, Where } from './call'
import { hasUnknown, showMarks } from './marks'
import { allow, ask, deny, join, nothing } from './outcomes'
import { resolvePath, withoutAllGlob } from './paths'
import { isPersonalFolder, isRegenerable, isSharedSystem, readableMachineFile, topSystemFolder } from './placeNames'

/** What a command does with a path. `…-tree` acts on everything below. */
export type PlaceUse = 'read' | 'list' | 'read-tree' | 'write' | 'delete' | 'delete-tree' | 'move' | 'rights' | 'rights-tree' | 'link' | 'folder'

/** What no system opens: PATH_MAX of Linux. */
const longestPath = 4096

const changing: ReadonlySet<PlaceUse> = new Set(['write', 'delete', 'delete-tree', 'move', 'rights', 'rights-tree'])
const removing: ReadonlySet<PlaceUse> = new Set(['delete', 'delete-tree', 'move'])

/** Judges one path operand, for every folder the shell may be in and every place a glob may match; the worst decides. */
export function touch(call: Call, arg: Arg, use: PlaceUse): Outcome {
  if (arg.stream) return allow('guard.reads')
  if (arg.text === '-' && !changing.has(use)) return allow('guard.reads')
  if (hasUnknown(arg.text)) return touchUnknown(call, arg, use)
  if (arg.text.length > longestPath) return ask('guard.unknown-path', { program: call.program, path: arg.shown.slice(0, 80) })
  const places = resolvePath(arg.text, call.state.cwds)
  if (places.length === 0) return ask('guard.unknown-folder', { program: call.program })
  return join(...places.map((place) => touchPlace(call, place, use)))
}

/**
 * What no command may be given, whatever it does with it: a word that names the app's own data, also behind `=`, `@` or
 * `:`. Words with blanks are texts.
 */
export function forbiddenWords(call: Call): Outcome {
  const named = call.args.filter((arg) => arg.text.includes('/') && arg.text.length <= longestPath && !/[\s\uFDD0]/u.test(arg.text))
  const paths = named.flatMap((arg) => [arg.text, ...(/[=@:](\/[^:]*)/u.exec(arg.text)?.slice(1) ?? [])])
  const touched = paths.flatMap((path) => resolvePath(path, call.state.cwds)).flatMap((path) => call.classify(path))
  return touched.some(({ is }) => is.isAppData) ? deny('guard.app-data') : nothing
}

/** Words of a program that is not known: keys and logins it might use are denied too. */
export function forbiddenReads(call: Call): Outcome {
  const paths = call.args.filter((arg) => /^[~/.]|\//u.test(arg.text) && !/\s|^[a-z+]+:\/\//u.test(arg.text)).map((arg) => touch(call, arg, 'read')).filter((found) => found.kind === 'deny')
  return join(...paths)
}

/** The same for several operands. */
export function touchAll(call: Call, args: readonly Arg[], use: PlaceUse): Outcome {
  return join(...args.map((arg) => touch(call, arg, use)))
}

/** A path that is only known in part. What is certain to be forbidden stays forbidden: `/$x` or `$HOME/.ssh/$x`. */
function touchUnknown(call: Call, arg: Arg, use: PlaceUse): Outcome {
  const asks = ask(removing.has(use) ? 'guard.unknown-delete' : 'guard.unknown-path', { program: call.program, path: arg.shown })
  const before = arg.text.slice(0, arg.text.search(/[\uFDD0]/u))
  const folder = before.slice(0, before.lastIndexOf('/') + 1)
  if (folder === '' || folder === '/') return asks
  const held = resolvePath(folder, call.state.cwds).map((place) => touchPlace(call, `${place}/x`, use))
  return join(asks, ...held.filter((found) => found.kind === 'deny'))
}

function touchPlace(call: Call, path: string, use: PlaceUse): Outcome {
  const isTree = use === 'delete-tree' || use === 'rights-tree' || use === 'move'
  const whole = isTree ? withoutAllGlob(path) : path
  const places = use === 'read-tree' ? [...call.classify(whole), ...call.classify(`${whole}/x`)] : call.classify(whole)
  const isMovingAll = use === 'move' && whole !== path && whole === call.where.root
  const verdict = isMovingAll ? ask('guard.deletes-source', { path: showMarks(path) }, true) : join(...places.map((each) => judgePlace(each, use, call.where)))
  const shown = showMarks(path)
  const isOutside = places.some(({ is }) => is.place === 'outside' && is.special !== 'null-device')
  return {
    ...verdict,
    reads: use === 'read' || use === 'list' || use === 'read-tree' || use === 'link' ? [shown] : [],
    writes: use === 'write' || use === 'rights' || use === 'rights-tree' ? [shown] : [],
    deletes: removing.has(use) ? [shown] : [],
    canUndo: verdict.canUndo && !(changing.has(use) && isOutside),
  }
}

/** The matrix of place and use. From the gravest to the harmless; the first that fits is told. */
function judgePlace(place: PlacedPath, use: PlaceUse, where: Where): Outcome {
  const { is, path } = place
  if (is.isAppData) return deny('guard.app-data')
  if (is.special !== null) return judgeSpecial(place, use)
  if (changing.has(use)) return judgeChange(place, use, where)
  if (use === 'link') return is.secret === 'credentials' ? deny('guard.credentials', { path }) : is.place === 'outside' ? ask('guard.outside-link', { path }) : judgeLinked(is, path)
  if (use === 'folder') return is.place === 'outside' ? ask('guard.outside-folder', { path }) : allow('guard.steers')
  return judgeRead(place, use)
}

/** A second name for what is protected or secret would be used without its own name's question. */
function judgeLinked(is: PlacedPath['is'], path: string): Outcome {
  if (is.secret === 'project') return ask('guard.secret-file', { path }, true)
  return is.protected === null ? allow('guard.writes', { path }) : ask('guard.protected', { path }, true)
}

function judgeRead({ is, path }: PlacedPath, use: PlaceUse): Outcome {
  if (is.secret === 'credentials') {
    const isPublic = use === 'list' || /(?:\.pub|\/known_hosts|\/\.ssh\/config)$/u.test(path)
    return isPublic ? ask('guard.outside-read', { path }) : deny('guard.credentials', { path })
  }
  if (is.secret === 'project' && use !== 'list') return secret(ask('guard.secret-file', { path }, true))
  if (is.place !== 'outside') {
    const isGitSecret = is.protected === 'git' && use !== 'list' && (use === 'read-tree' ? /\/\.git$/u : /\/config(?:\.worktree)?$/u).test(path)
    return isGitSecret ? ask('guard.secret-file', { path }, true) : allow('guard.reads')
  }
  return readableMachineFile.test(path) ? allow('guard.reads') : ask('guard.outside-read', { path }, true)
}

function secret(found: Outcome): Outcome {
  return { ...found, output: { ...found.output, isSecret: true } }
}

function judgeSpecial({ is, path }: PlacedPath, use: PlaceUse): Outcome {
  if (is.special === 'null-device') return removing.has(use) || use.startsWith('rights') ? deny('guard.device', { path }) : allow('guard.reads')
  if (is.special === 'kernel') {
    if (changing.has(use)) return deny('guard.kernel', { program: path })
    if (use === 'list' || use === 'folder') return ask('guard.outside-read', { path }, true)
    if (/^\/proc\/[^/]+\/(?:environ|mem|maps|fd|root|cwd|cmdline|auxv|task)(?:\/|$)/u.test(path)) return deny('guard.credentials', { path })
    return readableMachineFile.test(path) ? allow('guard.reads') : ask('guard.outside-read', { path }, true)
  }
  if (/^\/dev\/(?:zero|full|u?random|tty|stdin|stdout|stderr|fd(?:\/\d+)?)$/u.test(path) && !removing.has(use) && !use.startsWith('rights')) return allow('guard.reads')
  if (use === 'list' || use === 'folder') return ask('guard.outside-read', { path }, true)
  return path.startsWith('/dev/shm/') ? ask('guard.outside-write', { path }) : deny('guard.device', { path })
}

function judgeChange(place: PlacedPath, use: PlaceUse, where: Where): Outcome {
  const { is, path } = place
  const wipe = wipeOf(place, use, where)
  if (wipe) return deny(actOf(use), { place: wipe })
  if (is.isStartPlace) return deny('guard.start-file', { path })
  if (is.secret === 'credentials') return deny('guard.credentials', { path })
  if (is.protected === 'git') return judgeGitFolder(place, use)
  if (is.place === 'outside') return ask(removing.has(use) ? 'guard.outside-delete' : 'guard.outside-write', { path })
  if (is.place === 'root') return use === 'rights-tree' ? ask('guard.rights-project', {}, true) : allow('guard.writes', { path })
  if (is.protected === 'executed') return ask('guard.protected', { path }, true)
  if (is.secret === 'project') return ask('guard.secret-file', { path }, true)
  if (use === 'delete-tree' || use === 'delete') return judgeDelete(place, use)
  return allow('guard.writes', { path })
}

function judgeDelete({ is, path }: PlacedPath, use: PlaceUse): Outcome {
  if (use === 'delete' || isRegenerable(is.relative ?? '')) return allow('guard.deletes', { path })
  return ask('guard.deletes-source', { path }, true)
}

/** A repository's own folder: what only git should write, and the history that snapshots do not hold. */
function judgeGitFolder({ path }: PlacedPath, use: PlaceUse): Outcome {
  if (path.endsWith('.lock')) return ask('guard.protected', { path })
  if (removing.has(use) || use.startsWith('rights')) return deny(actOf(use), { place: said('guard.place-git', { path }) })
  return /\/(?:config|info\/[^/]+|description)$/u.test(path) ? ask('guard.protected', { path }) : deny('guard.git-folder', { path })
}

/** The place in words when changing it would be a catastrophe; null when it is not. */
function wipeOf({ is, path }: PlacedPath, use: PlaceUse, where: Where): Said | null {
  if (use === 'write') return isWrittenSystem(path, is.isSystem) ? said('guard.place-system', { path }) : null
  const isWhole = use !== 'rights' || is.isSystem
  if (path === '/') return said('guard.place-all')
  if (is.place === 'root') return removing.has(use) ? said('guard.place-project') : null
  if (is.holds.length > 0 && isWhole) return is.isUnderHome && is.holds.includes('home') ? said('guard.place-home') : said('guard.place-parent', { path })
  if (is.isSystem && (!isSharedSystem(path) || topSystemFolder(path))) return said('guard.place-system', { path })
  if (is.place === 'outside' && use !== 'rights' && topSystemFolder(path)) return said('guard.place-system', { path })
  return is.isUnderHome && is.place === 'outside' && use !== 'rights' && isPersonalFolder(path.slice(where.home.length + 1)) ? said('guard.place-personal', { path }) : null
}

function isWrittenSystem(path: string, isSystem: boolean): boolean {
  return isSystem && !isSharedSystem(path)
}

function actOf(use: PlaceUse): 'guard.deletes-place' | 'guard.moves-place' | 'guard.rights-place' | 'guard.writes-place' {
  if (use === 'move') return 'guard.moves-place'
  if (use === 'rights' || use === 'rights-tree') return 'guard.rights-place'
  return use === 'write' ? 'guard.writes-place' : 'guard.deletes-place'
}
