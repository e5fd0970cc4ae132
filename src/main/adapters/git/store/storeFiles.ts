import { createHash, randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { lifeOf, ownIdentity, type ProcessIdentity } from '../../../native/processIdentity'
import type { UsualBits } from '../scan/sideList'

/** What is written once about a store, beside git's own files. */
interface StoreNote {
  readonly version: 1
  /** The store's own id: a stat cache belongs to it and not to its place. */
  readonly store: string
  /** Null until the first scan has decided. */
  readonly usual: UsualBits | null
}

/** The branch whose commits are the snapshots. */
export const mainRef = 'refs/heads/main'

const noteName = 'countersign.json'
/** How long a commit, or the removal of what was packed or forgotten, waits for the others. */
export const lockWaitMs = 30_000
/** Temporary files that cannot be laid to a process any more are removed after this. */
const unseenMs = 60 * 60_000

/** Names this process in the temporary files of a store. */
export function ownTag(): string {
  const own = ownIdentity()
  return `${own.pid}-${own.startedAt || '0'}-${scopeMark(own.scope)}`
}

/** Whoever moves a name of the store, or removes something from it, holds this lock. */
export function storeLock(folder: string): string {
  return join(folder, 'countersign.lock')
}

/** Bytes of all files in a folder. */
export function sizeOf(folder: string): number {
  let bytes = 0
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) bytes += sizeOf(path)
    else bytes += fs.lstatSync(path, { throwIfNoEntry: false })?.size ?? 0
  }
  return bytes
}

/** Makes what plain git needs to take the folder for a repository. What is there stays. Names are made by one rename each, so two may do it at once. */
export function ensureStore(folder: string, root: string, leaveOut: readonly string[]): StoreNote {
  for (const sub of ['objects/pack', 'objects/info', 'refs/heads', 'refs/tags', 'info']) fs.mkdirSync(join(folder, sub), { recursive: true, mode: 0o700 })
  // Also where something else stands in it: without a HEAD it knows, git takes the folder for no repository.
  writeAnew(folder, 'HEAD', `ref: ${mainRef}\n`)
  writeAnew(folder, 'config', configFor(root))
  keepLeaveOut(folder, leaveOut)
  writeOnce(folder, noteName, JSON.stringify({ version: 1, store: randomUUID(), usual: null } satisfies StoreNote))
  sweep(folder)
  return readNote(folder)
}

/** Keeps the usual bits for the store's life. The first to write wins. */
export function keepUsualBits(folder: string, usual: UsualBits): UsualBits {
  const note = readNote(folder)
  if (note.usual) return note.usual
  writeAnew(folder, noteName, JSON.stringify({ ...note, usual }))
  return usual
}

/** Writes a file of the store whole: temporary file in the store's own folder, flush, rename. Never a stray name among the refs. */
export function writeAnew(folder: string, name: string, text: string): void {
  const target = join(folder, name)
  if (readText(target) === text) return
  const temporary = writeTemporary(folder, text)
  fs.renameSync(temporary, target)
}

function readNote(folder: string): StoreNote {
  const file = join(folder, noteName)
  try {
    const note = JSON.parse(fs.readFileSync(file, 'utf8')) as Partial<StoreNote>
    if (note.version === 1 && typeof note.store === 'string') return { version: 1, store: note.store, usual: note.usual ?? null }
  } catch {
    // Damaged: a new id makes the stat cache of the old one worthless, which costs one full read.
  }
  const note: StoreNote = { version: 1, store: randomUUID(), usual: null }
  writeAnew(folder, noteName, JSON.stringify(note))
  return note
}

function writeOnce(folder: string, name: string, text: string): void {
  const target = join(folder, name)
  if (fs.existsSync(target)) return
  const temporary = writeTemporary(folder, text)
  try {
    fs.linkSync(temporary, target)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EEXIST') return
    // A disk without hard links.
    fs.renameSync(temporary, target)
  } finally {
    fs.rmSync(temporary, { force: true })
  }
}

