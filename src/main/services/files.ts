import { byFit, queryWords, scorePath, type RankedPath } from '../../shared/domain/fuzzyPath'
import { editorArguments, isOnlyLookedAt, readEditorCommand, type EditorOffer } from '../../shared/domain/editorCommand'
import { fail, succeed, type Result } from '../../shared/domain/result'
import type { Verdict } from '../../shared/domain/verdict'
import type { FileView, FoundFiles } from '../../shared/ipc/fileViews'
import type { Editors } from '../core/ports/editors'
import type { SettingsStore } from '../core/ports/settingsStore'
import type { TextSearch } from '../core/ports/textSearch'
import type { PathFacts, WorkspaceFs } from '../core/ports/workspaceFs'
import { viewOf } from './fileText'

/** The files of the opened folder, as the person may look at them. */
export interface OpenFiles {
  readonly root: string
  readonly fs: Pick<WorkspaceFs, 'locate' | 'read'>
  readonly judge: (facts: PathFacts) => Verdict
}

/** What the service works with. */
export interface FilesPorts {
  readonly current: () => OpenFiles | null
  readonly search: Pick<TextSearch, 'files'>
  readonly editors: Editors
  readonly settings: Pick<SettingsStore, 'read'>
  readonly nowMs: () => number
  /** A file of the app's own, for the test of the editor. */
  readonly ownFile: string
}

/** A place to open. */
export interface PlaceToOpen {
  readonly path: string
  readonly line: number
  readonly column: number
}

/** The files of the opened folder for the person (R111): read, found by name, opened in their editor. Nothing outside it is ever touched. */
export interface Files {
  /** `isAsked`: the person said that a protected file is to be shown. */
  read(path: string, isAsked: boolean): Promise<Result<FileView>>
  /** For each name the path of the file in the opened folder, tried below `base` first; null where there is none. */
  known(names: readonly string[], base: string | null): Promise<readonly (string | null)[]>
  /** Files whose paths fit, ignored ones left out. A later question ends an earlier one. */
  find(query: string): Promise<Result<FoundFiles>>
  /** Opens it in the person's editor; without one, `system` holds the real path for the window to hand on. */
  open(place: PlaceToOpen): Promise<Result<{ readonly system: string | null }>>
  /** The real path of a file of the folder, to be shown where it lies. */
  placeOf(path: string): Promise<Result<string>>
  editors(): Promise<readonly EditorOffer[]>
  /** Opens a file of the app's own with the command that is kept. */
  testEditor(): Promise<Result<null>>
}

/** Largest file that is shown; Monaco stays quick with it. */
const shownBytes = 5 * 1024 * 1024
const mostFiles = 200_000
const mostFound = 60
/** A list of names is true for so long; typing asks again and again. */
const listMs = 3000
/** So many paths are looked at before others are let in. */
const atOnce = 4000

interface Listing {
  readonly root: string
  readonly atMs: number
  readonly paths: Promise<Result<{ readonly paths: readonly string[]; readonly isCut: boolean }>>
}

