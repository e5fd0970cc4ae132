import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, inWorld, type AppUnderTest, type AppWorld } from '../support/appUnderTest'
import { answerJson, listenAt, type AddressServer } from '../support/mcpServers'
import { callRow, caseWith, mcpFile, obedient, partsOf, resultsIn, serverForm, serverPanel, serverRow, textOf } from '../support/mcpWindow'

/** A server from its form to its pictures in the chat, as a person goes: R42 R43 R44 R45 R47 R49, cases f02 and f04. */

const oddArguments = ['--dir', '/a b/c', '"q"', '', "a'b", '$HOME', '*']
const secret = 'tok-4711-never-in-a-file'
const pixel = /px='([^']+)'/.exec(readFileSync(path.join(import.meta.dirname, '../cases/F/f04.mjs'), 'utf8'))?.[1] ?? ''
const eightTools = ['struct', 'both', 'res', 'link', 'none', 'err', 'argv', 'web']

/** Counts who comes: nothing of a result may. */
let trap: AddressServer
const visits: string[] = []
beforeAll(async () => {
  trap = await listenAt((request, response) => {
    visits.push(request.url ?? '')
    answerJson(response, 200, {})
  })
})
afterAll(() => trap.close())

const looks = [
  { locale: 'en', theme: 'dark', seesImages: true },
  { locale: 'zh-CN', theme: 'light', seesImages: false },
] as const

test.each(looks)('R42 R44 R45 R47 R49 add, test, save, call, look at a server, in $locale and $theme, model sees images: $seesImages', ({ locale, theme, seesImages }) =>
  inWorld({ locale, settings: { theme }, artefacts: `mcp-${locale}-${theme}`, model: { steps: obedient(), models: [{ id: 'fake-model', object: 'model', context_window: 200_000, supports_vision: seesImages }] } }, async (world) => {
    const script = writeServer(world)
    const app = await world.start()
    const asked: string[] = []
    app.page.on('request', (request) => void asked.push(request.url()))

    await app.goTo('servers')
    await app.button('servers.add.command').first().waitFor()
    await app.shot('none-yet')
    await fillForm(app, script)
    await testIt(app)
    await saveIt(app, world, script)

    await app.goTo('work')
    await callPicture(app, world, seesImages)
    await callTheRest(app, world, script)

    expect(asked.filter((url) => !/^(app|data|blob):/.test(url))).toEqual([])
    expect({ visits, complaints: app.window.complaints }).toEqual({ visits: [], complaints: [] })
  }))

/** Case f04 in an odd folder, that also tells its arguments (f02), proves that it has its secret, and tempts to fetch. */
function writeServer(world: AppWorld): string {
  const folder = path.join(world.base, 'my server (1)', 'ünï')
  mkdirSync(folder, { recursive: true })
  return caseWith('f04.mjs', path.join(folder, 'f04.mjs'), `
import { createHash } from 'node:crypto'
const hash = createHash('sha256').update(process.env.API_TOKEN ?? '').digest('hex')
R.argv = { content: [{ type: 'text', text: JSON.stringify({ argv: process.argv.slice(2), hash, plain: process.env.GREETING ?? null, home: process.env.COUNTERSIGN_PROVIDER_KEY ?? null }) }] }
R.web = { content: [
  { type: 'text', text: '![chart](${trap.origin}/in-text.png) <img src="${trap.origin}/tag.png">' },
  { type: 'resource_link', uri: '${trap.origin}/link', name: 'a page', mimeType: 'text/html' },
  { type: 'resource_link', uri: 'file:///etc/hostname', name: 'a file of this machine' },
  { type: 'resource', resource: { uri: '${trap.origin}/resource', mimeType: 'text/html', text: '<img src="${trap.origin}/inner.png">' } },
] }`)
}

async function fillForm(app: AppUnderTest, script: string): Promise<void> {
  await app.button('servers.add.command').first().click()
  const form = serverForm(app)
  const box = (name: string) => form.getByRole('textbox', { name, exact: true })
  await box(app.word('servers.name')).fill('pictures')
  await box(app.word('servers.command')).fill('node')
  for (const [at, text] of [script, ...oddArguments].entries()) {
    await form.getByRole('button', { name: app.word('servers.add-argument') }).click()
    await box(app.word('servers.argument', { number: at + 1 })).fill(text)
  }
  await addVariable(app, 0, 'API_TOKEN', secret)
  await addVariable(app, 1, 'GREETING', '${NOT_SET_ANYWHERE:-good day}')
  await app.shot('form-filled')
}

/** A name that reads like that of a key makes its value a secret by itself. */
async function addVariable(app: AppUnderTest, at: number, name: string, value: string): Promise<void> {
  const form = serverForm(app)
  await form.getByRole('button', { name: app.word('servers.add-env') }).click()
  await form.getByRole('textbox', { name: app.word('servers.value-name') }).nth(at).fill(name)
  await form.getByRole('textbox', { name: app.word('servers.value-of', { name }) }).fill(value)
}

