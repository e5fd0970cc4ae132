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
