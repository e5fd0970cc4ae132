import { rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleForNode } from '../../../support/bundleForNode'
import type { SnapshotJob } from '../../../support/children/snapshotChild'
import { migrationsDir, workerFile } from '../../../support/scratchDatabase'
import { makeScratch, workersFolder } from '../../../support/sideRepository'
import { canMountSmallDisk, runOnSmallDisk } from '../../../support/smallDisk'

let child = ''
beforeAll(async () => {
  child = await bundleForNode(path.resolve(import.meta.dirname, '../../../support/children/snapshotChild.ts'))
})
afterAll(() => rmSync(path.dirname(child), { recursive: true, force: true }))

// Skipped where no small disk can be made: neither root nor user namespaces with mounts.
test.runIf(canMountSmallDisk())('R78 on a full disk a snapshot and a restore say so, nothing is lost, and with room again both work', () => {
  const scratch = makeScratch()
  const job: SnapshotJob = { job: 'disk-full', project: scratch.project, data: scratch.data, workersFolder, migrationsDir, workerFile, name: 's' }
  const run = runOnSmallDisk(scratch.top, child, job, ['project', 'data'])
  expect(run.stderr.split('\n').filter((line) => line !== '' && !line.startsWith('notice: '))).toEqual([])
  expect(run.stdout.trim().split('\n')).toEqual(['first ok', 'full snapshot.disk-full', 'restore a path.no-space', 'kept true a', 'again ok', 'restore a ok', 'back true'])
  scratch.remove()
})
