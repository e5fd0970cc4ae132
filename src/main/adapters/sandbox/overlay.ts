import { execFile } from 'node:child_process'
import { chmod, lstat, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fail, succeed, type Result } from '../../../shared/domain/result'
import { lifeOf, ownIdentity, type ProcessIdentity } from '../../native/processIdentity'
import { findProgram } from '../../native/processTreeIsolation'
import { programFolders } from '../../native/searchPath'

/** A copy-on-write copy of a project, as long as its folder stands. */
export interface Overlay {
  /** What was written; the project's own files are not here. */
  readonly upper: string
  /** When the copy was taken, by the disk's clock: what changed later has a later ctime. */
  readonly takenAtNs: bigint
  /** Stands before a program that is to see the copy in the project's place. */
  readonly argv: readonly string[]
  /** The names in each of these folders, as the copy shows them; relative, without links on the way. */
  names(folders: readonly string[]): Promise<Result<ReadonlyMap<string, ReadonlySet<string>>>>
  /** Removes everything. Never rejects. */
  remove(): Promise<void>
}

/** Makes overlays below one folder of the app's own. */
export interface Overlays {
  /** Finds out by trying, once. Never rejects. */
  canTry(): Promise<boolean>
  make(id: string, root: string): Promise<Result<Overlay>>
}

/**
 * In a mount namespace of its own, which ends with its last process. Redirects and copies of bare metadata are off (with
 * `userxattr`, which others than root need, they are so by themselves and may not be named): then the
 * upper folder alone, beside the project, tells what was done. Arguments: the trial's folder, the project, options, the program.
 */
const mountScript = [
  'cd -- "$1" && mount --rbind -- "$2" lower && mount -t overlay -o "lowerdir=lower,upperdir=upper,workdir=work,$3" overlay "$2" || exit 125',
  'cd / && shift 3 && exec "$@"',
].join('\n')

/** Names with a zero byte after each, a folder's own name before them and an empty one at the end; the folders come in a file. */
const namesScript = [
  'shopt -s dotglob nullglob',
  `while IFS= read -r -d '' folder; do printf '%s\\0' "$folder"; cd -- "$2/$folder" || exit 124; for name in *; do printf '%s\\0' "$name"; done; printf '\\0'; done < "$1"`,
].join('\n')

/** Longer than two ticks of the coarsest clock that file times are taken from. */
const settleMs = 25
const limitMs = 20_000

/** What an earlier run of the app left there is removed with the first use. */
export function makeOverlays(dataFolder: string): Overlays {
  const folder = path.join(dataFolder, 'trials')
  const programs = { unshare: findProgram('unshare', programFolders), bash: findProgram('bash', programFolders) }
  let swept: Promise<void> | undefined
  let probed: Promise<boolean> | undefined
  const make = async (id: string, root: string): Promise<Result<Overlay>> => {
    await (swept ??= sweep(folder))
    const own = path.join(folder, id)
    for (const name of ['upper', 'work', 'lower']) await mkdir(path.join(own, name), { recursive: true, mode: 0o700 })
    await writeFile(path.join(own, 'owner.json'), JSON.stringify(ownIdentity()))
    const shape = await lstat(root)
    await chmod(path.join(own, 'upper'), shape.mode & 0o7777)
    const argv = launcher(programs, own, root)
    const tried = await run(argv, ['true'])
    if (!tried.ok) {
      await removeTree(own)
      return fail('trial.not-started', { problem: tried.problem })
    }
    await writeFile(path.join(own, 'stamp'), '')
    const takenAtNs = (await lstat(path.join(own, 'stamp'), { bigint: true })).ctimeNs
    await new Promise((resolve) => setTimeout(resolve, settleMs))
    return succeed({ upper: path.join(own, 'upper'), takenAtNs, argv, names: (folders) => namesIn(folders, own, root, argv, programs.bash ?? 'bash'), remove: () => removeTree(own) })
  }
  return {
    make,
    canTry: () => (probed ??= process.platform !== 'linux' || programs.unshare === null || programs.bash === null ? Promise.resolve(false) : (swept ??= sweep(folder)).then(() => probe(folder, make)).catch(() => false)),
  }
}

/** Root needs no user namespace; for others all files are their own inside, and so they are outside. */
function launcher({ unshare, bash }: { readonly unshare: string | null; readonly bash: string | null }, own: string, root: string): readonly string[] {
  const isRoot = process.getuid?.() === 0
  return [unshare ?? 'unshare', ...(isRoot ? ['--mount'] : ['--user', '--map-root-user', '--mount']), bash ?? 'bash', '--noprofile', '--norc', '-c', mountScript, 'trial', own, root, isRoot ? 'redirect_dir=off,metacopy=off' : 'userxattr']
}

