import { spawnSync } from 'node:child_process'

/** A mount namespace of its own: the small disk is gone with the process, and nobody else sees it. */
const [program, ...args] = ['unshare', '--mount', ...(process.getuid?.() === 0 ? [] : ['--map-root-user'])]
const mount = 'mount -t tmpfs -o size=4m tmpfs "$0"'

/** Whether this machine lets us make a small disk: as root, or in a user namespace with mounts. */
export function canMountSmallDisk(): boolean {
  return process.platform === 'linux' && spawnSync(program, [...args, 'sh', '-c', mount, '/tmp']).status === 0
}

/** How to run a program with `folder` on a small disk of its own: for `spawn`. What is in `folder` is gone with the process. */
export function onSmallDisk(folder: string, megabytes: number, argv: readonly string[]): { readonly program: string; readonly args: readonly string[] } {
  return { program, args: [...args, 'sh', '-c', `mount -t tmpfs -o size=${megabytes}m tmpfs "$0" && exec "$@"`, folder, ...argv] }
}

/** Runs a bundled child of test/support/children with `folder` on a disk of 4 MB; `folders` are made in it first. */
export function runOnSmallDisk(folder: string, child: string, job: object, folders: readonly string[] = []): { readonly stdout: string; readonly stderr: string } {
  const steps = [mount, ...folders.map((name) => `mkdir "$0/${name}"`), 'exec "$1" "$2" "$3"']
  return spawnSync(program, [...args, 'sh', '-c', steps.join(' && '), folder, process.execPath, child, JSON.stringify(job)], { encoding: 'utf8' })
}
