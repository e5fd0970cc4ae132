import { expect, test } from 'vitest'
import { inWorld } from '../support/appUnderTest'
import { reply } from '../support/fakeModelServer'

const proposed = 'Retries belong in src/http/retry.ts; the client must stay free of loops.'

test.each(['en', 'zh-CN'] as const)('R33 R36 R39 in %s a fact is saved, found, edited, proposed, deleted and brought back, and goes along with a message', async (locale) => {
  await inWorld({
    files: { 'CHANGELOG.md': '# Changes\n' }, locale, settings: { theme: locale === 'en' ? 'dark' : 'light' }, artefacts: `memory-${locale}`,
    model: { steps: [reply({ text: 'I propose it.', calls: [{ name: 'save_memory', args: { text: proposed, scope: 'project' } }] }), reply({ text: 'Kept.' }), reply({ text: 'Noted.' })] },
  }, async (world) => {
    const app = await world.start()
    await app.send('/save CHANGELOG.md gets one line for every change that users see')
    await app.page.getByText(app.word('memory.told.saved.project')).waitFor()
    await app.send('/save -g 发布说明用中文写')
    await app.page.getByText(app.word('memory.told.saved.general')).waitFor()
    expect(world.model.requests).toHaveLength(0)

    await app.send('Where do retries belong?')
    await app.card.getByText(proposed).waitFor()
    await app.shot('card')
    await app.goTo('memory')
    await app.page.getByRole('group', { name: app.word('approval.memory.wish') }).waitFor()
    await app.shot('proposal')
    const remember = app.button('approval.memory.remember')
    await expect.poll(() => remember.getAttribute('aria-disabled')).toBe('false')
    // The pointer has to come to the answers after they armed.
    await app.page.mouse.move(5, 5)
    await remember.click()
    await remember.waitFor({ state: 'detached' })
    const table = app.page.getByRole('table', { name: app.word('memory.table') })
    await table.getByText(proposed).waitFor()

    await app.goTo('work')
    await app.idle()
    await app.message.fill('Add a line to CHANGELOG.md for the users')
    await app.goTo('memory')
    await table.locator('.t-ok').first().waitFor()
    await app.shot('scored')
    await app.page.getByRole('searchbox').fill('明')
    await expect.poll(() => table.locator('tbody tr').count()).toBe(1)
    await table.getByText('发布说明用中文写').click()
    await table.getByRole('textbox').fill('发布说明用中文写，一条一行')
    await app.page.keyboard.press('Enter')
    await table.getByText('发布说明用中文写，一条一行').waitFor()
    await expect.poll(() => app.page.evaluate(() => document.activeElement?.tagName)).toBe('TR')
    await app.page.keyboard.press('Delete')
    await app.page.getByText(app.word('memory.told.removed', { count: 1 })).waitFor()
    await app.shot('deleted')
    await app.button('memory.undo').click()
    await table.getByText('发布说明用中文写，一条一行').waitFor()
    await app.page.getByRole('searchbox').fill('')
    await expect.poll(() => table.locator('tbody tr').count()).toBe(3)
    await app.shot('all')

    await app.button('memory.change-draft').click()
    await app.button('session.send').click()
    await app.says('Noted.')
    const request = JSON.stringify(world.model.requests.at(-1)?.body ?? world.model.requests.at(-1))
    expect(request.split('gets one line for every change that users see').length - 1).toBe(1)
    await app.idle()
    await app.page.getByRole('button', { name: new RegExp(`^${app.word('session.sent')}`) }).click()
    await app.page.getByRole('table', { name: app.word('session.sent') }).waitFor()
    await app.shot('sent')
  })
})