async function testIt(app: AppUnderTest): Promise<void> {
  await app.button('servers.test').click()
  const card = app.page.getByRole('region', { name: app.word('servers.test-result') })
  for (const step of ['settings', 'start', 'handshake', 'tools'] as const) {
    await card.getByRole('listitem').filter({ hasText: app.word(`servers.step.${step}`) }).getByLabel(app.word('ui.ok')).waitFor()
  }
  await card.getByText(app.word('mcp.test-tools', { count: 12 })).waitFor()
  await app.shot('tested')
}

async function saveIt(app: AppUnderTest, world: AppWorld, script: string): Promise<void> {
  await app.button('servers.save').click()
  await serverRow(app, 'pictures').filter({ hasText: app.word('servers.state.idle-new') }).waitFor()
  await app.button('servers.start').click()
  await serverPanel(app, 'pictures').getByRole('listitem').filter({ hasText: 'struct' }).waitFor()
  await app.shot('saved-and-running')
  const text = readFileSync(mcpFile(world), 'utf8')
  expect(JSON.parse(text)).toMatchObject({ mcpServers: { pictures: { command: 'node', args: [script, ...oddArguments], env: { API_TOKEN: expect.stringMatching(/^\$\{secret:[^}]+\}$/), GREETING: '${NOT_SET_ANYWHERE:-good day}' } } } })
  expect(text).not.toContain(secret)
}

async function callPicture(app: AppUnderTest, world: AppWorld, seesImages: boolean): Promise<void> {
  await app.send('call img')
  await app.card.getByRole('heading', { name: 'pictures · img' }).waitFor()
  await app.shot('card')
  await app.allow('pictures · img')
  await app.says('Done: img')
  const picture = callRow(app, 'pictures', 'img').getByRole('img')
  await picture.waitFor()
  await eventually(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth), 1)
  await app.idle()
  await app.shot('picture-drawn')

  const [, request] = world.model.requests
  const pictures = (request?.messages ?? []).flatMap(partsOf).flatMap((part) => (part.image_url ? [part.image_url.url] : []))
  expect(pictures).toEqual(seesImages ? [`data:image/png;base64,${pixel}`] : [])
  const texts = (request?.messages ?? []).map(textOf).join('\n')
  expect(texts).not.toContain(pixel)
  expect(texts).toContain('image/png')
  if (!seesImages) expect(resultsIn(request)['img']).toContain('fake-model is not known to take pictures')
}

async function callTheRest(app: AppUnderTest, world: AppWorld, script: string): Promise<void> {
  await app.send(`call ${eightTools.join(' ')}`)
  for (const tool of eightTools) await app.allow(`pictures · ${tool}`)
  await app.says('Done: struct')
  await app.idle()
  const results = resultsIn(world.model.requests.at(-1))
  expect(results['struct']).toContain('{"tables":[{"id":1},{"id":2}]}')
  expect(results['both']).toMatch(/2 item\(s\)[\s\S]*"items":\["alpha","beta"\]/)
  expect(results['res']).toMatch(/note:\/\/1[\s\S]*inner text/)
  expect(results['link']).toContain('https://example.invalid/x')
  expect(results['none']).toMatch(/no content/)
  expect(results['err']).toMatch(/reports an error[\s\S]*it broke/)
  expect(results['web']).toContain('file:///etc/hostname')
  const told = JSON.parse(/\{"argv".*\}/.exec(results['argv'] ?? '')?.[0] ?? '{}') as Readonly<Record<string, unknown>>
  expect(told).toEqual({ argv: oddArguments, hash: createHash('sha256').update(secret).digest('hex'), plain: 'good day', home: null })
  expect(script).toContain('my server (1)')
  await lookAtResults(app)
}

/** Closed rows say what went wrong; opened ones show addresses that nothing opens but the person. */
async function lookAtResults(app: AppUnderTest): Promise<void> {
  await callRow(app, 'pictures', 'err').getByText(app.word('session.state.failed')).waitFor()
  const web = callRow(app, 'pictures', 'web')
  await web.getByRole('button', { name: 'pictures · web' }).click()
  await web.getByText('file:///etc/hostname').first().waitFor()
  await web.getByText(app.word('session.link.inert')).first().waitFor()
  await app.shot('links-shown')
  await web.getByRole('button', { name: 'pictures · web' }).click()
  const none = callRow(app, 'pictures', 'none')
  await none.getByRole('button', { name: 'pictures · none' }).click()
  await none.getByText(app.word('mcp.no-content', { server: 'pictures', tool: 'none' })).first().waitFor()
  await app.shot('no-content')
}
