import { guardArguments, type ExpectedMounts } from './mountGuard'
import type { HomeView, Shown } from './homeView'

/** Everything that is to be mounted for one command, in absolute real paths that exist. */
export interface BubblewrapPlan {
  readonly bubblewrap: string
  readonly bash: string
  readonly root: string
  readonly cwd: string
  readonly network: boolean
  /** Numbers of the person inside, where they are not those of whoever starts bubblewrap. */
  readonly as: { readonly userId: number; readonly groupId: number } | null
  /** Folders that are replaced by empty ones, the home folder last. */
  readonly emptied: readonly string[]
  /** What stands for /tmp; null: an empty one of the command's own. */
  readonly temporary: string | null
  readonly shown: readonly Shown[]
  readonly caches: HomeView
  readonly dataFolder: string
  readonly kernel: readonly string[]
  readonly outsideGit: string | null
  /** Bound to themselves, writable and not. */
  readonly kept: readonly string[]
  readonly readOnly: readonly string[]
  /** Copies in the place of files of the project. */
  readonly copies: readonly Shown[]
  /** Sockets and secrets, hidden by an empty file or an empty folder. */
  readonly hidden: { readonly files: readonly string[]; readonly folders: readonly string[]; readonly emptyFile: string }
}

/**
 * What stands before the shell: bubblewrap with the plan, then a look at what was really mounted. In this order, since a later
 * mount covers an earlier one: the disk, what is emptied, what is shown again, the data folder of the app, the project, and
 * what of the project is held. Capabilities go (pitfall 1), a terminal of its own is given by the caller (pitfall 3).
 */
export function bubblewrapArguments(plan: BubblewrapPlan): readonly string[] {
  const isDataAbove = isInside(plan.root, plan.dataFolder)
  const data = ['--perms', '0700', '--tmpfs', plan.dataFolder]
  const project = ['--bind', plan.root, plan.root, ...(plan.outsideGit === null ? [] : ['--bind', plan.outsideGit, plan.outsideGit])]
  return [
    plan.bubblewrap,
    '--unshare-user', '--disable-userns', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try',
    ...(plan.network ? [] : ['--unshare-net']),
    ...(plan.as === null ? [] : ['--uid', String(plan.as.userId), '--gid', String(plan.as.groupId)]),
    '--as-pid-1', '--die-with-parent', '--cap-drop', 'ALL',
    '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc',
    ...plan.kernel.flatMap((place) => ['--ro-bind', place, place]),
    ...plan.emptied.flatMap((place) => emptyAt(place, plan.temporary)),
    ...plan.hidden.folders.flatMap((place) => ['--perms', '0755', '--tmpfs', place]),
    ...plan.hidden.files.flatMap((place) => ['--ro-bind', plan.hidden.emptyFile, place]),
    // Tools may be gone since they were looked for.
    ...[...plan.shown, ...plan.caches.readOnly].flatMap(({ from, to }) => ['--ro-bind-try', from, to]),
    ...plan.caches.writable.flatMap(({ from, to }) => ['--bind', from, to]),
    ...plan.caches.readOnlyInside.flatMap(({ from, to }) => ['--ro-bind-try', from, to]),
    ...(isDataAbove ? [...data, ...project] : [...project, ...data]),
    ...heldOf(plan).flatMap(({ place, isReadOnly }) => [isReadOnly ? '--ro-bind' : '--bind', place, place]),
    ...plan.copies.flatMap(({ from, to }) => ['--ro-bind', from, to]),
    '--chdir', plan.cwd,
    '--',
    ...guardArguments(plan.bash, expectedOf(plan)),
  ]
}

function emptyAt(place: string, temporary: string | null): readonly string[] {
  if (!place.endsWith('/tmp')) return ['--perms', '0755', '--tmpfs', place]
  return temporary === null || place !== '/tmp' ? ['--perms', '1777', '--tmpfs', place] : ['--bind', temporary, place]
}

/** Folders before what lies in them. */
function heldOf({ kept, readOnly }: BubblewrapPlan): readonly { readonly place: string; readonly isReadOnly: boolean }[] {
  const all = [...kept.map((place) => ({ place, isReadOnly: false })), ...readOnly.map((place) => ({ place, isReadOnly: true }))]
  return all.sort((a, b) => (a.place < b.place ? -1 : 1))
}

function expectedOf(plan: BubblewrapPlan): ExpectedMounts {
  const held = heldOf(plan).map(({ place }) => place)
  const bases = [plan.root, ...(plan.outsideGit === null ? [] : [plan.outsideGit])]
  return held.map((place) => ({ place, base: bases.filter((base) => isInside(place, base)).sort((a, b) => b.length - a.length)[0] ?? plan.root }))
}

/** The same or below. */
export function isInside(place: string, folder: string): boolean {
  return place === folder || place.startsWith(folder === '/' ? '/' : `${folder}/`)
}
