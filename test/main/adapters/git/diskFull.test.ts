import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleForNode } from '../../../support/bundleForNode'
import type { SnapshotJob } from '../../../support/children/snapshotChild'
import { migrationsDir, workerFile } from '../../../support/scratchDatabase'
import { makeScratch, workersFolder } from '../../../support/sideRepository'

/** A mount namespace of its own: the small disk is gone with the process, and nobody else sees it. */
const unshare = ['unshare', '--mount', ...(process.getuid?.() === 0 ? [] : ['--map-root-user'])]
const mount = 'mount -t tmpfs -o size=4m tmpfs "$0"'

function canMount(): boolean {
  const [program = '', ...args] = unshare
  return process.platform === 'linux' && spawnSync(program, [...args, 'sh', '-c', mount, '/tmp']).status === 0
}

let child = ''
beforeAll(async () => {
  child = await bundleForNode(path.resolve(import.meta.dirname, '../../../support/children/snapshotChild.ts'))
})
afterAll(() => rmSync(path.dirname(child), { recursive: true, force: true }))

// Skipped where no small disk can be made: neither root nor user namespaces with mounts.
test.runIf(canMount())('R78 on a full disk a snapshot and a restore say so, nothing is lost, and with room again both work', () => {
  const scratch = makeScratch()
  const job: SnapshotJob = { job: 'disk-full', project: scratch.project, data: scratch.data, workersFolder, migrationsDir, workerFile, name: 's' }
  const [program = '', ...args] = unshare
  const script = `${mount} && mkdir "$0/project" "$0/data" && exec "$1" "$2" "$3"`
  const run = spawnSync(program, [...args, 'sh', '-c', script, scratch.top, process.execPath, child, JSON.stringify(job)], { encoding: 'utf8' })
  expect(run.stderr.split('\n').filter((line) => line !== '' && !line.startsWith('notice: '))).toEqual([])
  expect(run.stdout.trim().split('\n')).toEqual(['first ok', 'full snapshot.disk-full', 'restore a path.no-space', 'kept true a', 'again ok', 'restore a ok', 'back true'])
  scratch.remove()
})
