import { realpathSync } from 'node:fs'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import path from 'node:path'
import type { Sandbox, SandboxLaunch, SandboxUse } from '../../core/ports/sandbox'
import type { SandboxReport } from '../../../shared/domain/sandbox'
import { fail, said, succeed, type Result, type Said } from '../../../shared/domain/result'
import { findProgram } from '../../native/processTreeIsolation'
import { programFolders } from '../../native/searchPath'
import { bubblewrapArguments, isInside } from './bubblewrap'
import { removeOldCaches, viewCaches, viewTools, type Shown } from './homeView'
import { isTooWide, lookAtLinux, nameServers, visibleSockets, type LinuxPlace } from './linuxPlace'
import { takenVariables, withoutRetries } from './places'
import { makePlaceholders, type Placeholders } from './placeholders'
import { viewProject, withPlaceholders, type ProjectView } from './projectView'
import { seatbeltProfile } from './seatbelt'
import { testSandbox } from './selfTest'

/** What the sandbox works with. */
export interface SandboxParts {
  readonly platform: string
  readonly home: string
  readonly dataFolder: string
  readonly source: NodeJS.ProcessEnv
  readonly searchPath: () => Promise<readonly string[]>
  /** One list for guards and sandbox: places of a project that others execute, by path and by ending; logins of a person and of the machine. */
  readonly names: {
    readonly executedPlaces: readonly string[]
    readonly executedEndings: readonly string[]
    readonly credentialPlaces: readonly string[]
    readonly systemCredentials: readonly string[]
  }
  readonly nowMs: () => number
  /** Whether an overlay works here; asked once with the test. */
  readonly canTry?: () => Promise<boolean>
  /** Where to look for bubblewrap and bash. */
  readonly programFolders?: readonly string[]
}

/** How a launch is made beyond what a caller may ask for. */
export interface LaunchHow {
  /** For a trial: the project is a copy already, so stand-ins are mounted and not made; nothing else is writable. */
  readonly isTrial: boolean
  readonly as: { readonly userId: number; readonly groupId: number } | null
  /** Shown besides, for the test. */
  readonly shown: readonly Shown[]
}

/** A sandbox with the door that trial and test use. */
export interface HostSandbox extends Sandbox {
  /** Like `launcher`, also while it is not known whether the sandbox holds. Names the places that a trial's copy holds for us. */
  prepare(use: SandboxUse, how: LaunchHow): Promise<Result<SandboxLaunch & { readonly standIns: readonly string[] }>>
}

const ordinary: LaunchHow = { isTrial: false, as: null, shown: [] }
/** Tools come and go; they are looked for again after this time. */
const toolsKeptMs = 30_000

/** What does not change while the app runs. */
interface Ready {
  readonly placeholders: Placeholders
  readonly linux: LinuxPlace
  readonly bash: string
  readonly bubblewrap: string
}

