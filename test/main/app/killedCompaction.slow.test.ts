import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { asId, type SessionId } from '../../../src/shared/domain/ids'
import { defaultSettings } from '../../../src/shared/domain/settings'
import { childOf } from '../../support/childProcess'
import { reply, startFakeModelServer } from '../../support/fakeModelServer'
import { guardHost } from '../../support/guardHost'

const repository = path.resolve(import.meta.dirname, '../../..')
const child = childOf('runChild', { besidePackages: true })

/** Long enough that a later turn needs room in a window of which nobody says how large it is. */
const long = { turns: 4, words: 3_500 }

/** A session that needs room is killed over it; the next start goes on with the turn. */
async function killedOver(at: 'summary call' | 'history-compacted' | 'before:history-compacted') {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'countersign-compaction-')))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  for (const name of ['project', 'home', 'data']) mkdirSync(path.join(base, name))
  writeFileSync(path.join(base, 'data/settings.json'), JSON.stringify({ compaction: { ...defaultSettings.compaction, atShare: 0.3, keepTurns: 1, proposesMemory: false } }))
  let summaries = 0
  let kill: () => void = () => undefined
  const server = await startFakeModelServer({
    steps: (request) => {
      if (request.body['tools'] !== undefined) return reply({ text: 'Read.' })
      summaries += 1
      if (at === 'summary call' && summaries === 1) kill()
      return reply({ text: 'They read parts of something together.' })
    },
  })
  onTestFinished(() => server.close())
  const running = child({ base, baseUrl: server.baseUrl, repository, queued: [], long }, at === 'summary call' ? {} : { COUNTERSIGN_TEST: '1', COUNTERSIGN_CRASH_AT: at })
  kill = () => void running.process.kill('SIGKILL')
  expect((await running.ended).signal).toBe('SIGKILL')
  const id = asId<SessionId>(running.lines.find((line) => line.startsWith('session '))?.slice('session '.length) ?? '')

  const host = await guardHost(base, server.baseUrl, repository)
  onTestFinished(() => host.close())
  const opened = await host.openWorkspace(path.join(base, 'project'))
  if (!opened.ok) throw new Error(opened.fault.code)
  const before = (await host.sessions.open(id)).events.filter(({ type }) => type === 'history-compacted').length
  const end = await host.runs.recover(id, 'tell')
  const { events } = await host.sessions.open(id)
  const latest = events.flatMap((event) => (event.type === 'user-message-added' ? [event.text.slice(0, 7)] : [])).at(-1) ?? ''
  return { latest, before, end, summaries, compacted: events.filter(({ type }) => type === 'history-compacted').length, seqs: events.map(({ seq }) => seq), last: server.requests.at(-1) }
}

test.each([['summary call', 0, 2], ['before:history-compacted', 0, 2], ['history-compacted', 1, 1]] as const)('R84 R97 R26 killed over %s: the history is whole or compacted once, and the turn goes on', async (at, before, summaries) => {
  const outcome = await killedOver(at)
  expect(outcome).toMatchObject({ before, summaries, compacted: 1, end: { reason: 'done', text: 'Read.' } })
  expect(outcome.seqs).toEqual(outcome.seqs.map((_, index) => index + 1))
  const sent = JSON.stringify(outcome.last?.messages)
  expect([sent.includes('They read parts of something together.'), sent.includes(outcome.latest), sent.includes('Part 1.')]).toEqual([true, true, false])
}, 60_000)
