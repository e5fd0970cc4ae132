import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { inWorld, type AppUnderTest } from '../support/appUnderTest'
import { httpAnswer, reply, startFakeModelServer } from '../support/fakeModelServer'

const key = 'sk-sealed-key-4711'
const phrase = 'a pass phrase'

/** This system has no keychain while the app runs without one. */
async function saveSealed(app: AppUnderTest): Promise<void> {
  await app.goTo('models')
  await app.page.getByLabel(app.word('provider.key'), { exact: true }).fill(key)
  await app.page.getByLabel(app.word('provider.pass-phrase'), { exact: true }).fill(phrase)
  await app.button('provider.save-key').click()
  await app.page.getByText(app.word('provider.key-place.sealed', { lastFour: '4711' })).waitFor()
}

test.each(['en', 'zh-CN'] as const)('R92 after a restart a message asks for the pass phrase of its key and goes out with it; key and provider are removed (%s)', async (locale) => {
  const model = await startFakeModelServer({ steps: [reply({ text: 'Answered with the key.' }), httpAnswer(404, 'nothing here')] })
  const provider = { id: 'mine', name: 'Mine', baseUrl: model.baseUrl, protocol: 'openai' as const, model: 'fake-model' }
  try {
    await inWorld({ locale, settings: { providers: [provider], activeProvider: 'mine' }, artefacts: `models-${locale}` }, async (world) => {
      const first = await world.start()
      await saveSealed(first)
      await first.close()

      const app = await world.start()
      await app.goTo('models')
      await app.page.getByText(app.word('provider.sealed')).waitFor()
      await app.shot('sealed')
      await app.goTo('work')
      await app.send('hello')
      await app.page.getByRole('alert').filter({ hasText: app.word('model.key-sealed', { provider: 'Mine' }) }).waitFor()
      const field = app.page.getByLabel(app.word('provider.pass-phrase'), { exact: true })
      await field.fill('wrong')
      await field.press('Enter')
      await app.page.getByText(app.word('settings.wrong-pass-phrase')).waitFor()
      await app.shot('asked')
      await field.fill(phrase)
      await field.press('Enter')
      await app.says('Answered with the key.')
      expect(model.requests.filter((one) => one.path.endsWith('/chat/completions')).map((one) => one.headers['authorization'])).toEqual([`Bearer ${key}`])

      await app.send('again')
      await app.conversation.getByRole('button', { name: app.word('session.open-models') }).waitFor()
      await app.shot('not-found')
      await app.conversation.getByRole('button', { name: app.word('session.open-models') }).click()
      await app.button('provider.remove-key').click()
      await app.shot('remove-key')
      await app.page.getByRole('dialog').getByRole('button', { name: app.word('provider.remove-key') }).click()
      await app.page.getByText(app.word('provider.key-none')).waitFor()
      expect(JSON.parse(readFileSync(path.join(world.dataDir, 'secrets.sealed.json'), 'utf8'))).toMatchObject({ entries: {} })
      await app.button('provider.remove').click()
      await app.shot('remove-provider')
      await app.page.getByRole('dialog').getByRole('button', { name: app.word('provider.remove') }).click()
      await app.page.getByRole('heading', { name: app.word('provider.practice-name') }).waitFor()
      expect(JSON.parse(readFileSync(path.join(world.dataDir, 'settings.json'), 'utf8'))).toMatchObject({ providers: [], activeProvider: null })
      await app.shot('removed')
    })
  } finally {
    await model.close()
  }
})

test('R89 the test of an address that lists its models to anyone does not call the key accepted', async () => {
  const model = await startFakeModelServer({ steps: [reply({ text: 'ready, and more' }), reply({ calls: [{ name: 'report_ready', args: { ready: true } }] })] })
  try {
    await inWorld({ settings: { providers: [{ id: 'mine', name: 'Mine', baseUrl: model.baseUrl, protocol: 'openai', model: 'fake-model' }], activeProvider: 'mine' }, artefacts: 'models-en' }, async (world) => {
      const app = await world.open()
      await saveSealed(app)
      await app.button('provider.test').click()
      await app.page.getByText(app.word('model.test-key-unproven', { host: new URL(model.baseUrl).host })).waitFor()
      await app.page.getByText(app.word('model.test-tools-ok', { model: 'fake-model' })).waitFor()
      expect(await app.page.getByText(app.word('model.test-key-ok')).count()).toBe(0)
      await app.shot('tested')
    })
  } finally {
    await model.close()
  }
})