/** The sandbox of this system; see the port. Nothing is started or looked at before the first call. */
export function makeSandbox(given: SandboxParts): HostSandbox {
  const parts = { ...given, home: realOrSame(given.home), dataFolder: realOrSame(given.dataFolder) }
  const folder = path.join(parts.dataFolder, 'sandbox')
  const folders = parts.programFolders ?? programFolders
  let ready: Promise<Ready> | undefined
  let placeholders: Placeholders | undefined
  let report: Promise<SandboxReport> | undefined
  let tools: { readonly atMs: number; readonly shown: Promise<readonly Shown[]> } | undefined

  const getReady = async (): Promise<Ready> => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    placeholders ??= makePlaceholders(folder)
    await removeOldCaches(folder, parts.nowMs())
    const linux = await lookAtLinux(parts.home, folder, parts.names.systemCredentials)
    return { placeholders, linux, bash: findProgram('bash', folders) ?? '', bubblewrap: findProgram('bwrap', folders) ?? '' }
  }
  const lookForTools = async (): Promise<readonly Shown[]> => {
    if (tools === undefined || parts.nowMs() - tools.atMs > toolsKeptMs) {
      const searchPath = await parts.searchPath()
      tools = { atMs: parts.nowMs(), shown: viewTools({ home: parts.home, givenHome: given.home, source: parts.source, searchPath, credentialPlaces: parts.names.credentialPlaces, folder }) }
    }
    return tools.shown
  }
  const none = (reason: Said): SandboxReport => ({ kind: 'none', reason, canTry: false, testedAtMs: parts.nowMs() })
  const examine = async (): Promise<SandboxReport> => {
    const missing = missingPart(parts.platform, folders)
    if (missing !== null) return none(missing)
    try {
      ready = getReady()
      await ready
      const leak = await testSandbox({ folder, home: parts.home, platform: parts.platform, prepare: (use, shown) => prepare(use, { ...ordinary, shown }) })
      if (leak !== null) return none(leak)
      if (parts.platform !== 'linux') return { kind: 'on', means: 'seatbelt', canTry: false, testedAtMs: parts.nowMs() }
      return { kind: 'on', means: 'bubblewrap', canTry: (await parts.canTry?.()) ?? false, testedAtMs: parts.nowMs() }
    } catch (error) {
      return none(said('sandbox.cannot-start', { problem: error instanceof Error ? error.message : String(error) }))
    }
  }
  const prepare: HostSandbox['prepare'] = async (use, how) => {
    const { linux, placeholders: held, bash, bubblewrap } = await (ready ??= getReady())
    if (!isInside(use.cwd, use.root)) return fail('sandbox.cwd-outside', { cwd: use.cwd })
    if (isTooWide(use.root, linux)) return fail('sandbox.root-too-wide', { root: use.root })
    const shown = await lookForTools()
    return held.whileNothingGoes(async () => {
      const project = await viewProject({ root: use.root, lifted: use.lifted, protectedPlaces: parts.names.executedPlaces, protectedEndings: parts.names.executedEndings, isPlaceholder: (place) => held.has(place) })
      if (!project.ok) return project
      const view = how.isTrial ? { ...project.value, outsideGit: null } : project.value
      const made: Made = { use, how, view, shown, folder, linux, bash, bubblewrap, parts }
      return parts.platform === 'linux' ? launchBubblewrap(made, held) : launchSeatbelt(made)
    })
  }
  return {
    report: () => (report ??= examine()),
    test: () => (report = examine()),
    prepare,
    async launcher(use) {
      const found = await (report ??= examine())
      return found.kind === 'on' ? prepare(use, ordinary) : { ok: false, fault: found.reason }
    },
  }
}

/** What a launch is made of. */
interface Made extends Pick<Ready, 'linux' | 'bash' | 'bubblewrap'> {
  readonly use: SandboxUse
  readonly how: LaunchHow
  readonly view: ProjectView
  readonly shown: readonly Shown[]
  readonly folder: string
  readonly parts: SandboxParts
}

type Launch = Awaited<ReturnType<HostSandbox['prepare']>>

async function launchBubblewrap(made: Made, placeholders: Placeholders): Promise<Launch> {
  const { use, how, view, shown, folder, linux, parts } = made
  const sockets = await visibleSockets(linux.emptied, use.root)
  const caches = await viewCaches({ home: parts.home, folder }, shown, { root: use.root, network: use.network, isTrial: how.isTrial })
  const servers = use.network ? await nameServers(linux.emptied) : []
  const taken = how.isTrial ? [] : placeholders.hold(view.free)
  const standIns = how.isTrial ? view.free : []
  try {
    const exclude = view.gitExclude === null || view.free.length === 0 ? [] : [await copyOfExclude(view, use.root, folder)]
    const emptyOf = ({ isFolder, content }: ProjectView['free'][number]): string => (isFolder ? linux.empty.folder : content === undefined ? linux.empty.file : linux.empty.dot)
    const argv = bubblewrapArguments({
      bubblewrap: made.bubblewrap, bash: made.bash, root: use.root, cwd: use.cwd, network: use.network, as: how.as, dataFolder: parts.dataFolder,
      emptied: linux.emptied, temporary: how.isTrial ? null : await temporaryOf(folder, use.root), kernel: linux.kernel, shown: [...linux.shownAgain, ...shown, ...servers, ...how.shown], caches,
      outsideGit: view.outsideGit, kept: view.kept, readOnly: [...view.readOnly, ...taken],
      copies: [...standIns.map((name) => ({ from: emptyOf(name), to: name.path })), ...exclude],
      hidden: { files: [...linux.secretFiles, ...sockets], folders: linux.secretFolders, emptyFile: linux.empty.file },
    })
    return succeed({ argv, environment: environmentOf('/tmp', use.network), standIns: standIns.map(({ path: place }) => place), done: () => placeholders.release(taken) })
  } catch (error) {
    void placeholders.release(taken)
    throw error
  }
}

