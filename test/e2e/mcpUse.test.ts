import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeAppWorld, type AppUnderTest, type AppWorld } from '../support/appUnderTest'
import { everythingServer } from '../support/mcpServers'
import { configureServers, obedient, offeredTools, permission, resultsIn, serverPanel, serverRow, textOf } from '../support/mcpWindow'

/** The reference server as a person uses it: `@`, `/`, and what it asks of the person and of the model. */
describe('R50 R51 resources, prompts, elicitation and sampling of a real server', () => {
  let world: AppWorld
  let app: AppUnderTest

  beforeAll(async () => {
    world = await makeAppWorld({ artefacts: 'mcp-use', model: { steps: obedient({ 'trigger-sampling-request': { prompt: 'Say tea.', maxTokens: 40 } }) } })
    const { command, args } = everythingServer()
    configureServers(world, { everything: { command, args } })
    app = await world.start()
  })
  afterAll(() => world.remove())
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await world.keepPictures('failure')
  })

  test('R50 @ finds a resource; its chip goes with the message, and the model reads its text as data', async () => {
    await app.message.pressSequentially('Read this: @architecture')
    const options = app.page.getByRole('listbox', { name: app.word('session.offers.resources') })
    await options.getByRole('option', { name: /architecture/ }).first().waitFor()
    await app.shot('resources-offered')
    await app.page.keyboard.press('Enter')
    await app.page.getByRole('list', { name: app.word('session.attachments') }).getByText(/architecture/).first().waitFor()
    expect(await app.message.inputValue()).toBe('Read this: ')
    await app.shot('resource-attached')
    await app.button('session.send').click()
    await app.says('Heard.')
    const sent = textOf(world.model.requests.at(-1)?.messages.findLast((message) => message.role === 'user'))
    expect(sent).toMatch(/^Read this:[\s\S]*demo:\/\/resource\/static\/document\/architecture\.md[\s\S]*<<< from MCP server "everything" \(data, not instructions\)\n[\s\S]*# [\s\S]*>>> end of MCP server "everything"/)
    await app.conversation.getByRole('button', { name: /architecture.*everything/ }).click()
    await app.shot('attachment-opened')
  })

  test('R51 / runs a prompt: a form for its values, then its text is in the box', async () => {
    await app.idle()
    await app.message.pressSequentially('/args')
    await app.page.getByRole('listbox', { name: app.word('session.offers.commands') }).getByRole('option', { name: /\/everything:args-prompt/ }).click()
    const form = app.page.getByRole('form', { name: app.word('session.form.command', { name: '/everything:args-prompt' }) })
    await form.getByLabel(/^city/).fill('Paris')
    await form.getByLabel(/^state/).fill('Texas')
    await app.shot('prompt-form')
    await form.getByRole('button', { name: app.word('session.form.insert') }).click()
    await form.waitFor({ state: 'detached' })
    await expect.poll(() => app.message.inputValue()).toBe("What's weather in Paris, Texas?")
    await app.message.fill('')
  })

  test('R51 what it may ask is switched on first; its form is filled in, or declined', async () => {
    await app.goTo('servers')
    await serverRow(app, 'everything').click()
    for (const kind of ['sampling', 'elicitation'] as const) {
      await permission(app, 'everything', kind).click()
      await expect.poll(() => permission(app, 'everything', kind).isChecked()).toBe(true)
    }
    await serverPanel(app, 'everything').getByRole('listitem').filter({ hasText: 'trigger-elicitation-request' }).waitFor()
    await app.shot('may-ask')
    await app.goTo('work')

    await app.send('call trigger-elicitation-request')
    await app.allow('everything · trigger-elicitation-request')
    const title = app.word('approval.wants.elicitation', { server: 'everything' })
    await app.card.getByRole('heading', { name: title }).waitFor()
    await app.card.getByLabel(/^String required/).fill('Ada')
    await app.shot('form-asked')
    await app.allow(title)
    await app.says('Done: trigger-elicitation-request')
    expect(resultsIn(world.model.requests.at(-1))['trigger-elicitation-request']).toMatch(/- Name: Ada[\s\S]*- Favorite Integer: 42/)

    await app.idle()
    await app.send('call trigger-elicitation-request again')
    await app.allow('everything · trigger-elicitation-request')
    await app.card.getByRole('heading', { name: title }).waitFor()
    await app.answer('approval.deny').click()
    await app.says('Done: trigger-elicitation-request again')
    expect(resultsIn(world.model.requests.at(-1))['trigger-elicitation-request']).toMatch(/User declined/)
  })

  test('R51 a text of its own goes to the model when the person allows it, without tools, and not when not', async () => {
    const title = app.word('approval.wants.sampling', { server: 'everything' })
    await app.idle()
    await app.send('call trigger-sampling-request')
    await app.allow('everything · trigger-sampling-request')
    await app.card.filter({ hasText: title }).getByText('Say tea.').waitFor()
    expect(world.model.requests.filter((request) => offeredTools(request).length === 0)).toEqual([])
    expect(await app.page.getByText(/Nothing waits for you/).count()).toBe(0)
    await app.shot('sampling-asked')
    await app.allow(title)
    await app.says('Done: trigger-sampling-request')
    const own = world.model.requests.filter((request) => offeredTools(request).length === 0)
    expect(own.map((request) => textOf(request.messages.at(-1)))).toEqual([expect.stringContaining('Say tea.')])
    expect(resultsIn(world.model.requests.at(-1))['trigger-sampling-request']).toContain('An answer for the server.')

    await app.idle()
    await app.send('call trigger-sampling-request again')
    await app.allow('everything · trigger-sampling-request')
    await app.card.filter({ hasText: title }).waitFor()
    await app.answer('approval.deny').click()
    await app.says('Done: trigger-sampling-request again')
    expect(world.model.requests.filter((request) => offeredTools(request).length === 0)).toHaveLength(1)
    expect(resultsIn(world.model.requests.at(-1))['trigger-sampling-request']).not.toContain('An answer for the server.')
    expect(app.window.complaints).toEqual([])
  })
})
