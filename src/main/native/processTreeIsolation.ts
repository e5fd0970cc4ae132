import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import path from 'node:path'

/**
 * How all processes of a command are held together. `namespace`: in a PID namespace of their own, which `launcher` opens; no
 * process can leave it, and all end with its first one. `mark`: found again by a variable in their environment, by their
 * session and by their terminal; a process that gave up all three is not found.
 */
export type Isolation = { readonly kind: 'namespace'; readonly launcher: readonly string[] } | { readonly kind: 'mark' }

/**
 * Finds out by trying what this system gives. It takes some milliseconds; ask once.
 * @param bash absolute path of bash
 * @param folders absolute folders to look for unshare and bubblewrap in
 */
export async function probeIsolation(bash: string, folders: readonly string[], userId = process.getuid?.()): Promise<Isolation> {
  for (const [program, options] of launchers(userId)) {
    const file = findProgram(program, folders)
    if (file === null) continue
    const launcher = [file, ...options]
    if (await holds(launcher, bash)) return { kind: 'namespace', launcher }
  }
  return { kind: 'mark' }
}

/** The first executable file of that name; null when there is none. */
export function findProgram(name: string, folders: readonly string[]): string | null {
  for (const folder of folders) {
    const file = path.join(folder, name)
    try {
      accessSync(file, constants.X_OK)
      return file
    } catch {
      // not in this folder
    }
  }
  return null
}

/**
 * In order of preference. Root needs no user namespace; others keep their own number in one (mapped to root, programs would
 * behave as for root). `--kill-child` and `--die-with-parent` end all when the launcher ends, which a closed terminal does.
 */
function launchers(userId: number | undefined): readonly (readonly [string, readonly string[]])[] {
  if (process.platform !== 'linux') return []
  const inside = ['--pid', '--fork', '--kill-child', '--mount-proc', '--propagation', 'slave']
  return [
    ...(userId === 0 ? [['unshare', inside] as const] : []),
    ['unshare', ['--user', '--map-current-user', ...inside]],
    ['bwrap', ['--dev-bind', '/', '/', '--proc', '/proc', '--unshare-pid', '--as-pid-1', '--die-with-parent']],
  ]
}

/** True when a process behind the launcher is the first of a namespace and sees no other there. */
function holds(launcher: readonly string[], bash: string): Promise<boolean> {
  const [file = '', ...options] = launcher
  const test = 'p=(/proc/[0-9]*); [ "$$" = 1 ] && [ "${#p[@]}" = 1 ] && printf held'
  return new Promise((resolve) => {
    execFile(file, [...options, bash, '--noprofile', '--norc', '-c', test], { timeout: 5000, killSignal: 'SIGKILL', env: {} }, (error, stdout) => {
      resolve(error === null && stdout === 'held')
    })
  })
}
