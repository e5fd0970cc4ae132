import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ItemRow } from '../../../src/renderer/features/work/Rows'
import { applyEvent, emptyChat, type ChatView } from '../../../src/shared/domain/chatView'
import { asId, type CallId } from '../../../src/shared/domain/ids'
import { fail, succeed } from '../../../src/shared/domain/result'
import { outputs } from '../../../src/renderer/features/work/workStore'
import type { MemoryAnswers, MemoryHost } from '../../support/memoryHost'
import { refs, runningServerCall, serverCall, serverDrafts } from '../stories/mcpWorld'
import { events, sessionId } from '../stories/world'
import { doing, fakeBrowser, freshHost, settle, show } from '../support'

beforeEach(fakeBrowser)
afterEach(() => { cleanup(); vi.unstubAllGlobals() })

const past = { onOpenModels: () => undefined, onReplaceKey: () => undefined, onOtherModel: () => undefined, linesOf: () => null, onUndoCall: () => undefined, canUndo: () => false, onRollBackTurn: () => undefined }
const folded = (drafts: Parameters<typeof events>[0]): ChatView => events(drafts).reduce(applyEvent, emptyChat(sessionId))
const asked = (memory: MemoryHost, channel: string) => memory.asked.filter((one) => one.channel === channel).map((one) => one.ask)
const row = (name: RegExp) => screen.getByRole('button', { name })

async function open(drafts: Parameters<typeof events>[0], answers: MemoryAnswers = {}): Promise<MemoryHost> {
  const memory = freshHost({ 'output/content': () => succeed({ base64: 'AAAA', sizeBytes: 3 }), ...answers })
  show(<main>{folded(drafts).items.map((item) => <ItemRow key={item.seq} item={item} past={past} />)}</main>)
  await settle()
  return memory
}

/** One ref a test: bytes that were read once are kept. */
let count = 0
const freshRef = (): string => (count += 1).toString(16).padStart(64, '0')
const withImage = (ref: string, more: object = {}) => serverCall({ id: 'k1', server: 'browser', tool: 'page.shot', args: {}, text: 'Done.', content: [{ kind: 'image', mimeType: 'image/png', ref, sizeBytes: 100, name: 'orders.png', ...more }] })

test('F03: a row names server and original tool, its arguments short, who signed, and that its result is outside text', async () => {
  await open(serverDrafts)
  expect(row(/github/).textContent).toBe('github · issue.searchquery: is:open label:retry, limit: 20outside textYou signed0.8 s')
  expect(screen.getAllByTitle('This text came from the server browser. The model is told that it is data and no instruction.')[0]?.textContent).toBe('outside text')
  expect(row(/^db/).textContent).toContain('Failed')
})

