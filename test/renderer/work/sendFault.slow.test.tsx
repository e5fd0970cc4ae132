import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { useApp } from '../../../src/renderer/app/appStore'
import { useModels } from '../../../src/renderer/features/models/modelStore'
import { isMendedInModels } from '../../../src/renderer/features/work/modelFaults'
import { asId, type TurnId } from '../../../src/shared/domain/ids'
import { fail, said, succeed, type Result } from '../../../src/shared/domain/result'
import { defaultSettings } from '../../../src/shared/domain/settings'
import type { AppStart, ProviderRow } from '../../../src/shared/ipc/views'
import type { SayCode } from '../../../src/shared/words/codes'
import { model as english } from '../../../src/shared/words/en/model'
import { model as chinese } from '../../../src/shared/words/zh-CN/model'
import type { MemoryAnswers, MemoryHost } from '../../support/memoryHost'
import { events, sessionId, sessions, workDrafts, workspace } from '../stories/world'
import { doing, fakeBrowser, freshHost, settle, showWindow } from '../support'

const start: AppStart = { version: '1', platform: 'linux', locale: 'en', settings: defaultSettings, faults: [], stopped: null, workspace, recent: [], sandbox: { kind: 'none', reason: said('approval.no-sandbox'), canTry: false, testedAtMs: 0 }, audit: null, dataFolder: { path: '/d', setBy: null } }
const idle = events(workDrafts.slice(0, 6))
const row = (id: string, isActive: boolean): ProviderRow => ({ id, name: id, baseUrl: 'http://127.0.0.1:9/v1', model: 'm', isActive, origin: 'settings', key: null, hasKeychain: false, isSealed: true, isKeySealed: isActive })
let stop: () => void = () => undefined

beforeEach(fakeBrowser)
afterEach(() => { stop(); cleanup(); vi.unstubAllGlobals() })

async function open(answers: MemoryAnswers, history = idle): Promise<MemoryHost> {
  const memory = freshHost({ 'app/start': () => start, 'session/list': () => sessions, 'session/read': ({ sessionId: id, fromSeq }) => (id === sessionId ? history.filter((event) => event.seq >= fromSeq) : []), 'provider/list': () => [row('first', false), row('second', true)], ...answers })
  ;({ stop } = await showWindow())
  await settle(60)
  return memory
}

async function send(text: string): Promise<void> {
  fireEvent.change(screen.getByRole('textbox', { name: 'Message' }), { target: { value: text } })
  await doing(() => { fireEvent.keyDown(screen.getByRole('textbox', { name: 'Message' }), { key: 'Enter' }) })
  await settle()
}

const asked = (memory: MemoryHost, channel: string) => memory.asked.filter((one) => one.channel === channel).map((one) => one.ask)

test('R92 a message over a sealed key asks for the pass phrase at once; a wrong one says so, the right one sends on', async () => {
  let isOpen = false
  const memory = await open({
    'session/prompt': () => (isOpen ? succeed({ turnId: asId<TurnId>('t9') }) : fail('model.key-sealed', { provider: 'Second' })),
    'provider/unseal': ({ passPhrase }) => (passPhrase === 'right' ? ((isOpen = true), succeed(null)) : fail('settings.wrong-pass-phrase')),
  })
  await send('please go on')
  const listed = asked(memory, 'provider/list').length
  for (const phrase of ['wrong', 'right']) {
    expect(screen.getByRole('alert').textContent).toContain('The key of Second is sealed')
    fireEvent.change(screen.getByRole('textbox', { name: 'Pass phrase' }), { target: { value: phrase } })
    await doing(() => { fireEvent.submit(screen.getByRole('form', { name: 'Unseal' })) })
    if (phrase === 'wrong') expect([screen.getByText(/^This pass phrase does not open/).className, screen.getByRole<HTMLInputElement>('textbox', { name: 'Pass phrase' }).value]).toEqual(['hint t-bad', ''])
    await settle()
  }
  expect(asked(memory, 'session/prompt')).toEqual([{ sessionId, text: 'please go on' }, { sessionId, text: 'please go on' }])
  expect([screen.queryByRole('alert'), screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' }).value, asked(memory, 'provider/list').length - listed]).toEqual([null, '', 1])
})

test('R89 a turn that ended for an address that does not answer leads to the provider that was used', async () => {
  const ended = { type: 'turn-ended', turnId: asId<TurnId>('t2'), step: 1, reason: 'error', say: said('model.with-detail', { fact: said('model.refused-connection', { host: 'h' }), detail: 'd' }), text: '', tokens: { input: 0, output: 0 }, auditHead: null } as const
  await open({}, [...idle, ...events([ended], idle.length + 1)])
  const way = await screen.findByRole('button', { name: 'Open Models' })
  await doing(() => { fireEvent.click(way) })
  await settle()
  expect([useApp.getState().page, useModels.getState().selected]).toEqual(['models', 'second'])
})

test('a fault that no provider can help with has no such button', async () => {
  await open({ 'session/prompt': () => fail('turn.running') })
  await send('x')
  expect([screen.getAllByRole('alert').length, screen.queryByRole('button', { name: 'Open Models' })]).toEqual([1, null])
})

describe('every sentence that sends the person to Models has the way there beside it, in both languages', () => {
  const names = (Object.keys(english) as (keyof typeof english)[]).filter((code) => / in Models\b/.test(english[code]))
  test.each(names)('%s', (code: SayCode & keyof typeof english) => {
    expect({ way: isMendedInModels(said(code)), chinese: chinese[code].includes('“模型”'), settings: /Settings|设置中/.test(english[code] + chinese[code]) }).toEqual({ way: true, chinese: true, settings: false })
  })
})

test('R33 while a message is prepared the window says so, and the next one waits behind it; both come back in their order', async () => {
  let answer: (result: Result<{ turnId: TurnId }>) => void = () => undefined
  const memory = await open({ 'session/prompt': () => new Promise((resolve) => { answer = resolve }) })
  await send('first')
  expect(screen.getByText(/^Your message is being prepared, /)).toBeDefined()
  await send('second')
  expect([asked(memory, 'session/prompt').length, screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' }).value, screen.queryByRole('button', { name: 'Deliver' })]).toEqual([1, '', null])
  expect(asked(memory, 'session/queue')).toEqual([])
  await doing(() => answer(fail('model.key-sealed', { provider: 'Second' })))
  await settle()
  expect([screen.queryByText(/^Your message is being prepared, /), screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' }).value, asked(memory, 'session/queue')]).toEqual([null, 'first\n\nsecond', []])
})
