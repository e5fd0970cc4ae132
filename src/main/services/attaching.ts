import type { AttachedFile } from '../../shared/domain/event'
import { byFit, queryWords, scorePath, type RankedPath } from '../../shared/domain/fuzzyPath'
import { fail, succeed, type Result } from '../../shared/domain/result'
import type { FoundPath, KeptType, TakenFile } from '../../shared/ipc/attachViews'
import { framedFrom } from '../core/mcp/frame'
import { oneLine } from '../core/mcp/hiddenText'
import { outsideText } from '../core/mcp/results'
import type { BlobStore } from '../core/ports/blobStore'
import { neverCancelled } from '../core/ports/cancelSignal'
import type { Clock } from '../core/ports/clock'
import type { ImageScaler } from '../core/ports/imageScaler'
import type { TextSearch } from '../core/ports/textSearch'
import { decodeFile } from '../core/tools/textFile'
import { attachedFromProject, type AttachSight, type ProjectFilePorts } from './attachingFiles'

/** What goes with a message: a place in the project, or what was kept before. */
export type ChosenFile = { readonly kind: 'project'; readonly path: string } | { readonly kind: 'kept'; readonly ref: string; readonly name: string; readonly mimeType: KeptType }

/** Pictures and files that the person gives with a message (R90). */
export interface Attaching {
  /** Files and folders of the project whose path fits, best first; ignored ones are left out. */
  find(query: string): Promise<readonly FoundPath[]>
  /** Where a path of this machine lies in the project; null when outside, or not there. */
  place(path: string): Promise<FoundPath | null>
  /** Takes the bytes of a picture or a text from elsewhere and keeps them; a fault says what to do instead. */
  take(file: { readonly name: string; readonly bytes: Uint8Array }): Promise<Result<TakenFile>>
  /** Reads all as they are now. One that cannot be read fails the whole, so that nothing is sent without it. */
  read(files: readonly ChosenFile[]): Promise<Result<readonly AttachedFile[]>>
  /** The same to be counted (R23): nothing is decoded or kept for it, and what cannot be read is left out. */
  measure(files: readonly ChosenFile[]): Promise<readonly AttachedFile[]>
}

export interface AttachingPorts extends ProjectFilePorts {
  readonly scaler: ImageScaler
  readonly search: Pick<TextSearch, 'files'>
  readonly blobs: BlobStore
  readonly clock: Pick<Clock, 'nowMs'>
  readonly sight: () => AttachSight | null
}

const mostFound = 30
const mostListed = 100_000
/** So long a list of the project is taken for the same: a word is typed faster. */
const listedMs = 5000
const outsideBytes = 10_000_000

/** Makes the service over the folder that is open. */
export function makeAttaching(ports: AttachingPorts): Attaching {
  let listed: { readonly root: string; readonly atMs: number; readonly paths: Promise<readonly FoundPath[]> } | null = null

  const pathsOf = (root: string): Promise<readonly FoundPath[]> => {
    const nowMs = ports.clock.nowMs()
    if (listed?.root !== root || nowMs - listed.atMs > listedMs) listed = { root, atMs: nowMs, paths: listAll(root, ports.search) }
    return listed.paths
  }
  const readOne = async (file: ChosenFile, reading: Reading): Promise<Result<AttachedFile>> => {
    if (file.kind === 'kept') return attachedFromKept(file, reading)
    const sight = ports.sight()
    return sight === null ? fail('path.missing', { path: file.path }) : attachedFromProject(file.path, sight, reading)
  }

  return {
    async find(query) {
      const sight = ports.sight()
      return sight === null ? [] : best(await pathsOf(sight.root), query)
    },
    async place(path) {
      const sight = ports.sight()
      if (sight === null) return null
      const facts = await sight.fs.locate(path, 'read')
      const isThere = facts.problem === null && (facts.kind === 'file' || facts.kind === 'folder')
      return isThere && facts.relative !== null && facts.relative !== '' ? { path: facts.relative, isFolder: facts.kind === 'folder' } : null
    },
    take: ({ name, bytes }) => take(oneLine(name, 200), bytes, ports),
    async read(files) {
      const attached: AttachedFile[] = []
      for (const file of files) {
        const one = await readOne(file, ports)
        if (!one.ok) return one
        attached.push(one.value)
      }
      return succeed(attached)
    },
    async measure(files) {
      const read = await Promise.all(files.map(async (file) => (file.kind === 'kept' && file.mimeType !== 'text/plain' ? succeed(pictureOf(file, 0)) : readOne(file, { ...ports, ...toCount(ports.scaler) }))))
      return read.flatMap((one) => (one.ok ? [one.value] : []))
    },
  }
}

type Reading = ProjectFilePorts & Pick<AttachingPorts, 'blobs'>

