import { rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleForNode } from '../../../support/bundleForNode'
import type { DiskFullFacts, DiskFullJob } from '../../../support/children/diskFullChild'
import { migrationsDir, scratchFolder, workerFile } from '../../../support/scratchDatabase'
import { canMountSmallDisk, runOnSmallDisk } from '../../../support/smallDisk'

let child = ''
beforeAll(async () => {
  child = await bundleForNode(path.resolve(import.meta.dirname, '../../../support/children/diskFullChild.ts'))
})
afterAll(() => rmSync(path.dirname(child), { recursive: true, force: true }))

// Skipped where no small disk can be made: neither root nor user namespaces with mounts.
test.runIf(canMountSmallDisk())('i07: on a full disk every store says so and loses nothing; with space again the same session goes on', () => {
  const dataDir = scratchFolder()
  const job: DiskFullJob = { dataDir, migrationsDir, workerFile }
  const run = runOnSmallDisk(dataDir, child, job)
  expect(run.stderr).toBe('')
  expect(JSON.parse(run.stdout) as DiskFullFacts).toEqual({
    whenFull: { event: 'app.disk-full', audit: 'app.disk-full', settings: 'app.disk-full', lane: expect.stringMatching(/^(ok|app\.disk-full)$/) as string, read: 'ok' },
    afterwards: { event: 'ok', audit: 'ok', settings: 'ok', lane: 'ok' },
    seqs: [1, 2, 3],
    auditOk: true,
    settingsFaults: 0,
    openFaults: 0,
  } satisfies DiskFullFacts)
})
