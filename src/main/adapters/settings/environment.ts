import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { said, type Said } from '../../../shared/domain/result'

/** Named values from outside, and what was wrong with the file they came from. */
export interface Environment {
  readonly values: Readonly<Record<string, string>>
  readonly faults: readonly Said[]
}

/** The app's own folder in the system's per-user configuration folder. It holds only `.env`. */
export function configFolder(platform: NodeJS.Platform, env: Readonly<Record<string, string | undefined>>, home: string): string {
  if (platform === 'darwin') return path.join(home, 'Library/Preferences/Countersign')
  if (platform === 'win32') return path.join(env['APPDATA'] ?? path.join(home, 'AppData/Roaming'), 'Countersign')
  const xdg = env['XDG_CONFIG_HOME']
  // The XDG base directory specification: a relative path there is to be ignored.
  return path.join(xdg && path.isAbsolute(xdg) ? xdg : path.join(home, '.config'), 'countersign')
}

/**
 * The environment, and below it the `.env` of the app's own configuration folder (R35). Never one of a project, and nothing
 * of it is put into the process's environment, so no command sees a key.
 */
export async function readEnvironment(folder: string, env: Readonly<Record<string, string | undefined>>): Promise<Environment> {
  const file = path.join(folder, '.env')
  const given = Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const isAbsent = code === 'ENOENT' || code === 'ENOTDIR'
    return { values: given, faults: isAbsent ? [] : [said('settings.cannot-open', { file, problem: message })] }
  }
  const { values, badLines } = parseEnv(text)
  return { values: { ...values, ...given }, faults: badLines.map((line) => said('settings.bad-env-line', { file, line })) }
}

const assignment = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/

/**
 * `NAME=value` a line, `#` for comments, `export` allowed. In single quotes everything is itself; in double quotes \n, \t, \"
 * and \\ are understood; without quotes a ` #` begins a comment. Nothing is expanded, and no value goes over a line.
 */
export function parseEnv(text: string): { readonly values: Readonly<Record<string, string>>; readonly badLines: readonly number[] } {
  const values: Record<string, string> = {}
  const badLines: number[] = []
  text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/).forEach((whole, index) => {
    const line = whole.trim()
    if (line === '' || line.startsWith('#')) return
    const [, name, raw] = assignment.exec(line) ?? []
    const value = raw === undefined ? null : readValue(raw)
    if (name === undefined || value === null) badLines.push(index + 1)
    else values[name] = value
  })
  return { values, badLines }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', $: '$' }

/** Null for a quote that does not end, or text after it that is no comment. */
function readValue(raw: string): string | null {
  const single = /^'([^']*)'\s*(?:#.*)?$/.exec(raw)
  if (single) return single[1] ?? ''
  const double = /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/.exec(raw)
  if (double) return (double[1] ?? '').replace(/\\(.)/g, (whole, one: string) => escapes[one] ?? whole)
  if (/^['"]/.test(raw)) return null
  return raw.replace(/(^|\s)#.*$/, '').trim()
}
