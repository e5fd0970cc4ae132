import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ApprovalRequest } from '../../src/shared/domain/approval'
import { eventually, inWorld, makeAppWorld, type AppUnderTest, type AppWorld } from '../support/appUnderTest'
import { reply, type FakeCall, type FakeScript } from '../support/fakeModelServer'

/** What a message that begins with this word makes the agent ask for. */
const wants: Readonly<Record<string, FakeCall>> = {
  command: { name: 'run_command', args: { command: 'echo from the agent | tee said.txt' } },
  create: { name: 'write_file', args: { path: 'made.txt', content: 'made by the agent\n' } },
  question: { name: 'ask_user', args: { question: 'Tea or coffee?', options: ['tea', 'coffee'] } },
  pick: { name: 'edit_file', args: { path: 'list.txt', edits: [{ old_text: 'one', new_text: 'ONE' }, { old_text: 'three', new_text: 'THREE' }] } },
  edit: { name: 'edit_file', args: { path: 'menu.txt', edits: [{ old_text: 'tea', new_text: 'coffee' }] } },
}

/** What is read before a file is changed. */
const reads: Readonly<Record<string, string>> = { edit: 'menu.txt', pick: 'list.txt' }

/** Asks for what the person's last message names; a result is repeated on screen, so that one sees what the model was told. */
const script: FakeScript = (request) => {
  const last = request.messages.at(-1)
  const asked = request.messages.findLast((message) => message.role === 'user')
  const word = String(asked?.content).split(/\s/)[0] ?? ''
  if (last?.role === 'tool') return wants[word] && last.tool_call_id?.toString().includes('read') ? reply({ calls: [wants[word]] }) : reply({ text: `Told for ${String(asked?.content)}: ${String(last.content)}` })
  if (reads[word] !== undefined) return reply({ calls: [{ name: 'read_file', args: { path: reads[word] }, id: `read-${request.messages.length}` }] })
  const call = wants[word]
  const answer = call ? reply({ calls: [call] }) : reply({ text: `Heard ${word}.` })
  return String(asked?.content).includes('later') ? { ...answer, stallAfter: 20 } : answer
}

