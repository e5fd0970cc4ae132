import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { asId, type SessionId } from '../../../src/shared/domain/ids'
import { childOf } from '../../support/childProcess'
import { reply, startFakeModelServer } from '../../support/fakeModelServer'
import { guardHost } from '../../support/guardHost'

const repository = path.resolve(import.meta.dirname, '../../..')
const child = childOf('runChild', { besidePackages: true })

test('R97 R10 two hosts on one data folder: the second takes up nothing that runs, starts nothing in it, and what it puts in line is delivered by the first', async () => {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'countersign-two-')))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  for (const name of ['project', 'home', 'data']) mkdirSync(path.join(base, name))
  const project = path.join(base, 'project')
  const command = 'until [ -e go.txt ]; do sleep 0.1; done; echo once >> done.txt'
  const server = await startFakeModelServer({ steps: (request) => (request.messages.some(({ role }) => role === 'tool') ? reply({ text: 'Finished.' }) : reply({ calls: [{ name: 'run_command', args: { command } }] })) })
  onTestFinished(() => server.close())
  const first = child({ base, baseUrl: server.baseUrl, repository, queued: ['from the first'] })
  const host = await guardHost(base, server.baseUrl, repository)
  onTestFinished(() => host.close())
  const opened = await host.openWorkspace(project)
  if (!opened.ok) throw new Error(opened.fault.code)
  const id = async (): Promise<SessionId> => {
    for (;;) {
      const told = first.lines.find((line) => line.startsWith('session '))
      if (told !== undefined) return asId<SessionId>(told.slice('session '.length))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const session = await id()
  const running = async (): Promise<boolean> => { await host.sessions.refresh(session); return (await host.sessions.open(session)).events.some(({ type }) => type === 'message-queued') }
  while (!(await running())) await new Promise((resolve) => setTimeout(resolve, 20))

  expect(await host.unfinished()).toEqual([])
  expect(await host.runs.recover(session, 'ask')).toBeNull()
  expect(await host.runs.prompt(session, 'Me too')).toMatchObject({ ok: false, fault: { code: 'app.session-elsewhere' } })
  expect((await host.runs.queue(session, { text: 'from the second' })).ok).toBe(true)
  mkdirSync(path.join(project, 'go.txt'))
  await first.line('ended')
  await host.sessions.refresh(session)
  const { events } = await host.sessions.open(session)
  expect(events.flatMap((event) => (event.type === 'user-message-added' ? [event.text] : []))).toEqual(['go', 'from the first', 'from the second'])
  expect([readFileSync(path.join(project, 'done.txt'), 'utf8'), events.map(({ seq }) => seq)]).toEqual(['once\n', events.map((_, at) => at + 1)])
  expect(host.runs.recoveries()).toEqual([])
}, 60_000)