/** Commands of one project share a /tmp of their own: what one leaves there the next may read. A trial has an empty one. */
async function temporaryOf(folder: string, root: string): Promise<string> {
  const place = path.join(folder, 'tmp', createHash('sha256').update(root).digest('hex').slice(0, 24))
  await mkdir(place, { recursive: true, mode: 0o700 })
  // Its age is what old ones are removed by.
  await utimes(place, new Date(), new Date())
  return place
}

/** Inside, git leaves the placeholders alone: what is made for safety must not be committed. */
async function copyOfExclude({ gitExclude, free }: ProjectView, root: string, folder: string): Promise<Shown> {
  if (gitExclude === null) throw new Error('there is no list to copy')
  const copies = path.join(folder, 'excludes')
  await mkdir(copies, { recursive: true, mode: 0o700 })
  const text = await withPlaceholders(gitExclude, root, free)
  // Named by what it holds, so that commands side by side share one and none can change it for another.
  const copy = path.join(copies, createHash('sha256').update(text).digest('hex').slice(0, 24))
  await writeFile(copy, text, { mode: 0o600 })
  return { from: copy, to: gitExclude.file }
}

async function launchSeatbelt({ use, view, shown, folder, parts, bash }: Made): Promise<Launch> {
  const caches = await viewCaches({ home: parts.home, folder }, shown, { root: use.root, network: use.network, isTrial: false })
  await mkdir(path.join(folder, 'tmp'), { recursive: true, mode: 0o700 })
  const temporary = await mkdtemp(path.join(folder, 'tmp', 'command-'))
  const profile = seatbeltProfile({
    root: use.root, home: parts.home, dataFolder: parts.dataFolder, network: use.network, shown: [...shown, ...caches.readOnly].filter(({ from, to }) => from === to).map(({ to }) => to), writable: [temporary],
    outsideGit: view.outsideGit, kept: view.kept, readOnly: [...view.readOnly, ...view.free.map(({ path: place }) => place)],
  })
  const environment = { ...environmentOf(temporary, use.network), XDG_CACHE_HOME: path.join(temporary, 'cache') }
  return succeed({ argv: [seatbeltProgram, '-p', profile, bash, '--noprofile', '--norc', '-c', 'exec "$@"', 'sandbox'], environment, standIns: [], done: () => rm(temporary, { recursive: true, force: true }).catch(() => {}) })
}

const seatbeltProgram = '/usr/bin/sandbox-exec'

function environmentOf(temporary: string, network: boolean): SandboxLaunch['environment'] {
  return { ...Object.fromEntries(takenVariables.map((name) => [name, null])), TMPDIR: temporary, ...(network ? {} : withoutRetries) }
}

/** The data folder may be made later than this; then nothing leads there through a link yet. */
function realOrSame(place: string): string {
  try {
    return realpathSync(place)
  } catch {
    return path.resolve(place)
  }
}

function missingPart(platform: string, folders: readonly string[]): Said | null {
  if (platform !== 'linux' && platform !== 'darwin') return said('sandbox.unsupported', { platform })
  if (findProgram('bash', folders) === null) return said('sandbox.no-bash')
  if (platform === 'linux') return findProgram('bwrap', folders) === null ? said('sandbox.not-installed') : null
  return findProgram('sandbox-exec', ['/usr/bin']) === null ? said('sandbox.unsupported', { platform }) : null
}
