import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { opened } from '../../../support/drafts'
import { migrationsDir, openIn, scratchFolder, workerFile } from '../../../support/scratchDatabase'
import { openDatabase } from '../../../../src/main/adapters/sqlite/database'
import { systemClock } from '../../../../src/main/adapters/system/clock'
import { makeIdSource } from '../../../../src/main/adapters/system/idSource'
import { asId } from '../../../../src/shared/domain/ids'

const binding = process.env['COUNTERSIGN_SQLITE_BINDING']
// From N-API 10 on the module's own binary is used, which a test must not replace.
const choosesBinding = Number(process.versions.napi) < 10

afterEach(() => {
  process.env['COUNTERSIGN_SQLITE_BINDING'] = binding
  if (binding === undefined) delete process.env['COUNTERSIGN_SQLITE_BINDING']
})

async function tryOpen(dataDir: string, worker = workerFile) {
  return openDatabase({ dataDir, migrationsDir, workerFile: worker, clock: systemClock, ids: makeIdSource(systemClock) })
}

test.runIf(choosesBinding).each([['an empty file', ''], ['rubbish', 'not a module']])('i12: %s in place of the native module is one fault in words, and no data is touched', async (_, content) => {
  const dataDir = scratchFolder()
  const database = await openIn(dataDir)
  const workspace = await database.timeline.workspace('/w', 'w')
  await database.events.append(asId('s'), [opened(workspace.id)])
  await database.close()
  const file = path.join(dataDir, 'countersign.db')
  const before = readFileSync(file)
  const fake = path.join(scratchFolder(), 'fake.node')
  writeFileSync(fake, content)
  process.env['COUNTERSIGN_SQLITE_BINDING'] = fake
  const opening = await tryOpen(dataDir)
  expect(opening).toMatchObject({ ok: false, fault: { code: 'app.database-module', values: { file, problem: expect.stringContaining(fake) } } })
  expect(readFileSync(file).equals(before)).toBe(true)
  expect(readdirSync(dataDir).filter((name) => name.includes('damaged'))).toEqual([])
  process.env['COUNTERSIGN_SQLITE_BINDING'] = binding
  expect((await openIn(dataDir)).faults).toEqual([])
})

test.runIf(choosesBinding)('i12: without a binding for an old runtime nothing is loaded: the shipped one would end the process', async () => {
  delete process.env['COUNTERSIGN_SQLITE_BINDING']
  expect(await tryOpen(scratchFolder())).toMatchObject({ ok: false, fault: { code: 'app.database-module' } })
})

test('i12: a worker that does not even load is the same fault', async () => {
  const worker = path.join(scratchFolder(), 'worker.mjs')
  writeFileSync(worker, "import 'a-package-that-is-not-there'")
  expect(await tryOpen(scratchFolder(), worker)).toMatchObject({ ok: false, fault: { code: 'app.database-module' } })
})
