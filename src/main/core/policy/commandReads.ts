import { said, type Said } from '../../../shared/domain/result'
import { severest, type Verdict } from '../../../shared/domain/verdict'
import type { PathFacts, PathUse, WorkspaceFs } from '../ports/workspaceFs'
import type { JudgedCommand } from './commandGuard'
import { foldName } from './foldName'
import type { JudgedPart } from './shell/call'
import { componentFits, markGlobs, UNKNOWN } from './shell/marks'

/** A path that leads to a secrets file, and that file: another where a link lies between. Relative to the project. */
export interface SecretPlace {
  readonly path: string
  readonly file: string
}

/** The secrets files of a project as the disk has them now. */
export interface ProjectSecrets {
  readonly places: readonly SecretPlace[]
  /** False when there was more than could be looked through. */
  readonly isWhole: boolean
  /** One of them has another name somewhere, which nothing tells. */
  readonly hasSecondName: boolean
}

/** What is needed to see on the disk what a command would reach. */
export interface CommandReadPorts {
  readonly root: string
  readonly fs: Pick<WorkspaceFs, 'locate'>
  readonly judgePath: (facts: PathFacts, use: PathUse) => Verdict
  readonly secrets: () => Promise<ProjectSecrets>
}

/**
 * Judges what a command reaches on the disk beyond its words (R65, R67): a link with an innocent name, and a secrets file in a
 * folder or behind a pattern that is read as a whole. The words themselves were judged before; this only makes it more severe.
 * Where a link leads out of the project, the place outside is told among the part's reads: its text is from outside (R71).
 */
export async function judgeReads(command: JudgedCommand, cwd: string, ports: CommandReadPorts): Promise<JudgedCommand> {
  if (command.kind === 'deny') return command
  const names = searchedNames(command.parts)
  const parts: JudgedPart[] = []
  for (const part of command.parts) {
    const { verdict: worse, reads } = await reachOf(part, { cwd: command.parts.some(({ argv }) => isMove(argv)) ? ports.root : cwd, names }, ports)
    const told = reads.length === 0 ? part : { ...part, reads: [...new Set([...part.reads, ...reads])] }
    parts.push(worse === null || (worse.kind === 'ask' && part.verdict !== 'allowable') ? told : { ...told, verdict: worse.kind, reason: worse.reason })
  }
  const worst = parts.reduce<Verdict>((found, part) => severest(found, { kind: part.verdict, reason: part.reason }), command)
  return { kind: worst.kind, reason: worst.reason, parts }
}

interface Place {
  readonly cwd: string
  readonly names: readonly string[] | null
}

/** What a part reaches: as far as it is more severe than its words, and the places outside that it reads through links. */
interface Reach {
  readonly verdict: Verdict | null
  readonly reads: readonly string[]
}

async function reachOf(part: JudgedPart, place: Place, ports: CommandReadPorts): Promise<Reach> {
  const read = await behindLinks(part.reads, readsNamesOnly(part) ? 'list' : 'read', ports)
  const links = [...read.verdicts, ...(await behindLinks(part.writes, 'write', ports)).verdicts, ...(await behindLinks(part.deletes, 'delete', ports)).verdicts]
  const found = links.reduce<Verdict | null>((worst, verdict) => (worst === null ? verdict : severest(worst, verdict)), null)
  // Who is asked about the part already need not be asked for what else it may hold.
  return { verdict: found ?? (part.verdict === 'allowable' ? await secretsOf(part, place, ports) : null), reads: read.outside }
}

async function secretsOf(part: JudgedPart, place: Place, ports: CommandReadPorts): Promise<Verdict | null> {
  const scopes = await wholeOf(scopesOf(part, place), ports)
  if (scopes.length === 0) return null
  const secrets = await ports.secrets()
  const reached = secrets.places.find(({ path }) => scopes.some((scope) => isReached(`${ports.root}/${path}`, scope)))
  if (reached !== undefined) return asks(said('guard.secret-file', { path: reached.path === reached.file ? reached.path : `${reached.path} → ${reached.file}` }))
  // It may lie under any name: what is read as a whole may hold it.
  if (secrets.hasSecondName) return asks(said('guard.secret-second-name'))
  return secrets.isWhole ? null : asks(said('guard.secrets-unknown'))
}

