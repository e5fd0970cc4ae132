import { expect, test } from 'vitest'
import { StorageFault } from '../../../src/main/core/ports/storageFault'
import { stopEverything } from '../../../src/main/services/stopEverything'
import { keepAwakeWhileRunning } from '../../../src/main/services/wakefulness'
import type { AuditDraft } from '../../../src/shared/domain/audit'
import { asId, type MessageId } from '../../../src/shared/domain/ids'
import { said } from '../../../src/shared/domain/result'
import { defaultSettings } from '../../../src/shared/domain/settings'
import { makeRunsWorld, runsSession as id } from '../../support/runsWorld'
import { makeTurnWorld, reply } from '../../support/turnWorld'

const never = new Promise<never>(() => undefined)

/** A turn that hears nothing from its model until it is cancelled. */
async function silent() {
  const turn = makeTurnWorld({ tools: [], replies: [reply('x')] })
  const ports = { ...turn.ports, model: { async *stream(_request: unknown, signal: { readonly aborted: boolean; addEventListener(type: 'abort', listener: () => void): void }) { await Promise.race([never, new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))]); yield* [] } } }
  return makeRunsWorld({ ports })
}

test('R112 grants go first, then turns end as cancelled, then programs; what waits stays; the record has one line of it', async () => {
  const world = await silent()
  const started = await world.runs.prompt(id, 'Go')
  await world.sessions.append(id, [{ type: 'message-queued', messageId: asId<MessageId>('m'), text: 'later' }])
  const order: string[] = []
  const lines: AuditDraft[] = []
  const stopped = await stopEverything({
    runs: { stopAll: async () => { const ids = await world.runs.stopAll(); order.push('runs'); return ids } },
    sessions: world.sessions,
    permissions: { revokeGrants: () => { order.push('grants'); return Promise.resolve(2) } },
    commands: { leftRunning: () => [{ callId: 'c', pid: 7, command: 'npm run dev' }], endProgram: (pid) => { order.push(`program ${pid}`); return Promise.resolve() } },
    audit: { append: (draft) => { lines.push(draft); return Promise.resolve({ entries: 1, chain: '' }) } },
    clock: { nowMs: () => 5 },
  })
  expect(stopped).toEqual({ sessions: [{ id, title: 'T' }], programs: ['npm run dev'], grants: 2, fault: null, waitingMessages: 1 })
  expect([order, lines.map(({ fact, actor }) => [fact, actor])]).toEqual([['grants', 'runs', 'program 7'], [['stopped-all', 'person']]])
  expect(started.ok && (await started.value.ended).reason).toBe('cancelled')
})

test('R112 grants that cannot be taken back keep nothing from being stopped', async () => {
  const world = await silent()
  await world.runs.prompt(id, 'Go')
  const full = said('app.disk-full', { file: 'x' })
  const stopped = await stopEverything({
    runs: world.runs, sessions: world.sessions, permissions: { revokeGrants: () => Promise.reject(new StorageFault(full)) },
    commands: { leftRunning: () => [], endProgram: () => Promise.resolve() }, audit: { append: () => Promise.resolve({ entries: 1, chain: '' }) }, clock: { nowMs: () => 5 },
  })
  expect([stopped.sessions.length, stopped.fault, world.runs.isBusy()]).toEqual([1, full, false])
})

test('R112 the system is kept awake while a run goes, not while it waits for the person, not against the setting, and never after the app', async () => {
  const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  const play = async (keepsAwake: boolean) => {
    const world = await silent()
    const told: boolean[] = []
    let waiting: readonly { readonly sessionId: typeof id }[] = []
    let deskChanged: () => void = () => undefined
    const end = keepAwakeWhileRunning({
      runs: world.runs, settings: { read: () => Promise.resolve({ settings: { ...defaultSettings, keepsAwake }, faults: [] }) }, keepAwake: (isAwake) => told.push(isAwake),
      budgets: { waiting: () => [], onChange: () => () => undefined },
      desk: { list: () => waiting as never, onChange: (listener) => { deskChanged = () => listener([]); return () => undefined } },
    })
    await world.runs.prompt(id, 'Go')
    await tick()
    waiting = [{ sessionId: id }]
    deskChanged()
    waiting = []
    deskChanged()
    await tick()
    return { world, told, end }
  }
  const awake = await play(true)
  expect(awake.told).toEqual([true, false, true])
  await awake.world.runs.stopAll()
  expect(awake.told).toEqual([true, false, true, false])
  const left = await play(true)
  left.end()
  expect(left.told.at(-1)).toBe(false)
  const other = await play(false)
  expect(other.told).toEqual([])
  await Promise.all([left.world.runs.stopAll(), other.world.runs.stopAll()])
})
