import { chmodSync, mkdirSync } from 'node:fs'
import path from 'node:path'

/** What decides where the data lies. */
export interface DataFolderFacts {
  /** The app's own arguments, without the program and the app's path. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly home: string
  readonly cwd: string
}

/**
 * The folder that holds all state: `--data DIR`, else COUNTERSIGN_DATA_DIR, else the platform's place for it.
 * Both hosts use it, so window and command line meet the same sessions.
 *
 * @returns an absolute path; the folder may not exist yet.
 */
export function dataFolder({ args, env, platform, home, cwd }: DataFolderFacts): string {
  const given = dataArgument(args) ?? env['COUNTERSIGN_DATA_DIR']
  return given ? path.resolve(cwd, given) : path.join(platformFolder(platform, env, home), platform === 'linux' ? 'countersign' : 'Countersign')
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
