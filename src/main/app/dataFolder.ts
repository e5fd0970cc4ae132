import { chmodSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { configFolder, parseEnv } from '../adapters/settings/environment'

/** What decides where the data lies. */
export interface DataFolderFacts {
  /** The app's own arguments, without the program and the app's path. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly home: string
  readonly cwd: string
}

/** The folder, absolute, which may not exist yet; `setBy` names what chose it, null for the platform's place. */
export interface DataFolder {
  readonly path: string
  readonly setBy: string | null
}

const variable = 'COUNTERSIGN_DATA_DIR'

/**
 * The folder that holds all state, the long-term memory too (R35): `--data DIR`, else COUNTERSIGN_DATA_DIR of the environment or
 * of the `.env` in the app's own configuration folder, else the platform's place for it. Both hosts use it, so window and command
 * line meet the same sessions. Reads the file at once: everything that waits comes after.
 */
export function dataFolder({ args, env, platform, home, cwd }: DataFolderFacts): DataFolder {
  const argument = dataArgument(args)
  if (argument) return { path: path.resolve(cwd, argument), setBy: '--data' }
  const folder = configFolder(platform, env, home)
  const given = env[variable] ?? inFile(path.join(folder, '.env'))
  // A path of the file means the same wherever the app was started.
  if (given) return { path: path.resolve(env[variable] ? cwd : folder, given), setBy: variable }
  return { path: path.join(platformFolder(platform, env, home), platform === 'linux' ? 'countersign' : 'Countersign'), setBy: null }
}

/** A file that cannot be read says nothing here; the opening of the settings tells the person about it. */
function inFile(file: string): string | undefined {
  try {
    return parseEnv(readFileSync(file, 'utf8')).values[variable]
  } catch {
    return undefined
  }
}

function dataArgument(args: readonly string[]): string | undefined {
  const at = args.findIndex((arg) => arg === '--data' || arg.startsWith('--data='))
  const found = args[at]
  if (found === undefined) return undefined
  return found === '--data' ? args[at + 1] : found.slice('--data='.length)
}

function platformFolder(platform: NodeJS.Platform, env: DataFolderFacts['env'], home: string): string {
  if (platform === 'darwin') return path.join(home, 'Library/Application Support')
  if (platform === 'win32') return env['APPDATA'] ?? path.join(home, 'AppData/Roaming')
  const xdg = env['XDG_DATA_HOME']
  // The XDG base directory specification: a relative path there is to be ignored.
  return xdg && path.isAbsolute(xdg) ? xdg : path.join(home, '.local/share')
}

/** Makes the folder, for its owner alone (mode 0700, also when it was there with a wider one). */
export function prepareDataFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
}
