import { fail, said, type Result, type Said } from '../../../shared/domain/result'
import { judgePath } from '../policy/pathGuard'
import type { Fence } from '../policy/protectedPaths'
import type { FileIdentity, FolderEntry, PathFacts, WorkspaceFs } from '../ports/workspaceFs'
import { decodeUtf8 } from '../tools/utf8'

/** A file as text. `real` is where it lies, relative to the folder: another than `path` where a link led to it. */
export interface ProjectText {
  readonly path: string
  readonly real: string
  readonly text: string
  readonly hash: string
  readonly sizeBytes: number
}

/** A file by its content alone. */
export interface ProjectHash {
  readonly real: string
  readonly hash: string
  readonly sizeBytes: number
}

/** Files of an opened folder, by paths relative to it. Every read is judged by the path guard first, as those of the agent are. */
export interface ProjectFiles {
  /** Null when there is no such file. What cannot be read as text, lies outside or needs a consent of its own is a fault. */
  text(path: string, limitBytes: number): Promise<Result<ProjectText> | null>
  /** The content's hash, text or not. */
  hash(path: string, limitBytes: number): Promise<Result<ProjectHash> | null>
  /** Entries by name, and where the folder lies; none when it is not there. */
  list(path: string): Promise<{ readonly real: string; readonly entries: readonly FolderEntry[] }>
}

/** Hashes of files by what tells that they did not change since: a folder is looked at often. */
export type KnownHashes = Map<string, string>

const mostKnown = 20_000

/** Opens it over the files of a folder. */
export function makeProjectFiles(fs: WorkspaceFs, fence: Fence, known: KnownHashes): ProjectFiles {
  /** Null: nothing is there. A secrets file may be hashed, since nothing of it is shown then. */
  async function located(path: string, mayAsk: boolean): Promise<Result<PathFacts> | null> {
    const facts = await fs.locate(path, 'read')
    if (facts.problem === null && (facts.kind === 'missing' || facts.kind === 'folder')) return null
    // Nothing brings nothing; it may be what holds the name free while a command runs.
    if (facts.kind === 'file' && facts.identity?.size === 0) return null
    const verdict = judgePath(facts, 'read', fence)
    const isFine = verdict.kind === 'allowable' || (mayAsk && verdict.kind === 'ask')
    return isFine && facts.kind === 'file' ? { ok: true, value: facts } : fail('trust.left-out', { path, reason: verdict.reason })
  }

  return {
    async text(path, limitBytes) {
      const facts = await located(path, false)
      if (facts === null || !facts.ok) return facts
      const read = await fs.read(facts.value, limitBytes)
      if (!read.ok) return { ok: false, fault: leftOut(path, read.fault) }
      const text = textOf(read.value.bytes)
      if (text === null) return fail('trust.left-out', { path, reason: said('trust.no-text') })
      return { ok: true, value: { path, real: facts.value.relative ?? path, text, hash: read.value.hash, sizeBytes: read.value.bytes.length } }
    },
    async hash(path, limitBytes) {
      const facts = await located(path, true)
      if (facts === null || !facts.ok) return facts
      const { identity, relative } = facts.value
      const key = identity === null ? null : keyOf(identity)
      const before = key === null ? undefined : known.get(key)
      if (before !== undefined && identity !== null) return { ok: true, value: { real: relative ?? path, hash: before, sizeBytes: identity.size } }
      const read = await fs.read(facts.value, limitBytes)
      if (!read.ok) return { ok: false, fault: leftOut(path, read.fault) }
      if (known.size >= mostKnown) known.clear()
      known.set(keyOf(read.value.identity), read.value.hash)
      return { ok: true, value: { real: relative ?? path, hash: read.value.hash, sizeBytes: read.value.bytes.length } }
    },
    async list(path) {
      const facts = await fs.locate(path === '' ? '.' : path, 'list')
      if (facts.kind !== 'folder' || judgePath(facts, 'list', fence).kind !== 'allowable') return { real: path, entries: [] }
      const entries = await fs.list(facts)
      return { real: facts.relative ?? path, entries: entries.ok ? entries.value : [] }
    },
  }
}

function leftOut(path: string, reason: Said): Said {
  return said('trust.left-out', { path, reason })
}

/** The time of the last change of an inode cannot be set by a program of the same user without changing it. */
function keyOf({ dev, ino, size, mtimeNs, ctimeNs }: FileIdentity): string {
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`
}

/** Null for what is no UTF-8 text. Without a byte order mark, with line feeds. */
function textOf(bytes: Uint8Array): string | null {
  return bytes.includes(0) ? null : (decodeUtf8(bytes)?.replace(/^\ufeff/u, '').replace(/\r\n?/gu, '\n') ?? null)
}
