import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { inWorld, type AppUnderTest } from '../support/appUnderTest'
import { reply, type FakeScript } from '../support/fakeModelServer'
import { casesF } from '../support/mcpServers'
import { callOf, callRow, configureServers, resultsIn, textOf } from '../support/mcpWindow'

/** Results far too large for a model: R49 R50, case f05. The window stays responsive, the disk holds them once. */

const megabyte = 1_000_000
/** Far more than a person would bear; a window that freezes takes longer. */
const longestGapMs = 2000

/** `big` and `bigimg` call these; `show` reads the end of what was cut by its reference; everything else is only heard. */
const script: FakeScript = (request) => {
  const at = request.messages.findLastIndex((message) => message.role === 'user' && typeof message.content === 'string')
  const word = textOf(request.messages[at])
  if (request.messages.slice(at).some((message) => message.role === 'tool')) return reply({ text: `Done: ${word}` })
  if (word === 'big' || word === 'bigimg') return reply({ calls: [callOf(request, word)] })
  const ref = /cat (\{"ref":"[^"]+"\})/.exec(resultsIn(request)['big'] ?? '')?.[1]
  return word === 'show' && ref !== undefined ? reply({ calls: [{ name: 'cat', argumentsText: ref }] }) : reply({ text: `Heard: ${word}` })
}

test('R49 R50 20 MB of text and a picture of 8 MB: cut for the model, whole for the person, stored once, and the window goes on', () =>
  inWorld({ artefacts: 'mcp-large', model: { steps: script } }, async (world) => {
    configureServers(world, { large: { command: process.execPath, args: [path.join(casesF, 'f05.mjs')] } })
    const app = await world.start()
    await app.send('hello')
    await app.says('Heard: hello')
    await app.idle()

    const before = sizes(world.dataDir)
    const text = await called(app, 'big')
    const afterText = sizes(world.dataDir)
    const picture = await called(app, 'bigimg')
    const afterPicture = sizes(world.dataDir)
    const opened = await measured(app, () => openWhole(app))
    console.log('f05', JSON.stringify({ text, picture, opened, database: [before.database, afterText.database, afterPicture.database], outputs: [before.outputs, afterText.outputs, afterPicture.outputs] }))

    for (const { rendererMs, mainMs } of [text, picture, opened]) expect(Math.max(rendererMs, mainMs)).toBeLessThan(longestGapMs)
    expect(afterPicture.database - before.database).toBeLessThan(2 * megabyte)
    expect(afterText.outputs - before.outputs).toBeLessThan(21 * megabyte)
    expect(afterPicture.outputs - afterText.outputs).toBeLessThan(6.5 * megabyte)

    const results = resultsIn(world.model.requests.at(-1))
    expect([(results['big'] ?? '').length < 40_000, /of 20,000,000 characters left out; cat /.test(results['big'] ?? '')]).toEqual([true, true])
    expect(results['bigimg']).not.toContain('AAAAAAAA')
    expect(world.model.requests.at(-1)?.bodyText.length).toBeLessThan(100_000)

    await app.send('show')
    await app.says('Done: show')
    expect(resultsIn(world.model.requests.at(-1))['cat']).toMatch(/x{1000}/)
    await app.idle()
    await app.send('and now?')
    await app.says('Heard: and now?')
  }))

async function called(app: AppUnderTest, tool: string): Promise<Gaps> {
  return measured(app, async () => {
    await app.send(tool)
    await app.allow(`large · ${tool}`)
    await app.says(`Done: ${tool}`)
    await app.idle()
  })
}

/** A part at a time, also far inside. */
async function openWhole(app: AppUnderTest): Promise<void> {
  const row = callRow(app, 'large', 'big').first()
  const line = row.getByRole('button', { name: /^large · big\b/ })
  await line.click()
  await row.getByRole('button', { name: app.word('session.show-all') }).click()
  await row.getByRole('button', { name: app.word('session.part-later') }).click()
  await row.getByText(/of 20,000,\d{3}/).waitFor()
  await app.shot('whole-text')
  await line.click()
}

interface Gaps {
  readonly rendererMs: number
  readonly mainMs: number
}

/** The longest time between two frames of the page, and the longest wait for an answer of main, while something is done. */
async function measured(app: AppUnderTest, work: () => Promise<void>): Promise<Gaps> {
  await app.page.evaluate(() => {
    const host = (globalThis as unknown as { host: Record<'sessionList', (ask: object) => Promise<unknown>> }).host
    const gaps = { rendererMs: 0, mainMs: 0, isOver: false }
    ;(globalThis as unknown as { gaps: typeof gaps }).gaps = gaps
    let last = performance.now()
    const frame = (): void => {
      gaps.rendererMs = Math.max(gaps.rendererMs, performance.now() - last)
      last = performance.now()
      if (!gaps.isOver) requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
    const ping = async (): Promise<void> => {
      while (!gaps.isOver) {
        const askedAt = performance.now()
        await host.sessionList({})
        gaps.mainMs = Math.max(gaps.mainMs, performance.now() - askedAt)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
    void ping()
  })
  await work()
  return app.page.evaluate(() => {
    const { gaps } = globalThis as unknown as { gaps: { rendererMs: number; mainMs: number; isOver: boolean } }
    gaps.isOver = true
    return { rendererMs: Math.round(gaps.rendererMs), mainMs: Math.round(gaps.mainMs) }
  })
}

/** Bytes of the database with its log, and of stored outputs. */
function sizes(dataDir: string): { readonly database: number; readonly outputs: number } {
  const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).map((name) => ({ name, file: statSync(path.join(dataDir, name), { throwIfNoEntry: false }) }))
  const sum = (fits: (name: string) => boolean): number => files.reduce((total, { name, file }) => total + (file?.isFile() && fits(name) ? file.size : 0), 0)
  return { database: sum((name) => /^[^/]+\.db(-wal)?$/.test(name) || /\.sqlite3?(-wal)?$/.test(name)), outputs: sum((name) => name.startsWith('outputs')) }
}
