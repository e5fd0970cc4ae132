import { createHash } from 'node:crypto'
import { mkdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { applyEdits, modify } from 'jsonc-parser'
import type { SettingsStore } from '../../core/ports/settingsStore'
import { fail, said, succeed, type Result, type Said } from '../../../shared/domain/result'
import { defaultSettings, settingsSchema, type Settings } from '../../../shared/domain/settings'
import { LockHeld, withFileLock } from '../../native/fileLock'
import { removeLeftOvers, writeWhole } from '../../native/wholeFile'
import { parseSettings, type LeftOut } from './parseSettings'

/** What is in the file now. `canChange` is false where a change would overwrite what could not be read. */
interface State {
  readonly text: string
  readonly settings: Settings
  readonly faults: readonly Said[]
  readonly leftOut: LeftOut
  readonly canChange: boolean
}

const lockMs = 10_000

/**
 * settings.json in the data folder. A damaged file is left where it is, and a copy of it is kept aside; meanwhile the last
 * good settings are in use. One without any text is written anew by the next change. Comments, and fields and entries that
 * are not understood, survive every change.
 */
export function openSettings(file: string): SettingsStore {
  const lastGoodFile = path.join(path.dirname(file), 'settings.last-good.json')
  let isClean = false

  async function load(): Promise<State> {
    const lastGood = await readLastGood(lastGoodFile)
    const fallback = lastGood?.settings ?? defaultSettings
    const text = await readText(file)
    if (!text.ok) return { text: '', settings: fallback, faults: [text.fault], leftOut: {}, canChange: false }
    if (text.value === null) return { text: '', settings: defaultSettings, faults: [], leftOut: {}, canChange: true }
    const parsed = parseSettings(text.value, file, fallback)
    if (parsed.kind === 'read') {
      if (parsed.faults.length === 0 && text.value !== lastGood?.text) await quietly(() => writeWhole(lastGoodFile, text.value ?? ''))
      return { text: text.value, ...parsed, canChange: true }
    }
    const aside = `${file}.damaged-${createHash('sha256').update(text.value).digest('hex').slice(0, 8)}`
    await quietly(() => keepAside(file, aside))
    const place = parsed.kind === 'empty' ? {} : { line: parsed.line, column: parsed.column }
    const values = { file, aside, lastGood: lastGoodFile, time: lastGood === null ? '' : timeOf(lastGood.atMs), ...place }
    const code = parsed.kind === 'empty' ? 'settings.empty' : 'settings.unreadable'
    return { text: '', settings: fallback, faults: [said(lastGood === null ? `${code}-default` : code, values)], leftOut: {}, canChange: parsed.kind === 'empty' }
  }

  async function save(fields: Partial<Settings>): Promise<Result<Settings>> {
    const state = await load()
    const [fault] = state.faults
    if (!state.canChange) return { ok: false, fault: fault ?? said('settings.unreadable-default', { file }) }
    // An empty file carries nothing on: then all that is in use is written.
    const all = state.text === '' && fault !== undefined ? { ...state.settings, ...fields } : fields
    const text = Object.entries(all).reduce((now, [field, value]) => withField(now, field, value, state.leftOut), state.text === '' ? '{}\n' : state.text)
    await writeWhole(file, text)
    return succeed((await load()).settings)
  }

  async function prepared<T>(run: () => Promise<T>): Promise<T> {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    if (!isClean) for (const one of [file, lastGoodFile, `${file}.lock`]) await removeLeftOvers(one)
    isClean = true
    return withFileLock(`${file}.lock`, lockMs, run)
  }

  return {
    async read() {
      const { settings, faults } = await load()
      return { settings, faults }
    },
    async change(fields) {
      const checked = settingsSchema.partial().safeParse(fields)
      if (!checked.success) return fail('settings.not-valid', { field: String(checked.error.issues[0]?.path[0] ?? ''), problem: checked.error.issues[0]?.message ?? '' })
      try {
        return await prepared(() => save(fields))
      } catch (error) {
        return { ok: false, fault: notSaved(error, file) }
      }
    },
  }
}

/** Sets one field and leaves every other byte as it is. */
function withField(text: string, field: string, value: unknown, leftOut: LeftOut): string {
  const kept = leftOut[field as keyof Settings] ?? []
  const whole = Array.isArray(value) ? [...(value as unknown[]), ...kept] : value
  return applyEdits(text, modify(text, [field], whole, { formattingOptions: { insertSpaces: true, tabSize: 2, eol: '\n' } }))
}

/** Null when there is no file: a first start. */
async function readText(file: string): Promise<Result<string | null>> {
  try {
    return succeed(await readFile(file, 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? succeed(null) : fail('settings.cannot-open', { file, problem: message })
  }
}

async function readLastGood(file: string): Promise<{ readonly text: string; readonly settings: Settings; readonly atMs: number } | null> {
  const text = await readText(file)
  if (!text.ok || text.value === null) return null
  const parsed = parseSettings(text.value, file, defaultSettings)
  return parsed.kind === 'read' ? { text: text.value, settings: parsed.settings, atMs: (await stat(file)).mtimeMs } : null
}

async function keepAside(file: string, aside: string): Promise<void> {
  const bytes = await readFile(file)
  const isThere = await stat(aside).then(() => true, () => false)
  if (!isThere) await writeWhole(aside, bytes)
}

/** For what only helps later: a full or read-only disk must not keep the app from starting with what could be read. */
async function quietly(run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
  }
}

function notSaved(error: unknown, file: string): Said {
  if (error instanceof LockHeld) return said('settings.busy', { file, pid: String(error.pid ?? '?') })
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined) throw error
  return code === 'ENOSPC' || code === 'EDQUOT' ? said('app.disk-full', { file }) : said('settings.not-saved', { file, problem: message })
}

/** As the person's clock shows it, with the day when it was not today. */
function timeOf(atMs: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const then = new Date(atMs)
  const time = `${two(then.getHours())}:${two(then.getMinutes())}`
  return then.toDateString() === new Date().toDateString() ? time : `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())} ${time}`
}