describe('R63 R70 the card is answered by its own buttons and by nothing else', () => {
  let world: AppWorld
  let app: AppUnderTest

  beforeAll(async () => {
    world = await makeAppWorld({ files: { 'menu.txt': 'tea\ncake\n', 'list.txt': 'one\r\ntwo\r\nthree\r\nfour' }, artefacts: 'approvals', model: { steps: script } })
    app = await world.start()
  })
  afterAll(() => world.remove())
  beforeEach(async () => {
    await app.button('session.new').first().click()
    await app.message.waitFor()
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await world.keepPictures('failure')
    await app.idle()
    expect(await app.card.count()).toBe(0)
  })

  test('R63 a reason for a denial reaches the model, and nothing is run', async () => {
    await app.send('command with a reason')
    await app.answer('approval.tell-why').click()
    await app.page.getByRole('textbox', { name: app.word('approval.reason'), exact: true }).fill('use printf instead')
    await app.shot('deny-with-reason')
    await app.answer('approval.deny').click()
    await app.says(/Told for command with a reason: Denied by the user: use printf instead/)
    await app.conversation.getByText(app.word('session.seal.denied')).waitFor()
  })

  test('R63 a skipped call goes on without it', async () => {
    await app.send('create but skip')
    await app.answer('approval.skip').click()
    await app.says(/Told for create but skip: Skipped by the user/)
    expect(existsSync(world.file('made.txt'))).toBe(false)
  })

  test('R62 R63 a command may be changed on its card; what ran is what was signed', async () => {
    await app.send('command to change')
    await app.answer('approval.edit').click()
    await app.card.getByRole('textbox', { name: app.word('approval.command') }).fill('echo from the person')
    await app.shot('command-edited')
    await app.answer('approval.allow').click()
    await app.says(/Told for command to change: .*from the person/s)
    await app.conversation.getByText(app.word('session.seal.signed-edited')).waitFor()
  })

  test('R62 a person cannot sign what policy denies, not even by editing', async () => {
    await app.send('command to forbid')
    await app.answer('approval.edit').click()
    await app.card.getByRole('textbox', { name: app.word('approval.command') }).fill('rm -rf "$HOME"')
    await app.answer('approval.allow').click()
    await app.says(/Told for command to forbid: Denied by policy/)
    expect(existsSync(world.home)).toBe(true)
  })

  test('R63 the result of an edit may be typed in the right pane', async () => {
    await app.send('edit the menu')
    await app.card.filter({ hasText: 'menu.txt' }).waitFor()
    await app.answer('approval.review').click()
    const editor = app.card.locator('.rv')
    await editor.locator('.rv-right').getByText('coffee').first().waitFor()
    await app.answer('approval.edit').click()
    await eventually(() => app.page.evaluate(() => document.activeElement?.closest('.rv-right') !== null), true)
    await app.page.keyboard.press('Control+Home')
    await app.page.keyboard.type('water ')
    await app.card.getByText(app.word('approval.review.own')).waitFor()
    await app.shot('edit-typed')
    await app.answer('approval.allow').click()
    await app.says(/Told for edit the menu/)
    expect(readFileSync(world.file('menu.txt'), 'utf8')).toBe('water coffee\ncake\n')
  })

  test('R63 a change that was rejected with F7 and Space is not written, to the byte, and the model is told which', async () => {
    await app.send('pick from the list')
    await app.card.filter({ hasText: 'list.txt' }).waitFor()
    await app.answer('approval.review').click()
    const second = app.card.getByRole('group', { name: app.word('approval.review.change', { at: 2, count: 2 }) })
    await second.waitFor()
    expect(await app.page.evaluate(() => document.activeElement?.closest('.rv') ?? null)).toBeNull()
    await app.page.keyboard.press('F7')
    await app.page.keyboard.press('F7')
    await eventually(() => second.getByRole('checkbox').evaluate((box) => box === document.activeElement), true)
    await app.page.keyboard.press('Space')
    await second.getByText(app.word('approval.review.rejected'), { exact: true }).waitFor()
    await app.shot('change-rejected')
    await app.answer('approval.allow').click()
    await app.says(/Told for pick from the list: The user looked at each change of yours and kept 1 of 2\. Not written, so still as before: line 3\./)
    expect(readFileSync(world.file('list.txt'), 'utf8')).toBe('ONE\r\ntwo\r\nthree\r\nfour')
  })

  test('R63 R103 a file that changes under a waiting review makes it inert; looked at again, the call ends and nothing is written', async () => {
    writeFileSync(world.file('list.txt'), 'one\ntwo\nthree\n')
    await app.send('pick once more')
    await app.card.filter({ hasText: 'list.txt' }).waitFor()
    await app.answer('approval.review').click()
    await app.card.locator('.rv').waitFor()
    writeFileSync(world.file('list.txt'), 'one\ntwo\nthree\nmine\n')
    await app.answer('approval.fresh.look').waitFor()
    expect(await app.answer('approval.allow').getAttribute('aria-disabled')).toBe('true')
    await app.shot('change-overtaken')
    await app.answer('approval.fresh.look').click()
    await app.says(/Told for pick once more: .*changed/i)
    expect(readFileSync(world.file('list.txt'), 'utf8')).toBe('one\ntwo\nthree\nmine\n')
  })

  test('R63 the review of a new file shows its lines as added and none as removed, also after typing', async () => {
    await app.send('create and look')
    await app.card.filter({ hasText: 'made.txt' }).waitFor()
    await app.answer('approval.review').click()
    const editor = app.card.locator('.rv-right .monaco-editor').first()
    await editor.getByText('made by the agent').waitFor()
    const marks = async (): Promise<readonly number[]> => Promise.all(['.line-insert', '.line-delete', '.dl.del', '.rv-fill'].map((mark) => app.card.locator(mark).count()))
    await eventually(marks, [1, 0, 0, 0])
    await app.answer('approval.edit').click()
    await eventually(() => app.page.evaluate(() => document.activeElement?.closest('.monaco-editor') !== null), true)
    await app.page.keyboard.press('Control+Home')
    await app.page.keyboard.type('first\n')
    await eventually(marks, [2, 0, 0, 0])
    await app.shot('new-file-typed')
    await app.answer('approval.allow').click()
    await app.says(/Told for create and look/)
    expect(readFileSync(world.file('made.txt'), 'utf8')).toBe('first\nmade by the agent\n')
    rmSync(world.file('made.txt'))
  })

  test('a question is answered by a choice', async () => {
    await app.send('question please')
    await app.card.getByRole('radio', { name: 'coffee' }).check()
    await app.answer('approval.answer').click()
    await app.says(/Told for question please: .*coffee/s)
  })

  test('R70 a click in the very moment the card appears does nothing', async () => {
    await app.page.evaluate((name) => {
      const seen = new MutationObserver(() => {
        const button = [...document.querySelectorAll('button')].find((one) => one.textContent === name)
        if (!button) return
        seen.disconnect()
        button.click()
        document.body.dataset['clicked'] = 'yes'
      })
      seen.observe(document.body, { childList: true, subtree: true })
    }, app.word('approval.allow'))
    await app.send('create at once')
    await app.card.locator('[data-arm=armed]').waitFor()
    expect({ clicked: await app.page.evaluate(() => document.body.dataset['clicked']), made: existsSync(world.file('made.txt')) }).toEqual({ clicked: 'yes', made: false })
    await app.answer('approval.deny').click()
  })

  test('R12 R70 Enter, Space and Tab in the message box never answer; Esc there stops the turn', async () => {
    await app.send('create and type')
    await app.card.locator('[data-arm=armed]').waitFor()
    await app.message.focus()
    for (const key of ['Enter', 'Space', 'Tab', 'Shift+Tab', 'Enter']) await app.page.keyboard.press(key)
    expect(await app.card.count()).toBe(1)
    await app.page.keyboard.press('Escape')
    await app.card.waitFor({ state: 'detached' })
    await app.says(app.word('turn.cancelled-none'))
    expect(existsSync(world.file('made.txt'))).toBe(false)
  })

  test('R70 a card that arrives takes neither the focus nor a key from what is being typed', async () => {
    await app.send('create it later')
    await app.message.pressSequentially('half a ')
    world.model.release()
    await app.card.waitFor()
    await app.message.pressSequentially('sentence')
    const held = await app.page.evaluate(() => ({ id: document.activeElement?.id, text: (document.activeElement as HTMLTextAreaElement).value }))
    expect(held).toEqual({ id: 'message', text: 'half a sentence' })
    await app.answer('approval.deny').click()
    await app.idle()
    await app.message.fill('')
  })

  test('a text of many lines that an input method puts into the message box does not hold the window', async () => {
    const text = 'a line of some text\n'.repeat(20_000)
    await app.message.focus()
    const beganAtMs = Date.now()
    await app.page.keyboard.insertText(text)
    await app.page.keyboard.type('end')
    await app.page.evaluate(() => new Promise((done) => requestAnimationFrame(done)))
    expect(Date.now() - beganAtMs).toBeLessThan(5000)
    expect(await app.message.inputValue()).toBe(`${text}end`)
    await app.message.fill('')
  })

  test('R12 an Esc that closes the palette leaves the turn and the card alone', async () => {
    await app.send('command and palette')
    await app.card.waitFor()
    await app.page.keyboard.press('Control+k')
    await app.page.getByRole('dialog', { name: app.word('ui.palette') }).waitFor()
    await app.page.keyboard.press('Escape')
    await app.page.getByRole('dialog').waitFor({ state: 'detached' })
    await app.card.waitFor()
    await app.button('session.stop').click()
    await app.says(app.word('turn.cancelled-none'))
  })

  test('F8 goes to the card and its keys answer it once it is armed', async () => {
    await app.send('command by key')
    await app.card.locator('[data-arm=armed]').waitFor()
    await app.page.keyboard.press('F8')
    expect(await app.card.evaluate((card) => card === document.activeElement)).toBe(true)
    await app.page.keyboard.press('Control+Shift+Y')
    await app.says(/Told for command by key: .*from the agent/s)
  })

  test('R84 the card outlives a reload of the page, and a half typed reason does not answer it', async () => {
    await app.send('command then reload')
    await app.card.waitFor()
    await app.page.reload()
    await app.card.filter({ hasText: 'echo from the agent' }).waitFor()
    await app.allow('echo from the agent')
    await app.says(/Told for command then reload: .*from the agent/s)
  })

  test('E19 a decision with a foreign number, a changed text or a second time is refused in main', async () => {
    await app.send('command to forge')
    await app.card.waitFor()
    const answers = await app.page.evaluate(async () => {
      const host = (globalThis as unknown as { host: Record<'approvalList' | 'approvalDecide', (ask: object) => Promise<unknown>> }).host
      const [asked] = (await host.approvalList({})) as ApprovalRequest[]
      if (!asked) return []
      const { callId, nonce, argsHash } = asked
      const allow = { kind: 'allow' }
      const tries = [{ callId, nonce: 'guessed', argsHash, answer: allow }, { callId, nonce, argsHash: 'f'.repeat(64), answer: allow }, { callId: 'another', nonce, argsHash, answer: allow }, { callId, nonce, argsHash, answer: { kind: 'skip' } }, { callId, nonce, argsHash, answer: allow }]
      const results = []
      for (const one of tries) results.push(((await host.approvalDecide(one)) as { ok: boolean }).ok)
      return results
    })
    expect(answers).toEqual([false, false, false, true, false])
    await app.says(/Told for command to forge: Skipped by the user/)
  })
})

describe('R84 a waiting approval is kept', () => {
  test('R84 leaving the app and starting it again asks the same question anew, and runs it once', () => inWorld({ model: { steps: script } }, async (world) => {
    const first = await world.start()
    await first.send('create and leave')
    await first.card.filter({ hasText: 'made.txt' }).waitFor()
    await first.close()
    expect(existsSync(world.file('made.txt'))).toBe(false)
    const again = await world.start()
    await again.card.filter({ hasText: 'made.txt' }).waitFor()
    await again.allow('made.txt')
    await again.says(/Told for create and leave/)
    expect(readFileSync(world.file('made.txt'), 'utf8')).toBe('made by the agent\n')
    await again.idle()
    expect(world.model.requests.length).toBe(2)
  }))
})