function writeTemporary(folder: string, text: string): string {
  const temporary = join(folder, `tmp_file_${ownTag()}_${randomUUID()}`)
  const fd = fs.openSync(temporary, 'wx', 0o600)
  try {
    fs.writeSync(fd, text)
    fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
  return temporary
}

function readText(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

/** What `git fsck` would find wrong with files of a project, which are held as they are. Only names that gits of many years know: it dies of others. */
const heldAnyway = ['hasDotgit', 'gitmodulesBlob', 'gitmodulesLarge', 'gitmodulesName', 'gitmodulesParse', 'gitmodulesPath', 'gitmodulesSymlink', 'gitmodulesUpdate', 'gitmodulesUrl', 'gitattributesSymlink', 'gitignoreSymlink', 'mailmapSymlink']

/** Nothing in it runs a program, changes bytes or packs by itself. */
function configFor(root: string): string {
  const quoted = `"${root.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n').replace(/\t/g, '\\t')}"`
  return `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
\tworktree = ${quoted}
\tautocrlf = false
\tfsmonitor = false
\thooksPath = /dev/null
[gc]
\tauto = 0
[fsck]
${heldAnyway.map((name) => `\t${name} = ignore\n`).join('')}`
}

/** So that plain git leaves out the same. */
export function keepLeaveOut(folder: string, leaveOut: readonly string[]): void {
  writeAnew(folder, 'info/exclude', `# Left out of every snapshot unless the project's own .gitignore takes it back.\n${leaveOut.join('\n')}\n`)
}

/** Removes what killed processes left: half-written packs, objects and files. Those of living ones stay. */
function sweep(folder: string): void {
  const objects = join(folder, 'objects')
  const places = [folder, objects, ...fs.readdirSync(objects).map((name) => join(objects, name))]
  for (const place of places) {
    for (const name of namesIn(place)) {
      const tag = /^tmp_(?:pack|obj|file)_(\d+)-(\d+)-([0-9a-f]+)_/.exec(name)
      if (tag && isLeftBehind(join(place, name), tag)) fs.rmSync(join(place, name), { force: true })
    }
  }
  sweepPacks(join(objects, 'pack'))
  for (const name of namesIn(folder)) if (/^countersign\..*lock\.[0-9a-f-]+\.tmp$/.test(name) && isOfDead(join(folder, name))) fs.rmSync(join(folder, name), { force: true })
}

/** What somebody was about to make a lock of when they were killed. */
function isOfDead(file: string): boolean {
  try {
    return lifeOf(JSON.parse(fs.readFileSync(file, 'utf8')) as ProcessIdentity) === 'dead'
  } catch {
    return false // gone, or not whole yet
  }
}

/**
 * A pack without an index was being written or removed when its owner was killed. One that is being written now has its index
 * beside it under a temporary name all the time.
 */
function sweepPacks(folder: string): void {
  const packs = namesIn(folder).filter((name) => /^pack-[0-9a-f]{40}\.(?:pack|rev|bitmap|mtimes)$/.test(name))
  const after = namesIn(folder)
  if (after.some((name) => /^(?:tmp_pack_|tmp_idx_|\.tmp-)/.test(name))) return
  for (const name of packs) {
    if (!fs.existsSync(join(folder, name.replace(/\.\w+$/, '.idx')))) fs.rmSync(join(folder, name), { force: true })
  }
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder)
  } catch {
    return []
  }
}

function isLeftBehind(file: string, [, pid = '', startedAt = '', mark = '']: RegExpExecArray): boolean {
  const { scope } = ownIdentity()
  const owner = { pid: Number(pid), startedAt: startedAt === '0' ? '' : startedAt, scope }
  if (mark === scopeMark(scope)) return lifeOf(owner) === 'dead'
  const stats = fs.lstatSync(file, { throwIfNoEntry: false })
  return stats !== undefined && Date.now() - stats.mtimeMs > unseenMs
}

function scopeMark(scope: string): string {
  return createHash('sha256').update(scope).digest('hex').slice(0, 12)
}
