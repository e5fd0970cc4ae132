import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { eventually, inWorld, type AppUnderTest } from '../support/appUnderTest'
import { casesF } from '../support/mcpServers'
import { configureServers, mcpFile, obedient, offeredTools, resultsIn, serverForm, serverRow } from '../support/mcpWindow'
import { processesWith } from '../support/processes'
import { reply } from '../support/fakeModelServer'

/** Servers that do not do their part delay nobody and leave nothing behind: R44 R46, case f09. */

const mark = `countersign-mcp-${process.pid}`
const entry = (name: string): object => ({ command: process.execPath, args: [path.join(casesF, name), mark] })
const servers = {
  slow: entry('f09.mjs'),
  dead: { command: process.execPath, args: ['-e', 'console.error("first line"); console.error("no such database: orders"); process.exit(3)', mark] },
  good: entry('f02.mjs'),
  // Hears neither the end of its input nor a request to end.
  stubborn: { command: process.execPath, args: ['-e', 'process.on("SIGTERM", () => {}); process.on("SIGHUP", () => {}); process.stdin.on("data", () => {}); setInterval(() => {}, 1000)', mark] },
}

test('R46 one that hangs, one that dies, one that never speaks: the window and the good one wait for none of them; kill -9 leaves no process', () =>
  inWorld({ artefacts: 'mcp-faults', model: { steps: obedient() } }, async (world) => {
    configureServers(world, servers)
    const app = await world.start()
    expect(processesWith(mark)).toEqual([])
    await app.send('call argv')
    await app.card.getByRole('heading', { name: 'good · argv' }).waitFor()
    await app.goTo('servers')
    await serverRow(app, 'slow').filter({ hasText: app.word('servers.state.starting') }).waitFor()
    await serverRow(app, 'good').filter({ hasText: app.word('servers.count.tools', { count: 1 }) }).waitFor()
    await deadIsExplained(app)
    await app.goTo('work')
    await app.allow('good · argv')
    await app.says('Done: argv')
    expect(resultsIn(world.model.requests.at(-1))['argv']).toContain(mark)

    await eventually(() => processesWith(mark).length >= 3, true)
    await killApp(app)
    await eventually(() => processesWith(mark).map(({ line }) => line), [])
  }))

async function deadIsExplained(app: AppUnderTest): Promise<void> {
  await serverRow(app, 'dead').filter({ hasText: app.word('servers.failed-because', { why: '' }).trim() }).click()
  const failure = app.page.getByRole('region', { name: app.word('servers.failure') })
  await failure.getByText(app.word('mcp.exited', { exitCode: 3 })).waitFor()
  await failure.getByText('no such database: orders').waitFor()
  await failure.getByText(/Next try in \d+ s \(\d of 5\)/).waitFor()
  await app.shot('dead-explained')
  await app.button('servers.show-log').click()
  await app.page.getByRole('log').getByText('first line').first().waitFor()
  await app.shot('log')
  await app.page.keyboard.press('Escape')
}

async function killApp(app: AppUnderTest): Promise<void> {
  const child = app.window.app.process()
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

test('R44 R46 a broken mcp.json: its line and column, a page that only reads, a chat that works, and not a byte changed', () =>
  inWorld({ artefacts: 'mcp-broken', model: { steps: [reply({ text: 'Without servers.' })] } }, async (world) => {
    const broken = '// mine\r\n{\r\n  "mcpServers": {\r\n    "one": { "command": "node", "args": ["a.mjs"] }\r\n    "two": { "command": "node" },\r\n  },\r\n}\r\n'
    writeFileSync(mcpFile(world), broken)
    const app = await world.start()
    await app.goTo('servers')
    const alert = app.page.getByRole('alert').filter({ hasText: app.word('servers.read-only') })
    await alert.getByText(/line 5, column 5/).waitFor()
    expect([await app.button('servers.import').first().isDisabled(), await app.button('servers.add').isDisabled(), await serverForm(app).count()]).toEqual([true, true, 0])
    await app.shot('read-only')
    await app.goTo('work')
    await app.send('hello')
    await app.says('Without servers.')
    expect(offeredTools(world.model.requests[0] as never).filter((name) => name.startsWith('mcp__'))).toEqual([])
    await app.close()
    expect(readFileSync(mcpFile(world), 'utf8')).toBe(broken)
  }))