function asks(reason: Said): Verdict {
  return { kind: 'ask', reason }
}

/** What paths written out in full are on the disk, as far as that is more severe than their words, and which of them are outside. */
async function behindLinks(paths: readonly string[], use: PathUse, { root, fs, judgePath }: CommandReadPorts): Promise<{ readonly verdicts: readonly Verdict[]; readonly outside: readonly string[] }> {
  const verdicts: Verdict[] = []
  const outside: string[] = []
  for (const path of paths) {
    if (isPattern(path) || !path.startsWith('/')) continue
    const isInside = `${path}/`.startsWith(`${root}/`)
    const facts = await fs.locate(path, use)
    const verdict = judgePath(facts, use)
    if (facts.problem !== null || verdict.kind === 'allowable') continue
    if (isInside && facts.isThroughLink && facts.relative === null) outside.push(facts.realPath)
    const isElsewhere = facts.isThroughLink || (use === 'read' && facts.linkCount > 1)
    if (!isElsewhere) continue
    // A place outside is one that a person may let a command use, but for what nobody may use.
    if (isInside) verdicts.push(verdict.reason.code === 'path.outside-through-link' ? asks(verdict.reason) : verdict)
    else if (['path.app-data', 'path.credentials'].includes(verdict.reason.code)) verdicts.push(verdict)
  }
  return { verdicts, outside }
}

/** A place that is read as a whole: a folder, or what fits a pattern. */
interface Scope {
  readonly path: string
  /** Folders that fit are entered. */
  readonly isDeep: boolean
  /** It gets a second name, under which the rest of the command may read it. */
  readonly isLinked: boolean
  /** Hidden files are left out. */
  readonly isPlain: boolean
  /** Patterns of file names that alone are read; null for all. */
  readonly names: readonly string[] | null
}

function scopesOf(part: JudgedPart, { cwd, names }: Place): readonly Scope[] {
  if (readsNamesOnly(part)) return []
  const program = programOf(part)
  const isSearch = searchers.has(program)
  const isDeep = isSearch || copiers.has(program) || isRecursive(part)
  const own = isSearch || program === 'grep' ? globsOf(part) : null
  // What comes from another program's list of names stands for all below.
  const isFed = part.argv.some((word) => word.includes('…'))
  const paths = part.reads.length > 0 ? part.reads : isDeep && (isSearch || program === 'grep' || isGitSearch(part)) ? [cwd] : []
  return paths.map((path) => ({
    // `x*` is the guard's sign for some name below a folder.
    path: isFed ? path.replace(/\/x\*$/u, '') : path,
    isDeep: isDeep || isFed || !isPattern(path),
    isLinked: program === 'ln',
    isPlain: isSearch && !part.argv.some((word) => /^(?:--hidden|--no-ignore|--unrestricted|-\w*[u.]\w*)$/u.test(word)) && !(own ?? []).some((glob) => glob.startsWith('.')),
    names: own ?? (isFed ? names : null),
  }))
}

/** Without single files, which is what most commands read: for those no project is looked through. */
async function wholeOf(scopes: readonly Scope[], { fs }: CommandReadPorts): Promise<readonly Scope[]> {
  const isWhole = await Promise.all(scopes.map(async ({ path, isLinked }) => isLinked || isPattern(path) || (await fs.locate(path, 'list')).kind === 'folder'))
  return scopes.filter((_, at) => isWhole[at])
}

