import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import { openDatabase, type Database } from '../../src/main/adapters/sqlite/database'
import { makeIdSource } from '../../src/main/adapters/system/idSource'
import { systemClock } from '../../src/main/adapters/system/clock'
import type { Clock } from '../../src/main/core/ports/clock'

const root = path.resolve(import.meta.dirname, '../..')

/** The migrations that are shipped, and the worker as it was built. */
export const migrationsDir = path.join(root, 'resources/migrations')
export const workerFile = path.join(root, 'out/main/sqliteWorker.js')

/** A folder that is gone after the test. */
export function scratchFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'countersign-data-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Opens the product's database in a folder, or throws its fault. It is closed when the test ends, if it is open still. */
export async function openIn(dataDir: string, clock: Clock = systemClock, from: string = migrationsDir): Promise<Database> {
  const opened = await openDatabase({ dataDir, migrationsDir: from, workerFile, clock, ids: makeIdSource(clock) })
  if (!opened.ok) throw new Error(`${opened.fault.code} ${JSON.stringify(opened.fault.values)}`)
  const { value } = opened
  let closing: Promise<void> | undefined
  const database = { ...value, close: () => (closing ??= value.close()) }
  onTestFinished(() => database.close())
  return database
}

/** SQLite itself on a file, to look behind the product's back or to prepare what it must cope with. */
export function rawOpen(file: string, isReadOnly = false): Sqlite.Database {
  const binding = Number(process.versions.napi) < 10 ? { nativeBinding: process.env['COUNTERSIGN_SQLITE_BINDING'] ?? '' } : {}
  return new Sqlite(file, { readonly: isReadOnly, ...binding })
}
