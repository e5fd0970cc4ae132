import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listAuditFiles } from '../../../../src/main/adapters/audit/auditFiles'
import { readEntry } from '../../../../src/main/adapters/audit/auditLine'
import { openAuditLog, type AuditLog } from '../../../../src/main/adapters/audit/auditLog'
import { childOf } from '../../../support/childProcess'
import type { RollbackJob, RollbackStep } from '../../../support/children/rollbackChild'
import { migrationsDir, workerFile } from '../../../support/scratchDatabase'
import { picture, valueOf, workersFolder } from '../../../support/sideRepository'
import { openWorld, type SnapshotWorld } from '../../../support/snapshotWorld'

// The kill comes from inside, at a step and not at a time: what the next start finds is the same in every run.

const start = childOf('rollbackChild')
/** So many steps `mutate` gives to take back. */
const paths = 334

function fill(project: string): void {
  for (let i = 0; i < 300; i++) {
    mkdirSync(join(project, `d${i % 60}`), { recursive: true })
    writeFileSync(join(project, `d${i % 60}/f${i}`), `first ${i}\n`.repeat(1 + (i % 50)))
  }
  symlinkSync('d1/f1', join(project, 'link'))
  mkdirSync(join(project, 'empty'))
  mkdirSync(join(project, 'locked'))
  for (const name of ['a', 'b']) writeFileSync(join(project, 'locked', name), name)
  chmodSync(join(project, 'locked'), 0o555)
}

/** Every kind of step: content, bits, links, a rename, files and folders made and deleted, a file in a folder's place. */
function mutate(project: string): void {
  for (let i = 0; i < 200; i++) writeFileSync(join(project, `d${i % 60}/f${i}`), `second ${i}\n`)
  for (let i = 200; i < 210; i++) chmodSync(join(project, `d${i % 60}/f${i}`), 0o600)
  rmSync(join(project, 'd59'), { recursive: true })
  writeFileSync(join(project, 'd59'), 'a file now')
  renameSync(join(project, 'd58'), join(project, 'moved'))
  mkdirSync(join(project, 'made/deep'), { recursive: true })
  for (let i = 0; i < 110; i++) writeFileSync(join(project, `made/deep/n${i}`), 'new')
  rmSync(join(project, 'empty'), { recursive: true })
  chmodSync(join(project, 'locked'), 0o755)
  rmSync(join(project, 'locked'), { recursive: true })
  rmSync(join(project, 'link'))
  symlinkSync('/nowhere', join(project, 'link'))
}

function leftOvers(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tmp'))
}

interface Setting {
  readonly world: SnapshotWorld
  readonly auditDir: string
  readonly first: object
  readonly second: object
  readonly before: string
}

async function setUp(): Promise<Setting> {
  const world = await openWorld()
  const { project, top } = world.scratch
  fill(project)
  let first: object = {}
  const { before } = await world.call('agent', () => {
    first = picture(project)
    mutate(project)
  })
  return { world, auditDir: join(top, 'audit'), first, second: picture(project), before }
}

/** Runs the job until its kill, then opens the project anew as the next start does. */
async function killAndStart({ world, auditDir }: Setting, job: Pick<RollbackJob, 'act' | 'to' | 'killAt' | 'time'>): Promise<SnapshotWorld> {
  await world.close()
  const { scratch, sessionId } = world
  const child = start({ project: scratch.project, data: scratch.data, workersFolder, migrationsDir, workerFile, auditDir, sessionId, ...job })
  expect(await child.ended).toEqual({ code: null, signal: 'SIGKILL' })
  return openWorld({ scratch, isRecorded: false, ports: { audit: await logIn(auditDir) } })
}

async function logIn(dir: string): Promise<AuditLog> {
  return valueOf(await openAuditLog({ dir, clock: { nowMs: () => 1 }, redact: (text) => text, macKey: null, knownHead: () => Promise.resolve(null) }))
}

async function toldTo({ database }: SnapshotWorld, sessionId: SnapshotWorld['sessionId']): Promise<readonly string[]> {
  return (await database.events.read(sessionId)).map(({ type }) => type).filter((type) => type === 'rolled-back' || type === 'rollback-undone')
}

