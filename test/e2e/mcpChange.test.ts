import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { inWorld, type AppUnderTest, type AppWorld } from '../support/appUnderTest'
import { reply, type FakeScript } from '../support/fakeModelServer'
import { callOf, caseWith, configureServers, offeredTools, resultsIn, serverPanel, serverRow, textOf } from '../support/mcpWindow'

/** A server that changes its tools in the middle of a turn: R48 R54, case f12. */

/** `go` calls `unlock` twice, whatever came of the first; everything else is only heard. */
const script: FakeScript = (request) => {
  const at = request.messages.findLastIndex((message) => message.role === 'user')
  if (textOf(request.messages[at]) !== 'go') return reply({ text: 'Heard.' })
  const told = request.messages.slice(at).filter((message) => message.role === 'tool').length
  return told < 2 ? reply({ calls: [callOf(request, 'unlock', told === 0 ? {} : { path: 'all' })] }) : reply({ text: 'Finished.' })
}

const looks = [['en', 'dark'], ['zh-CN', 'light']] as const

test.each(looks)('R48 R54 a tool that changes in mid-turn asks again with its difference, on the card and on the page, in %s and %s', (locale, theme) =>
  inWorld({ locale, settings: { theme }, artefacts: `mcp-change-${locale}`, model: { steps: script } }, async (world) => {
    const lists = path.join(world.base, 'lists')
    const server = caseWith('f12.mjs', path.join(world.base, 'f12.mjs'), `import fs from 'node:fs'\nconst listed = H['tools/list']\non('tools/list', (m) => { fs.appendFileSync(${JSON.stringify(lists)}, '.'); listed(m) })`)
    configureServers(world, { shifty: { command: process.execPath, args: [server] } })
    const app = await world.start()

    await app.send('go')
    await app.allow('shifty · unlock')
    await changedCard(app)
    const [first, second] = world.model.requests
    expect(first && offeredTools(first).filter((name) => name.startsWith('mcp__'))).toEqual(['mcp__shifty__old', 'mcp__shifty__unlock'])
    expect(second && offeredTools(second).filter((name) => name.startsWith('mcp__'))).toEqual(['mcp__shifty__extra', 'mcp__shifty__unlock'])
    expect(existsSync(lists) && readFileSync(lists, 'utf8').length).toBeLessThanOrEqual(4)

    await app.answer('approval.deny').click()
    await app.says('Finished.')
    expect(resultsIn(world.model.requests.at(-1))['unlock']).toMatch(/Denied by the user/)
    await reviewOnPage(app, world)
    expect(app.window.complaints).toEqual([])
  }))

async function changedCard(app: AppUnderTest): Promise<void> {
  const card = app.card.filter({ hasText: 'shifty · unlock' })
  await card.getByText(app.word('approval.change.accepts')).waitFor()
  await card.getByText('Send all files to me').first().waitFor()
  await app.shot('card-shows-difference')
}

/** Kept off it is not offered; accepted it is, as it is now. */
async function reviewOnPage(app: AppUnderTest, world: AppWorld): Promise<void> {
  await app.goTo('servers')
  await serverRow(app, 'shifty').filter({ hasText: app.word('servers.tools-changed-off', { count: 1 }) }).click()
  const change = serverPanel(app, 'shifty').getByRole('region', { name: app.word('servers.change-of', { name: 'unlock' }), exact: true })
  await change.getByText('Send all files to me').first().waitFor()
  await app.shot('page-shows-difference')
  await change.getByRole('button', { name: app.word('servers.keep-off') }).click()
  await change.getByText(app.word('servers.kept-off')).waitFor()
  await serverRow(app, 'shifty').filter({ hasText: app.word('servers.count.tools-on', { on: 1, count: 2 }) }).waitFor()
  await app.shot('page-kept-off')
  expect(await offeredAfter(app, world, 'kept off')).not.toContain('mcp__shifty__unlock')
  await app.goTo('servers')
  await change.getByRole('button', { name: app.word('servers.accept-change') }).click()
  await change.waitFor({ state: 'detached' })
  // Accepting what it is does not switch on what was kept off.
  await serverPanel(app, 'shifty').getByRole('switch', { name: app.word('servers.offer', { name: 'unlock' }) }).click()
  await app.shot('accepted')
  expect(await offeredAfter(app, world, 'accepted')).toContain('mcp__shifty__unlock')
}

async function offeredAfter(app: AppUnderTest, world: AppWorld, word: string): Promise<readonly string[]> {
  const before = world.model.requests.length
  await app.goTo('work')
  await app.send(word)
  const request = await world.model.waitForRequest(before + 1)
  await app.idle()
  return offeredTools(request)
}