test('F04: a picture is drawn in the row from its bytes alone, and a click enlarges it', async () => {
  const ref = freshRef()
  const memory = await open(withImage(ref))
  const picture = await screen.findByRole<HTMLImageElement>('img', { name: 'orders.png' })
  expect([asked(memory, 'output/content'), picture.getAttribute('src')]).toEqual([[{ ref }], 'data:image/png;base64,AAAA'])
  fireEvent.click(screen.getByRole('button', { name: 'Enlarge: orders.png' }))
  expect(within(screen.getByRole('dialog', { name: 'orders.png' })).getByRole('img', { name: 'orders.png' })).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('F04: a picture out of sight is not read, a large one only when asked for', async () => {
  vi.stubGlobal('IntersectionObserver', class { observe(): void {} disconnect(): void {} })
  expect(asked(await open(withImage(freshRef())), 'output/content')).toEqual([])
  cleanup()
  fakeBrowser()
  const ref = freshRef()
  const memory = await open(withImage(ref, { sizeBytes: 9_000_000 }))
  expect(asked(memory, 'output/content')).toEqual([])
  await doing(() => { fireEvent.click(screen.getByRole('button', { name: 'Show it (9 MB)' })) })
  expect(asked(memory, 'output/content')).toEqual([{ ref }])
})

test('F04: what cannot be drawn, is gone, or is no picture says so', async () => {
  await open(withImage(freshRef()))
  fireEvent.error(await screen.findByRole('img', { name: 'orders.png' }))
  expect(screen.getByText('This picture cannot be drawn (image/png).')).toBeDefined()
  cleanup()
  await open(withImage(freshRef(), { mimeType: 'text/html' }))
  expect([(await screen.findByText('This picture cannot be drawn (text/html).')).tagName, screen.queryByRole('img')]).toEqual(['SPAN', null])
  cleanup()
  await open(withImage(freshRef()), { 'output/content': () => fail('mcp.content-too-large', { bytes: 30_000_000 }) })
  expect(await screen.findByText(/too large to be shown/)).toBeDefined()
})

test('F04: a sound has a player with a name, a file its name and size', async () => {
  await open(serverCall({ id: 'k1', server: 's', tool: 't', args: {}, text: '', content: [{ kind: 'audio', mimeType: 'audio/wav', ref: freshRef(), sizeBytes: 1200, name: '' }, { kind: 'file', mimeType: 'application/pdf', ref: freshRef(), sizeBytes: 3_400_000, name: 'report.pdf' }] }))
  fireEvent.click(row(/^s · t/))
  await settle()
  expect(screen.getByLabelText('Sound from s').getAttribute('src')).toBe('data:audio/wav;base64,AAAA')
  expect(screen.getByText('report.pdf').parentElement?.textContent).toBe('report.pdf application/pdf · 3.4 MB')
})

test('F04: an address stands whole with its hidden characters boxed, and only a click opens one of the web', async () => {
  const memory = await open(serverDrafts)
  fireEvent.click(row(/github/))
  await settle()
  const contents = screen.getAllByRole('list', { name: 'Contents' }).map((list) => list.textContent).join()
  expect(contents).toContain('https://issues.example.org/harbor/412')
  expect(contents).toContain('file:///etc/passU+200BwdOnly https and mail addresses are opened from here.')
  expect([asked(memory, 'link/open'), screen.queryAllByRole('link'), document.querySelectorAll('a[href], iframe, img[src^="http"]')]).toEqual([[], [], document.querySelectorAll('nothing')])
  fireEvent.click(screen.getByRole('button', { name: 'Open the address' }))
  expect(asked(memory, 'link/open')).toEqual([{ url: 'https://issues.example.org/harbor/412' }])
})

test('F05: a cut result opens whole, a part at a time', async () => {
  const memory = await open(serverDrafts, { 'output/read': ({ offset }) => succeed({ text: `from ${offset}`, totalBytes: 250_000 }) })
  fireEvent.click(row(/^logs/))
  expect(screen.getByText(/19,400,000 bytes left out/)).toBeDefined()
  await doing(() => { fireEvent.click(screen.getByRole('button', { name: 'Show all' })) })
  expect(screen.getByText('Bytes 1 to 100,000 of 250,000')).toBeDefined()
  await doing(() => { fireEvent.click(screen.getByRole('button', { name: 'Later part' })) })
  await doing(() => { fireEvent.click(screen.getByRole('button', { name: 'Later part' })) })
  expect([screen.getByText('from 200000').tagName, screen.getByText('Bytes 200,001 to 250,000 of 250,000').tagName, (screen.getByRole<HTMLButtonElement>('button', { name: 'Later part' })).disabled]).toEqual(['BDI', 'SPAN', true])
  expect(asked(memory, 'output/read')).toEqual([0, 100_000, 200_000].map((offset) => ({ ref: refs.huge, offset, length: 100_000 })))
})

test('F05: a whole that is gone says so and leaves what the model was told', async () => {
  await open(serverDrafts, { 'output/read': () => fail('command.output-gone') })
  fireEvent.click(row(/^logs/))
  await doing(() => { fireEvent.click(screen.getByRole('button', { name: 'Show all' })) })
  expect([screen.getByRole('alert').textContent === '', screen.getByText(/line 100000/).tagName]).toEqual([false, 'BDI'])
})

test('F10: the progress of a running call stands in its row', async () => {
  await open(runningServerCall)
  await doing(() => outputs.append(asId<CallId>('k9'), '12 of 40 pages\n13 of 40 pages\n'))
  expect(screen.getByText('13 of 40 pages')).toBeDefined()
  expect(row(/^browser · crawl/).textContent).toContain('depth: 3')
})

test('R50: a message shows what was attached to it, and each opens to what the model read', async () => {
  const memory = await open(serverDrafts, { 'output/read': () => succeed({ text: 'The whole handbook', totalBytes: 18 }) })
  const attached = within(screen.getByRole('list', { name: 'Attachments' })).getByRole('button')
  expect(attached.textContent).toBe('handbook.mdfilesfile:///srv/docs/handbook.mdcut for the model37 characters')
  fireEvent.click(attached)
  expect(screen.getByText(/The harbour opens at six/)).toBeDefined()
  await doing(() => { fireEvent.click(screen.getByRole('button', { name: 'Show all' })) })
  expect([screen.getByText('The whole handbook').tagName, asked(memory, 'output/read')]).toEqual(['BDI', [{ ref: refs.readme, offset: 0, length: 100_000 }]])
})

test('R106: axe finds no fault with opened calls of servers', async () => {
  await open(serverDrafts)
  for (const name of [/^browser/, /^github/, /^db/, /^logs/]) fireEvent.click(row(name))
  await settle()
  const result = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false }, region: { enabled: false }, 'page-has-heading-one': { enabled: false } } })
  expect(result.violations.map((one) => `${one.id}: ${one.nodes[0]?.html ?? ''}`)).toEqual([])
})
