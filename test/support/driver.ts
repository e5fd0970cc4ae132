import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'vite'

const root = path.resolve(import.meta.dirname, '../..')

/** A built program of this folder, beside a project that every user may write. */
export interface Driver {
  readonly folder: string
  /** Starts it; as another user where one is named. */
  start(args: readonly string[], user?: string): ChildProcess
  /** True when that user can run it here: switching users works, and node and the packages may be read. */
  canRunAs(user: string): boolean
  remove(): void
}

/** Builds a program of test/support for plain node, into a temporary folder. */
export async function buildDriver(name: string): Promise<Driver> {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'driver-')))
  const { dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { dependencies: Record<string, string> }
  const outside = [...Object.keys(dependencies), ...builtinModules]
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    build: {
      ssr: path.join(import.meta.dirname, `${name}.ts`),
      outDir: base,
      target: 'node20.18',
      minify: false,
      rolldownOptions: { external: (id) => id.startsWith('node:') || outside.includes(id), output: { format: 'es', entryFileNames: 'driver.mjs' } },
    },
  })
  symlinkSync(path.join(root, 'node_modules'), path.join(base, 'node_modules'))
  const folder = path.join(base, 'project')
  mkdirSync(folder)
  chmodSync(base, 0o755)
  chmodSync(folder, 0o777)
  const program = path.join(base, 'driver.mjs')
  const lineFor = (args: readonly string[], user?: string): readonly [string, readonly string[]] =>
    user === undefined ? [process.execPath, [program, ...args]] : ['runuser', ['-u', user, '--', process.execPath, program, ...args]]
  return {
    folder,
    start(args, user) {
      const [file, line] = lineFor(args, user)
      return spawn(file, line, { stdio: ['pipe', 'pipe', 'inherit'], cwd: folder })
    },
    canRunAs(user) {
      if (process.getuid?.() !== 0) return false
      const [file, line] = lineFor([folder, 'probe'], user)
      return spawnSync(file, line, { input: '', timeout: 10_000, cwd: folder }).stdout?.toString().includes('ready') ?? false
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  }
}

/** Lines of a driver's output up to `ready`. */
export async function untilReady(child: ChildProcess): Promise<readonly string[]> {
  let text = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
      if (/^ready$/m.test(text)) resolve()
    })
    child.once('close', (code) => reject(new Error(`the driver ended with ${code}`)))
  })
  return text.split('\n').filter((line) => line !== '' && line !== 'ready')
}

/** Resolves when the driver has ended. */
export async function ending(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once('exit', resolve))
}
