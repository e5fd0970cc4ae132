import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { composeHost } from '../../src/main/app/compose'
import { reply, startFakeModelServer } from '../support/fakeModelServer'
import { makeProject } from './makeProject'
import { median, type PerfLine } from './perfLine'

const root = path.resolve(import.meta.dirname, '../..')

/** A message at once, one as the reading begins (its threads start then), and one in the middle of it. */
const moments = [{ afterMs: 0, name: 'at once' }, { afterMs: 320, name: 'as the snapshot begins' }, { afterMs: 700, name: 'in the middle of it' }] as const

/**
 * S4: a folder is opened that was never seen, and a message is sent; from the message to the model's request, with the
 * first snapshot going on, beside the same without any. In turn, a data folder of its own for each; the first pair fills caches.
 */
export async function perfSnapshotMessage(print: (line: PerfLine) => void, size: number, rounds = 15): Promise<void> {
  const top = realpathSync(mkdtempSync(path.join(tmpdir(), 'countersign-perf-message-')))
  try {
    makeProject(path.join(top, 'project'), size)
    for (const { afterMs, name } of moments) {
      const times = { on: [] as number[], off: [] as number[] }
      for (let round = 0; round <= rounds; round++) {
        const order = round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const)
        for (const which of order) {
          const took = await firstRequestMs(top, `${afterMs}-${round}-${which}`, which === 'on', afterMs)
          if (round > 0) times[which].push(took)
        }
      }
      const [value, baseline] = [median(times.on), median(times.off)]
      print({ goal: 'S4', name: `first message ${name} to the model’s request, with the first snapshot (beside none)`, value: Math.round(value * 10) / 10, unit: 'ms', baseline: Math.round(baseline * 10) / 10, ratio: Math.round((value / baseline) * 1000) / 1000, runs: rounds })
    }
  } finally {
    rmSync(top, { recursive: true, force: true })
  }
}

async function firstRequestMs(top: string, name: string, recordsOpening: boolean, afterMs: number): Promise<number> {
  let arrivedAt = 0
  const model = await startFakeModelServer({
    steps: () => {
      arrivedAt ||= performance.now()
      return reply({ text: 'Heard.' })
    },
  })
  const [dataFolder, home] = [path.join(top, `data-${name}`), path.join(top, 'home')]
  mkdirSync(home, { recursive: true })
  const host = await composeHost({
    dataFolder, dataFolderSetBy: null, workersFolder: path.join(root, 'out/main'), resourcesFolder: path.join(root, 'resources'), home, env: { PATH: process.env['PATH'], HOME: home }, platform: process.platform,
    locale: () => 'en', keychain: null, openAddress: null, recordsOpening, indexesAtOpening: false, given: { baseUrl: model.baseUrl, model: 'm' }, chosenModel: null, log: () => undefined,
  })
  try {
    const opened = await host.openWorkspace(path.join(top, 'project'))
    if (!opened.ok) throw new Error(opened.fault.code)
    const session = await host.createSession('')
    await new Promise((done) => setTimeout(done, afterMs))
    const askedAt = performance.now()
    const started = await host.runs.prompt(session.id, 'Hello')
    if (!started.ok) throw new Error(started.fault.code)
    await started.value.ended
    if (arrivedAt === 0) throw new Error('the model was never asked')
    return arrivedAt - askedAt
  } finally {
    await host.close()
    await model.close()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}
