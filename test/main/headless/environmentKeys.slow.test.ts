import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reply, startFakeModelServer, type FakeModelOptions, type FakeModelServer } from '../../support/fakeModelServer'
import { makeHeadlessWorld } from '../../support/headlessRun'

/** R92: keys of the environment for providers of the catalogue, with a catalogue whose OpenAI is a server of this test. */

const root = path.resolve(import.meta.dirname, '../../..')
const key = 'sk-of-the-environment-4711'
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function serve(steps: FakeModelOptions['steps']): Promise<FakeModelServer> {
  const server = await startFakeModelServer({ ...(steps ? { steps } : {}) })
  closing.push(() => server.close())
  return server
}

/** The built command line with this catalogue; only the address of one provider is another one. */
function builtWith(baseUrl: string): { readonly entry: string; readonly config: string } {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'countersign-keys-')))
  closing.push(() => rmSync(base, { recursive: true, force: true }))
  cpSync(path.join(root, 'out/main'), path.join(base, 'out/main'), { recursive: true, filter: (name) => !name.endsWith('.map') })
  cpSync(path.join(root, 'resources'), path.join(base, 'resources'), { recursive: true })
  cpSync(path.join(root, 'package.json'), path.join(base, 'package.json'))
  symlinkSync(path.join(root, 'node_modules'), path.join(base, 'node_modules'), 'dir')
  const file = path.join(base, 'resources/models.json')
  const catalogue = JSON.parse(readFileSync(file, 'utf8')) as { readonly providers: { readonly id: string }[] }
  writeFileSync(file, JSON.stringify({ ...catalogue, providers: catalogue.providers.map((one) => (one.id === 'openai' ? { ...one, baseUrl } : one)) }))
  mkdirSync(path.join(base, 'config/countersign'), { recursive: true })
  return { entry: path.join(base, 'out/main/headless.js'), config: path.join(base, 'config') }
}

beforeEach(() => void vi.stubEnv('OPENAI_API_KEY', undefined))
afterEach(() => void vi.unstubAllEnvs())

const alone = { COUNTERSIGN_PROVIDER_URL: '', COUNTERSIGN_MODEL: '' }

/** Every byte of a folder, as text. */
function textOf(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)).filter((file) => statSync(file).isFile()).map((file) => readFileSync(file, 'latin1')).join('\n')
}

test('R92 R87 --model of a provider of the catalogue runs without set-up where its variable is set, and the key goes nowhere else', async () => {
  const model = await serve([reply({ calls: [{ name: 'read_file', args: { path: 'notes.txt' } }] }), reply({ text: `Your key is ${key}.` })])
  const { entry, config } = builtWith(model.baseUrl)
  const { project, data, run, remove } = makeHeadlessWorld({ 'notes.txt': `the key is ${key}, keep it\n` }, entry)
  closing.push(remove)
  const { code, lines, words } = await run(['run', '--project', project, '--prompt', 'Look', '--model', 'openai/fake-model'], { ...alone, XDG_CONFIG_HOME: config, OPENAI_API_KEY: key })
  expect({ code, words, keys: model.requests.map((one) => one.headers['authorization']) }).toMatchObject({ code: 0, keys: [`Bearer ${key}`, `Bearer ${key}`] })
  // What is shown of an answer on its way is not kept: only the model could say there what it was never told.
  const kept = lines.filter(({ type }) => type !== 'text-delta')
  expect([JSON.stringify(kept), words, textOf(data), ...model.requests.map((one) => one.bodyText)].filter((text) => text.includes(key))).toEqual([])
})

test('R92 R35 the app\'s own .env gives such a key too; one of the project gives none', async () => {
  const model = await serve(() => reply({ text: 'Hello.' }))
  const { entry, config } = builtWith(model.baseUrl)
  const { project, run, remove } = makeHeadlessWorld({ '.env': 'OPENAI_API_KEY=sk-of-the-project-0000\n' }, entry)
  closing.push(remove)
  const args = ['run', '--project', project, '--prompt', 'Hi', '--model', 'openai/fake-model']
  await run(args, { ...alone, XDG_CONFIG_HOME: config })
  writeFileSync(path.join(config, 'countersign/.env'), `OPENAI_API_KEY=${key}\n`)
  await run(args, { ...alone, XDG_CONFIG_HOME: config })
  expect(model.requests.map((one) => one.headers['authorization'])).toEqual([undefined, `Bearer ${key}`])
})

test('R92 once the person gave the provider another address, the key of the environment stays here', async () => {
  const [catalogues, other] = [await serve([]), await serve([reply({ text: 'Hello.' })])]
  const { entry, config } = builtWith(catalogues.baseUrl)
  const { project, data, run, remove } = makeHeadlessWorld({}, entry)
  closing.push(remove)
  mkdirSync(data, { mode: 0o700 })
  writeFileSync(path.join(data, 'settings.json'), JSON.stringify({ providers: [{ id: 'openai', name: 'OpenAI', baseUrl: other.baseUrl, protocol: 'openai', model: 'fake-model' }] }), { mode: 0o600 })
  await run(['run', '--project', project, '--prompt', 'Hi', '--model', 'openai/fake-model'], { ...alone, XDG_CONFIG_HOME: config, OPENAI_API_KEY: key })
  expect([catalogues.requests.length, other.requests.map((one) => one.headers['authorization'])]).toEqual([0, [undefined]])
})