/** What the test of a provider asks, and answers that pass it. */
const passing = [reply({ text: 'ready, and more' }), reply({ calls: [{ name: 'report_ready', args: { ready: true } }] }), reply({ text: 'red' })]

test.each(['en'] as const)('R87 R91 R92 a built-in provider is set up by its key, tested and used, and the session goes on with one of another protocol (%s)', async (locale) => {
  const chat = await startFakeModelServer({ steps: [...passing, reply({ text: 'Hello from the first.', reasoning: 'I greet.' })] })
  const messages = await startFakeModelServer({ steps: [httpAnswer(401, { error: { type: 'authentication_error', message: 'invalid x-api-key' } }), reply({ text: 'Hello from the second.' })] })
  try {
    await inWorld({ locale, settings: { theme: locale === 'en' ? 'dark' : 'light' }, artefacts: `models-${locale}` }, async (world) => {
      const app = await world.start()
      const field = (code: 'provider.address' | 'provider.key' | 'provider.model') => app.page.getByRole('textbox', { name: app.word(code), exact: true })
      const choose = (name: string) => app.page.getByRole('complementary', { name: app.word('provider.providers') }).getByRole('button', { name }).click()
      const pick = async (model: string): Promise<void> => {
        await app.page.getByRole('combobox', { name: app.word('session.model') }).fill(model)
        await app.page.getByRole('option').filter({ hasText: model }).first().click()
      }
      await app.goTo('models')
      await choose('DeepSeek')
      await app.shot('built-in')
      await field('provider.address').fill(chat.baseUrl)
      await field('provider.key').fill('sk-first-4711-abcd')
      await field('provider.model').fill('fake-model')
      await app.button('provider.save-key').click()
      await app.page.getByText(app.word('provider.key-place.session', { lastFour: 'abcd' })).waitFor()
      await app.button('provider.test').click()
      await app.page.getByText(app.word('model.test-images-ok', { model: 'fake-model' })).waitFor()
      await app.button('provider.use').click()
      await app.button('provider.use').waitFor({ state: 'detached' })
      await app.shot('set-up')
      await choose('Anthropic')
      await field('provider.address').fill(messages.origin)
      await field('provider.key').fill('sk-second-4711-efgh')
      await app.button('provider.save-key').click()
      await app.page.getByText(app.word('provider.key-place.session', { lastFour: 'efgh' })).waitFor()
      await app.shot('second')

      await app.goTo('work')
      await app.send('hello')
      await app.says('Hello from the first.')
      await app.idle()
      await app.button('session.model-is', { model: 'fake-model' }).click()
      await app.shot('picker')
      await pick('claude-sonnet')
      await app.says(/claude-sonnet/)
      await app.send('go on')
      await app.button('session.replace-key').waitFor()
      expect(await app.message.inputValue()).toBe('go on')
      await app.shot('refused')
      await app.button('session.other-model').click()
      await app.page.keyboard.press('Escape')
      await app.button('session.send').click()
      await app.says('Hello from the second.')
      await app.shot('went-on')
      const sent = messages.requests.at(-1)
      expect({ paths: messages.requests.map((one) => one.path), key: sent?.headers['x-api-key'], first: chat.requests.at(-1)?.headers['authorization'] }).toEqual({ paths: ['/v1/messages', '/v1/messages'], key: 'sk-second-4711-efgh', first: 'Bearer sk-first-4711-abcd' })
      expect(JSON.stringify(sent?.messages)).toContain('Hello from the first.')
      expect(sent?.bodyText).not.toContain('I greet.')
    })
  } finally {
    await Promise.all([chat.close(), messages.close()])
  }
})
