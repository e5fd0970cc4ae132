import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { linkSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'

/** A step that a guard case is set up with. */
export interface SetupStep {
  readonly do: string
  readonly path: string
  readonly to?: string
  readonly text?: string
}

/** Folders that path cases speak of, all below one temporary folder. */
export interface PathWorld {
  readonly dir: string
  readonly root: string
  readonly home: string
  readonly appData: string
  readonly outside: string
  /** Puts the folders of this world for the placeholders of case files. */
  fill(text: string): string
  setUp(steps: readonly SetupStep[]): void
  remove(): void
}

/** Makes a project named `app` with a home, a data folder, a package store and a folder outside, as GUARD cases expect. */
export function makePathWorld(): PathWorld {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'path-world-')))
  const root = join(dir, 'work', 'app')
  const home = join(dir, 'home')
  const appData = join(dir, 'data')
  const outside = join(dir, 'work', 'outside')
  const places: Readonly<Record<string, string>> = { PROJECT: root, ROOT: root, HOME: home, APPDATA: appData, OUT: outside, STORE: join(dir, 'store'), LINKROOT: join(dir, 'linkroot') }
  for (const folder of [root, home, appData]) mkdirSync(folder, { recursive: true })
  return {
    dir, root, home, appData, outside,
    fill: (text) => text.replace(/@([A-Z]+)@/gu, (whole, name: string) => places[name] ?? whole),
    setUp: (steps) => steps.forEach(makeStep),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}

function makeStep({ do: what, path, to = '', text = '' }: SetupStep): void {
  mkdirSync(what === 'dir' ? path : dirname(path), { recursive: true })
  if (what === 'file') writeFileSync(path, text)
  else if (what === 'symlink') symlinkSync(to, path)
  else if (what === 'hardlink') linkSync(to, path)
  else if (what === 'fifo') execFileSync('bash', ['-c', 'mkfifo "$0"', path])
  else if (what === 'socket') execFileSync('python3', ['-c', 'import socket,sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])', path])
  else if (what !== 'dir') throw new Error(`unknown step: ${what}`)
}

/** Everything below a folder but one part of it: kind, mode, content, link target. Two equal texts mean an untouched folder. */
export function portrait(folder: string, except: string): string {
  const lines: string[] = []
  const visit = (path: string): void => {
    if (path === except) return
    const stats = lstatSync(path)
    const what = stats.isSymbolicLink() ? readlinkSync(path) : stats.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : ''
    lines.push(`${relative(folder, path)} ${stats.mode.toString(8)} ${what}`)
    if (stats.isDirectory()) readdirSync(path).sort().forEach((name) => visit(join(path, name)))
  }
  visit(folder)
  return lines.join('\n')
}