function isReached(secret: string, { path, isDeep, isLinked, isPlain, names }: Scope): boolean {
  const pattern = markGlobs(path.replaceAll('…', UNKNOWN)).split('/')
  const components = secret.split('/')
  if (pattern.length > components.length || (pattern.length < components.length && !isDeep)) return false
  if (!pattern.every((part, at) => componentFits(part, components[at] ?? ''))) return false
  const below = components.slice(pattern.length)
  // A file named in full was judged by its words.
  if (below.length === 0 && !isLinked && !isPattern(path)) return false
  if (isPlain && below.some((name) => name.startsWith('.'))) return false
  const last = foldName(components[components.length - 1] ?? '')
  return names === null || names.some((glob) => componentFits(markGlobs(foldName(glob)), last) || glob.includes('/') || /[{}!]/u.test(glob))
}

/** Parts tell of paths as a person reads them: a glob is written out, and what is not known is one sign. */
function isPattern(path: string): boolean {
  return /[*?[…]/u.test(path)
}

/** They tell of files and folders, not of what is in them. */
const nameReaders: ReadonlySet<string> = new Set([
  'ls', 'find', 'fd', 'fdfind', 'stat', 'du', 'df', 'tree', 'test', '[', '[[', 'file', 'realpath', 'readlink', 'dirname', 'basename', 'cd', 'pushd', 'pwd', 'mkdir', 'rmdir',
  'touch', 'rm', 'mv', 'chmod', 'chown', 'echo', 'printf', 'which', 'type', 'namei',
])
const searchers: ReadonlySet<string> = new Set(['rg', 'ag', 'ack', 'ugrep'])
const copiers: ReadonlySet<string> = new Set(['tar', 'bsdtar', 'zip', '7z', 'rsync', 'scp', 'cpio'])

function programOf(part: JudgedPart): string {
  const name = part.words[0] ?? part.argv[0] ?? ''
  const base = name.slice(name.lastIndexOf('/') + 1)
  return ['egrep', 'fgrep', 'rgrep', 'zgrep'].includes(base) ? 'grep' : base
}

function readsNamesOnly(part: JudgedPart): boolean {
  const program = programOf(part)
  if (program === 'git') return !isGitSearch(part)
  return nameReaders.has(program) || (searchers.has(program) && part.argv.includes('--files'))
}

function isGitSearch({ words, argv }: JudgedPart): boolean {
  return words[0] === 'git' && argv.includes('grep')
}

function isRecursive(part: JudgedPart): boolean {
  return isGitSearch(part) || part.argv[0] === 'rgrep' || part.argv.some((word) => /^(?:--recursive|--dereference-recursive|-[A-Za-z]*[rRa][A-Za-z]*)$/u.test(word))
}

function isMove(argv: readonly string[]): boolean {
  return argv[0] === 'cd' || argv[0] === 'pushd' || argv[0] === 'popd'
}

/** The file names that a search is held to: `--include=*.ts`, `-g '*.ts'`; null when it is held to none. */
function globsOf({ argv }: JudgedPart): readonly string[] | null {
  const globs = argv.flatMap((word, at) => {
    const joined = /^(?:--include|--glob|--iglob)=(.*)$/su.exec(word)?.[1] ?? /^-g(.+)$/su.exec(word)?.[1]
    if (joined !== undefined) return [joined]
    return ['--include', '--glob', '--iglob', '-g'].includes(word) ? [argv[at + 1] ?? '*'] : []
  })
  const taking = globs.filter((glob) => !glob.startsWith('!'))
  return taking.length === 0 ? null : taking
}

/** The names that a `find` before looks for; null when a part lists without one. */
function searchedNames(parts: readonly JudgedPart[]): readonly string[] | null {
  const lists = parts.filter((part) => ['find', 'ls', 'fd'].includes(programOf(part)))
  const names = lists.map(({ argv }) => argv.flatMap((word, at) => (word === '-name' || word === '-iname' ? [argv[at + 1] ?? '*'] : [])))
  const isOpen = lists.some(({ argv }) => argv.some((word) => ['-o', '-or', '!', '-not', ','].includes(word)))
  return lists.length === 0 || isOpen || names.some((each) => each.length === 0) ? null : names.flat()
}
