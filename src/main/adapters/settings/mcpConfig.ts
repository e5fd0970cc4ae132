import { createHash } from 'node:crypto'
import { readFileSync, statSync, unwatchFile, watch as watchFolder, watchFile } from 'node:fs'
import { mkdir, realpath, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { McpConfig, McpConfigRead, McpServerConfig } from '../../core/ports/mcpConfig'
import { fail, said, succeed, type Result, type Said } from '../../../shared/domain/result'
import { LockHeld, withFileLock } from '../../native/fileLock'
import { removeLeftOvers, writeWhole } from '../../native/wholeFile'
import { isGoodName } from './mcpEntry'
import { scanOthers, type Places } from './mcpImport'
import { readPasted } from './mcpPaste'
import { countOf, emptyMcpText, readMcpText, withoutServer, withServer } from './mcpText'
import { readSmallFile } from './smallFile'

const lockMs = 10_000
const limitBytes = 1024 * 1024
/** Editors write in several steps; what they end with counts. */
const quietMs = 150
/** Links into other folders, network drives and systems that are out of watches show a change this late. */
const pollMs = 2_000

/** Somebody who wants to know of changes, and the content that they know of. */
interface Watcher {
  known: string
  readonly listener: () => void
}

/** What is in the file: its text, null when it is not there, or why it cannot be read. */
type Content = { readonly ok: true; readonly text: string | null } | { readonly ok: false; readonly fault: Said }

/**
 * mcp.json in the data folder (R43, R44). A link is followed, so that the file may lie with somebody's other settings. Each
 * change reads the file again under a lock, touches only what differs, and replaces the whole at once.
 */
export function openMcpConfig(file: string, places: Places): McpConfig {
  const watchers = new Set<Watcher>()
  let lastRead: string | null = null

  async function load(): Promise<Content> {
    const content = await readContent(file)
    lastRead = content.ok ? printOf(content.text) : null
    return content
  }

  /** The next text, or why there is none. Watchers are told when somebody else had changed it before. */
  async function change(edit: (text: string) => Result<string>): Promise<Result<null>> {
    try {
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
      return await withFileLock(`${file}.lock`, lockMs, () => changeLocked(edit))
    } catch (error) {
      return { ok: false, fault: notSaved(error, file) }
    }
  }

  async function changeLocked(edit: (text: string) => Result<string>): Promise<Result<null>> {
    const content = await readContent(file)
    if (!content.ok) return content
    const text = content.text ?? emptyMcpText
    const mark = text.startsWith('\ufeff') ? '\ufeff' : ''
    const body = text.slice(mark.length)
    const read = readMcpText(body, file)
    if (!read.ok) return read
    const next = edit(body)
    if (!next.ok) return next
    if (next.value === body && content.text !== null) return succeed(null)
    if (!readMcpText(next.value, file).ok) throw new Error('an edit of mcp.json broke it')
    const target = content.text === null ? file : await realpath(file)
    await removeLeftOvers(target)
    await writeWhole(target, mark + next.value)
    lastRead = printOf(mark + next.value)
    tellChange(watchers, printOf(content.text), lastRead)
    return succeed(null)
  }

  return {
    path: file,
    async read() {
      const content = await load()
      if (!content.ok) return { servers: [], fault: content.fault, faults: [] }
      if (content.text === null) {
        if (await createEmpty(file, watchers)) lastRead = printOf(emptyMcpText)
        return { servers: [], fault: null, faults: [] }
      }
      return readOf(content.text, file)
    },
    write: (server, previousName) => change((text) => edited(text, file, server, previousName)),
    remove: (name) => change((text) => (countOf(text, name) === 0 ? fail('mcp.config-not-there', { name, file }) : succeed(withoutServer(text, name)))),
    watch: (listener) => watchContent(file, watchers, { known: lastRead ?? printNow(file), listener }),
    scanOthers: () => scanOthers(places),
    readPasted: (text) => readPasted(text, places.platform),
  }
}

/** One's own change is no news; one of somebody else that it was made over is. */
function tellChange(watchers: ReadonlySet<Watcher>, before: string, after: string): void {
  for (const watcher of watchers) {
    const isBehind = watcher.known !== before
    watcher.known = after
    if (isBehind) watcher.listener()
  }
}

function readOf(text: string, file: string): McpConfigRead {
  const read = readMcpText(text.replace(/^\ufeff/, ''), file)
  return read.ok ? { servers: read.servers, fault: null, faults: read.faults } : { servers: [], fault: read.fault, faults: [] }
}

function edited(text: string, file: string, server: McpServerConfig, previousName: string | null): Result<string> {
  const { name } = server
  if (!isGoodName(name)) return fail('mcp.config-bad-name', { name })
  if ((server.command === '') === (server.url === '')) return fail(server.url === '' ? 'mcp.config-no-way' : 'mcp.config-two-ways', { name })
  for (const one of new Set([name, previousName ?? name])) if (countOf(text, one) > 1) return fail('mcp.config-name-twice', { name: one, file })
  if (name !== previousName && countOf(text, name) > 0) return fail('mcp.config-name-taken', { name, file })
  // Removed by hand meanwhile: what the person saved now is put back.
  const present = previousName !== null && countOf(text, previousName) === 1 ? previousName : null
  return succeed(withServer(text, server, present))
}

async function readContent(file: string): Promise<Content> {
  const read = await readSmallFile(file, limitBytes)
  switch (read.kind) {
    case 'text': return { ok: true, text: read.text }
    case 'absent': return { ok: true, text: null }
    case 'no-file': return fail('mcp.config-no-file', { file })
    case 'too-large': return fail('mcp.config-too-large', { file, bytes: read.sizeBytes })
    case 'no-text': return fail('mcp.config-no-text', { file, line: read.line })
    case 'cannot': return fail('mcp.config-cannot-open', { file, problem: read.problem })
  }
}

/** R43: created when absent. Where that cannot be, nothing is lost: the first entry that is saved says why. */
async function createEmpty(file: string, watchers: ReadonlySet<Watcher>): Promise<boolean> {
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(file, emptyMcpText, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return false
  }
  const [absent, empty] = [printOf(null), printOf(emptyMcpText)]
  for (const watcher of watchers) if (watcher.known === absent) watcher.known = empty
  return true
}

function watchContent(file: string, watchers: Set<Watcher>, watcher: Watcher): () => void {
  let timer: NodeJS.Timeout | undefined
  const look = () => {
    const now = printNow(file)
    if (now === watcher.known) return
    watcher.known = now
    watcher.listener()
  }
  const lookSoon = () => {
    clearTimeout(timer)
    timer = setTimeout(look, quietMs)
  }
  watchers.add(watcher)
  const close = openWatch(path.dirname(file), path.basename(file), lookSoon)
  watchFile(file, { interval: pollMs, persistent: false }, lookSoon)
  return () => {
    watchers.delete(watcher)
    clearTimeout(timer)
    close()
    unwatchFile(file, lookSoon)
  }
}

/** The folder is watched, not the file: editors put another file in its place. Without watches there is the polling. */
function openWatch(folder: string, name: string, onEvent: () => void): () => void {
  try {
    const watch = watchFolder(folder, { persistent: false }, (_, changed) => {
      if (changed === null || changed === name) onEvent()
    })
    watch.on('error', () => watch.close())
    return () => watch.close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return () => undefined
  }
}

function printOf(text: string | null): string {
  return text === null ? 'absent' : createHash('sha256').update(text).digest('hex')
}

/** In one piece, so that nothing happens between looking and telling. */
function printNow(file: string): string {
  try {
    // Reading a pipe would wait for its other end.
    const facts = statSync(file)
    if (!facts.isFile()) return 'no file'
    return facts.size > limitBytes ? `large ${facts.size} ${facts.mtimeMs}` : printOf(readFileSync(file, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return code === 'ENOENT' || code === 'ENOTDIR' ? printOf(null) : code
  }
}

function notSaved(error: unknown, file: string): Said {
  if (error instanceof LockHeld) return said('settings.busy', { file, pid: String(error.pid ?? '?') })
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined) throw error
  return code === 'ENOSPC' || code === 'EDQUOT' ? said('app.disk-full', { file }) : said('settings.not-saved', { file, problem: message })
}
