import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { childEnv, electronExecutable, repositoryRoot } from './window'

/** Some containers forbid user namespaces to ordinary users: Chromium's sandbox does not start there for anybody. */
export function hasUserNamespaces(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('runuser', ['-u', 'nobody', '--', 'unshare', '--user', 'true']).status === 0
}

/** Starts the built app as `nobody`, with Chromium's own sandbox, and reads the seccomp mode of its renderers. */
export async function rendererSeccompModes(): Promise<readonly string[]> {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'countersign-nobody-'))
  chmodSync(scratch, 0o777)
  const { runtime, app, env } = copyForNobody(scratch)
  const child = spawn('runuser', ['-u', 'nobody', '--', path.join(runtime, 'electron'), app], { env, stdio: 'ignore', detached: true })
  try {
    for (let tries = 0; tries < 100; tries++) {
      const modes = renderersOf(runtime).map((pid) => /^Seccomp:\s+(\d)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '?')
      if (modes.length > 0) return modes
      await delay(200)
    }
    return []
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    rmSync(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

/** Copies of the runtime, the built app and its packages: `nobody` may not read where this repository or the cache lie. */
function copyForNobody(scratch: string): { readonly runtime: string; readonly app: string; readonly env: Record<string, string> } {
  const copy = (from: string, to: string): void => cpSync(from, path.join(scratch, to), { recursive: true })
  copy(path.dirname(electronExecutable()), 'electron')
  for (const name of ['package.json', 'out/main', 'out/preload', 'out/renderer', 'resources']) copy(path.join(repositoryRoot, name), path.join('app', name))
  const installed = readFileSync(path.join(repositoryRoot, 'node_modules/.package-lock.json'), 'utf8')
  for (const [name, entry] of Object.entries((JSON.parse(installed) as { packages: Record<string, { dev?: boolean }> }).packages)) {
    const isNested = name.lastIndexOf('node_modules/') > 0 // comes with the one it lies in
    if (!entry.dev && !isNested) copy(path.join(repositoryRoot, name), path.join('app', name))
  }
  const addon = process.env['COUNTERSIGN_SQLITE_BINDING']
  if (addon) copy(addon, 'addon.node')
  const own = { COUNTERSIGN_DATA_DIR: path.join(scratch, 'data'), HOME: scratch, XDG_CONFIG_HOME: scratch, COUNTERSIGN_SQLITE_BINDING: addon ? path.join(scratch, 'addon.node') : '' }
  return { runtime: path.join(scratch, 'electron'), app: path.join(scratch, 'app'), env: childEnv(own) }
}

function renderersOf(runtime: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      return words.startsWith(runtime) && words.includes('--type=renderer')
    } catch {
      return false
    }
  })
}