/** Stands for what would be kept and decoded when the message is sent. */
function toCount(scaler: Pick<ImageScaler, 'reads'>): Pick<Reading, 'results' | 'scaler'> {
  return {
    results: { keep: () => Promise.resolve(''), keepText: () => Promise.resolve('') },
    scaler: { scale: (bytes) => Promise.resolve(scaler.reads(bytes) ? succeed({ bytes: new Uint8Array(), mimeType: 'image/png' as const }) : fail('attach.no-picture')) },
  }
}

/** So many paths are looked at before others are let in. */
const atOnce = 4000

/** The best few; a full-width letter is what it looks like. */
async function best(all: readonly FoundPath[], query: string): Promise<readonly FoundPath[]> {
  const words = queryWords(query.normalize('NFKC'))
  const fitting: (RankedPath & FoundPath)[] = []
  for (let from = 0; from < all.length; from += atOnce) {
    for (const found of all.slice(from, from + atOnce)) {
      const score = scorePath(words, found.path)
      if (score !== null) fitting.push({ ...found, score })
    }
    if (all.length > atOnce) await new Promise((resolve) => setTimeout(resolve))
  }
  return fitting.sort(byFit).slice(0, mostFound).map(({ path, isFolder }) => ({ path, isFolder }))
}

/** The files, and the folders they lie in. What cannot be listed offers nothing. */
async function listAll(root: string, search: Pick<TextSearch, 'files'>): Promise<readonly FoundPath[]> {
  const found = await search.files({ root, under: root, glob: '**', max: mostListed }, neverCancelled)
  if (!found.ok) return []
  const folders = new Set<string>()
  for (const path of found.value.paths) {
    for (let at = path.lastIndexOf('/'); at > 0 && !folders.has(path.slice(0, at)); at = path.lastIndexOf('/', at - 1)) folders.add(path.slice(0, at))
  }
  return [...[...folders].map((path) => ({ path, isFolder: true })), ...found.value.paths.map((path) => ({ path, isFolder: false }))]
}

async function take(name: string, bytes: Uint8Array, { scaler, blobs, results }: AttachingPorts): Promise<Result<TakenFile>> {
  const scaled = await scaler.scale(bytes, neverCancelled)
  if (scaled.ok) {
    const { bytes: made, mimeType, width, height, notes } = scaled.value
    return succeed({ ref: await blobs.put(made), name, mimeType, sizeBytes: made.length, pixels: { width, height }, notes })
  }
  if (scaled.fault.code !== 'attach.no-picture') return fail('attach.cannot', { name, reason: scaled.fault })
  if (bytes.length > outsideBytes) return fail('attach.file-bytes', { name, sizeBytes: bytes.length, limitBytes: outsideBytes })
  const text = outsideWords(bytes)
  if (text === null) return fail('attach.no-text', { name })
  // The store holds no secret that can be detected: what is kept is redacted already.
  return succeed({ ref: await results.keepText(text), name, mimeType: 'text/plain', sizeBytes: bytes.length, pixels: null, notes: [] })
}

/** What was kept. The page names it, so what it is, is looked at again. */
async function attachedFromKept({ ref, name, mimeType }: Extract<ChosenFile, { readonly kind: 'kept' }>, { blobs, results }: Reading): Promise<Result<AttachedFile>> {
  const bytes = await blobs.get(ref)
  if (bytes === null) return fail('attach.gone', { name })
  const shown = oneLine(name, 200)
  if (mimeType !== 'text/plain') {
    if (!isOf(mimeType, bytes)) return fail('attach.gone', { name: shown })
    return succeed(pictureOf({ ref, name, mimeType }, bytes.length))
  }
  const text = outsideWords(bytes)
  if (text === null) return fail('attach.no-text', { name: shown })
  const source = { kind: 'file', path: shown } as const
  const { body, outputRef, isEmpty } = await outsideText(text, source, results)
  return succeed({ path: null, name: shown, text: isEmpty ? framedFrom('', source) : body, outputRef, content: [{ kind: 'file', mimeType, ref, sizeBytes: bytes.length, name: shown }] })
}

function pictureOf({ ref, name, mimeType }: { readonly ref: string; readonly name: string; readonly mimeType: string }, sizeBytes: number): AttachedFile {
  const shown = oneLine(name, 200)
  return { path: null, name: shown, text: '', outputRef: null, content: [{ kind: 'image', mimeType, ref, sizeBytes, name: shown }] }
}

/** Text of a file from anywhere: Unicode, or what Chinese systems wrote before it; null for what is no text. */
function outsideWords(bytes: Uint8Array): string | null {
  const file = decodeFile(bytes)
  return file?.encoding === 'bytes' ? new TextDecoder('gb18030').decode(bytes) : (file?.text ?? null)
}

function isOf(mimeType: 'image/png' | 'image/jpeg', bytes: Uint8Array): boolean {
  const first = mimeType === 'image/png' ? [0x89, 0x50, 0x4e, 0x47] : [0xff, 0xd8, 0xff]
  return first.every((byte, at) => bytes[at] === byte)
}