/** Makes the service. */
export function makeFiles(ports: FilesPorts): Files {
  let listing: Listing | null = null
  let asked = 0

  const list = (root: string): Listing['paths'] => {
    if (listing?.root === root && ports.nowMs() - listing.atMs < listMs) return listing.paths
    listing = { root, atMs: ports.nowMs(), paths: ports.search.files({ root, under: root, glob: '**', max: mostFiles }, new AbortController().signal) }
    return listing.paths
  }

  return {
    async read(path, isAsked) {
      const place = await locate(ports, path)
      if (!place.ok) return place
      const { open, facts, verdict, relative } = place.value
      if (verdict.kind === 'ask' && !isAsked) return succeed({ kind: 'asks', path: relative, reason: verdict.reason })
      if (facts.identity !== null && facts.identity.size > shownBytes) return succeed({ kind: 'too-large', path: relative, limitBytes: shownBytes })
      const content = await open.fs.read(facts, shownBytes)
      return content.ok ? succeed(viewOf(relative, content.value.bytes)) : content
    },
    async known(names, base) {
      return Promise.all(names.map(async (name) => (base === null ? null : await knownAt(ports, `${base}/${name}`)) ?? knownAt(ports, name)))
    },
    async find(query) {
      const turn = (asked += 1)
      const root = ports.current()?.root
      if (root === undefined) return fail('retrieval.no-folder')
      const listed = await list(root)
      if (!listed.ok) return listed
      const ranked = await rank(query, listed.value.paths, () => turn !== asked)
      return succeed({ ...ranked, isCut: listed.value.isCut })
    },
    async open(place) {
      const found = await locate(ports, place.path)
      if (!found.ok) return found
      const { realPath } = found.value.facts
      const { editorCommand } = (await ports.settings.read()).settings
      if (editorCommand.trim() === '') return bySystem(found.value)
      const started = await startEditor(editorCommand, { ...place, path: realPath }, ports)
      return started.ok ? succeed({ system: null }) : started
    },
    async placeOf(path) {
      const found = await locate(ports, path)
      return found.ok ? succeed(found.value.facts.realPath) : found
    },
    editors: () => ports.editors.detected(),
    async testEditor() {
      const { editorCommand } = (await ports.settings.read()).settings
      return startEditor(editorCommand, { path: ports.ownFile, line: 1, column: 1 }, ports)
    },
  }
}

interface Located {
  readonly open: OpenFiles
  readonly facts: PathFacts
  readonly verdict: Verdict
  readonly relative: string
}

/** A file of the opened folder that the guard does not deny, by its real place. */
async function locate({ current }: Pick<FilesPorts, 'current'>, path: string): Promise<Result<Located>> {
  const open = current()
  if (open === null) return fail('retrieval.no-folder')
  const facts = await open.fs.locate(path, 'read')
  const verdict = open.judge(facts)
  if (verdict.kind === 'deny') return { ok: false, fault: verdict.reason }
  // What the guard lets a command read without asking, the null device, is no file of the folder.
  if (facts.relative === null) return fail('path.outside', { path })
  if (facts.kind === 'missing') return fail('path.missing', { path })
  if (facts.kind !== 'file') return fail('file.not-a-file', { path })
  return succeed({ open, facts, verdict, relative: facts.relative })
}

async function knownAt(ports: FilesPorts, name: string): Promise<string | null> {
  const found = await locate(ports, name)
  return found.ok ? found.value.relative : null
}

/** The system may run what it is told to open. */
async function bySystem({ open, facts, relative }: Located): Promise<Result<{ readonly system: string | null }>> {
  const content = await open.fs.read(facts, shownBytes)
  const mode = content.ok ? content.value.mode : 0o111
  return isOnlyLookedAt(facts.realPath, mode) ? succeed({ system: facts.realPath }) : fail('editor.needed', { path: relative })
}

async function startEditor(command: string, place: PlaceToOpen, { editors, current }: FilesPorts): Promise<Result<null>> {
  const words = readEditorCommand(command)
  if (!words.ok) return words
  const [program, ...args] = words.value
  return editors.start(program, editorArguments(args, place), current()?.root ?? null)
}

async function rank(query: string, paths: readonly string[], isOver: () => boolean): Promise<Pick<FoundFiles, 'paths' | 'total'>> {
  const words = queryWords(query)
  const fitting: RankedPath[] = []
  for (let from = 0; from < paths.length && !isOver(); from += atOnce) {
    for (const path of paths.slice(from, from + atOnce)) {
      const score = scorePath(words, path)
      if (score !== null) fitting.push({ path, score })
    }
    // Nothing else waits for a long list.
    await new Promise((resolve) => setTimeout(resolve))
  }
  return { paths: fitting.sort(byFit).slice(0, mostFound).map(({ path }) => path), total: fitting.length }
}