/** How often the audit was told, before the kill and after it. */
async function audited(dir: string): Promise<number> {
  const lines = (await listAuditFiles(dir)).flatMap(({ file }) => readFileSync(file, 'utf8').split('\n'))
  return lines.filter((line) => readEntry(line)?.fact === 'rolled-back').length
}

const steps: readonly (readonly [RollbackStep, number])[] = [
  ['applying', 1],
  ['path told', 1],
  ['path told', 129],
  ['path told', 300],
  ['path told', paths],
  ['before paths marked', 1],
  ['paths marked', 1],
  ['before after-rollback', 1],
  ['after-rollback', 1],
  ['before session told', 1],
  ['session told', 1],
  ['before audit', 1],
  ['audit told', 1],
  ['before ended', 1],
  ['ended', 1],
]

test.each(steps)('R78 a rollback killed at "%s" (%i) is finished by the next start, told once, and can be undone', { timeout: 60_000 }, async (killAt, time) => {
  const setting = await setUp()
  const { sessionId, scratch } = setting.world
  const world = await killAndStart(setting, { act: 'apply', to: setting.before, killAt, time })
  expect(picture(scratch.project)).toEqual(setting.first)
  expect(leftOvers(scratch.project)).toEqual([])
  const [record, ...others] = await world.database.timeline.rollbacks(world.snapshots.workspace.id)
  expect({ state: record?.state, failed: record?.failed, others, done: record?.done.length, once: new Set(record?.done).size }).toEqual({ state: 'applied', failed: [], others: [], done: paths, once: paths })
  expect(await toldTo(world, sessionId)).toEqual(['rolled-back'])
  expect(await audited(setting.auditDir)).toBe(1)
  expect((await world.snapshots.rows()).filter(({ kind }) => kind === 'after-rollback')).toHaveLength(1)
  expect(valueOf(await world.snapshots.undo(record?.id ?? ('' as never))).state).toBe('applied')
  expect(picture(scratch.project)).toEqual(setting.second)
})

test.each(['planned', 'before applying'] as const)('R78 a rollback killed at "%s" never happened', { timeout: 60_000 }, async (killAt) => {
  const setting = await setUp()
  const { sessionId, scratch } = setting.world
  const world = await killAndStart(setting, { act: 'apply', to: setting.before, killAt, time: 1 })
  expect(picture(scratch.project)).toEqual(setting.second)
  expect((await world.database.timeline.rollbacks(world.snapshots.workspace.id)).map(({ state, done }) => [state, done])).toEqual([['undone', []]])
  expect({ told: await toldTo(world, sessionId), audited: await audited(setting.auditDir) }).toEqual({ told: [], audited: 0 })
})

const undoSteps: readonly (readonly [RollbackStep, number])[] = [
  ['applying', 1],
  ['path told', 1],
  ['path told', 200],
  ['paths marked', 1],
  ['after-rollback', 1],
  ['session told', 1],
  ['before undone', 1],
  ['undone', 1],
  ['ended', 1],
]

test.each(undoSteps)('R78 an undo killed at "%s" (%i) is finished by the next start, and what it took back counts as undone', { timeout: 60_000 }, async (killAt, time) => {
  const setting = await setUp()
  const { world: before } = setting
  const { sessionId, scratch, snapshots } = before
  const target = { to: setting.before as never, keepUserEdits: false }
  const { head } = valueOf(await snapshots.plans.plan(target))
  const applied = valueOf(await snapshots.apply({ target, scope: 'files', sessionId, turnId: null, head, unticked: [], resolved: {}, leftChanges: {} }))
  expect(picture(scratch.project)).toEqual(setting.first)
  const world = await killAndStart(setting, { act: 'undo', to: applied.id, killAt, time })
  expect(picture(scratch.project)).toEqual(setting.second)
  expect(leftOvers(scratch.project)).toEqual([])
  const records = await world.database.timeline.rollbacks(world.snapshots.workspace.id)
  expect(records.map(({ state, failed, undoOf }) => [state, failed, undoOf])).toEqual([['undone', [], null], ['applied', [], applied.id]])
  expect(await toldTo(world, sessionId)).toEqual(['rolled-back', 'rollback-undone'])
  expect(await world.snapshots.undo(applied.id)).toMatchObject({ ok: false, fault: { code: 'rollback.undone-already' } })
})