/** A file changed, one made, one deleted, a folder made anew: told right, and the folder below as it was. */
async function probe(folder: string, make: Overlays['make']): Promise<boolean> {
  const root = path.join(folder, `probe-${process.pid}-root`)
  try {
    await mkdir(path.join(root, 'sub'), { recursive: true, mode: 0o700 })
    for (const name of ['changed', 'deleted', 'sub/old']) await writeFile(path.join(root, name), 'before')
    const made = await make(`probe-${process.pid}`, root)
    if (!made.ok) return false
    const { upper, argv } = made.value
    const acted = await run(argv, ['bash', '--noprofile', '--norc', '-c', 'cd -- "$1" && printf after > changed && rm deleted && rm -r sub && mkdir sub && printf new > sub/new', 'probe', root])
    const shown = await made.value.names(['sub'])
    const whiteout = await lstat(path.join(upper, 'deleted')).catch(() => null)
    const texts = await Promise.all([path.join(root, 'changed'), path.join(upper, 'changed'), path.join(root, 'deleted')].map((file) => readFile(file, 'utf8')))
    await made.value.remove()
    return acted.ok && shown.ok && [...(shown.value.get('sub') ?? [])].join() === 'new' && whiteout !== null && isWhiteout(whiteout) && texts.join(' ') === 'before after before'
  } finally {
    await removeTree(root)
  }
}

/** The mark of a deleted name: a device with the number zero. */
export function isWhiteout(stats: { isCharacterDevice(): boolean; readonly rdev: number | bigint }): boolean {
  return stats.isCharacterDevice() && Number(stats.rdev) === 0
}

async function namesIn(folders: readonly string[], own: string, root: string, argv: readonly string[], bash: string): Promise<Result<ReadonlyMap<string, ReadonlySet<string>>>> {
  const asked = path.join(own, 'asked')
  await writeFile(asked, folders.map((folder) => `${folder === '' ? '.' : folder}\0`).join(''))
  const told = await run(argv, [bash, '--noprofile', '--norc', '-c', namesScript, 'names', asked, root])
  if (!told.ok) return fail('trial.not-started', { problem: told.problem })
  const found = new Map<string, ReadonlySet<string>>()
  const words = told.output.split('\0')
  for (let at = 0; at < words.length - 1; at++) {
    const folder = words[at] === '.' ? '' : (words[at] ?? '')
    const end = words.indexOf('', at + 1)
    found.set(folder, new Set(words.slice(at + 1, end)))
    at = end
  }
  return succeed(found)
}

type Ran = { readonly ok: true; readonly output: string } | { readonly ok: false; readonly problem: string }

function run(argv: readonly string[], program: readonly string[]): Promise<Ran> {
  const [file = '', ...options] = argv
  const env = { PATH: programFolders.join(':'), LC_ALL: 'C.UTF-8' }
  return new Promise((resolve) => {
    execFile(file, [...options, ...program], { env, timeout: limitMs, killSignal: 'SIGKILL', maxBuffer: 256 * 1024 * 1024 }, (error, output, remarks) => {
      resolve(error === null ? { ok: true, output } : { ok: false, problem: (remarks.trim() || error.message).slice(0, 300) })
    })
  })
}

/** Removes a trial's folder whatever bits a command gave to what is in it. */
async function removeTree(folder: string): Promise<void> {
  await openUp(folder)
  const isGone = await rm(folder, { recursive: true, force: true }).then(() => true, () => false)
  // Deeper than a path can be long: only a program that goes down folder by folder reaches it. What is left goes with the next start.
  if (!isGone) await run([findProgram('rm', programFolders) ?? 'rm'], ['-rf', '--', folder])
}

async function openUp(folder: string): Promise<void> {
  const stats = await lstat(folder).catch(() => null)
  if (stats === null || !stats.isDirectory()) return
  if ((stats.mode & 0o700) !== 0o700) await chmod(folder, 0o700).catch(() => {})
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) if (entry.isDirectory()) await openUp(path.join(folder, entry.name))
}

/** Trials of apps that no longer live; without a whole owner's mark it never ran. */
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const text = await readFile(path.join(folder, name, 'owner.json'), 'utf8').catch(() => '')
    if (ownerOf(text) !== 'alive') await removeTree(path.join(folder, name))
  }
}

function ownerOf(text: string): ReturnType<typeof lifeOf> {
  try {
    return lifeOf(JSON.parse(text) as ProcessIdentity)
  } catch {
    return 'dead'
  }
}
