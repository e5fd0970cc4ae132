import { readFileSync, writeFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { eventually, makeAppWorld, type AppUnderTest } from '../support/appUnderTest'
import { reply } from '../support/fakeModelServer'

/**
 * The main job in the real app, as a person does it: R1 R16 (asked, searched, read), R62 R63 (edit signed beside its diff,
 * command signed on its card), R74 R75 R76 R77 (taken back from the timeline, the person's own file kept, the rollback
 * undone), R68 (the record is whole).
 */
const ending: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

const before = 'export function total(items) {\n  return items.reduce((sum, item) => sum + item.price, 0)\n}\n'
const after = before.replace('item.price', 'item.price * item.count')
const files = { 'price.js': before, 'notes.txt': 'mine\n' }

const steps = [
  reply({ text: 'I look for the total first.', reasoning: 'A total is wrong.', calls: [{ name: 'search_text', args: { pattern: 'total' } }, { name: 'read_file', args: { path: 'price.js' } }] }),
  reply({ text: 'The count is **not used**.', calls: [{ name: 'edit_file', args: { path: 'price.js', edits: [{ old_text: 'item.price', new_text: 'item.price * item.count' }] } }] }),
  reply({ calls: [{ name: 'run_command', args: { command: 'echo first line; read -r word; echo "you typed $word" | tee out.txt' } }], usage: { input: 1200, output: 40 } }),
  reply({ text: 'It counts now.', usage: { input: 1300, output: 12 } }),
]

const looks = [['en', 'dark'], ['en', 'light'], ['zh-CN', 'dark'], ['zh-CN', 'light']] as const

test.each(looks)('R1 R16 R63 R75 R76 R77 ask, sign, watch, take back, in %s and %s', async (locale, theme) => {
  const world = await makeAppWorld({ files, locale, settings: { theme }, artefacts: `${locale}-${theme}`, model: { steps } })
  ending.push(() => world.remove())
  const app = await world.start()
  const { page } = app
  await app.shot('folder-open')

  await app.send(locale === 'en' ? 'The total is wrong. Fix it.' : '总价不对，请修好。')
  await app.card.filter({ hasText: 'price.js' }).waitFor()
  await app.shot('edit-asked')
  expect(readFileSync(world.file('price.js'), 'utf8')).toBe(before)

  await app.answer('approval.review').click()
  await app.card.locator('.rv').getByText('item.count').first().waitFor()
  await app.shot('edit-reviewed')
  await app.allow('price.js')

  await app.card.filter({ hasText: 'first line' }).waitFor()
  await app.shot('command-asked')
  expect(readFileSync(world.file('price.js'), 'utf8')).toBe(after)
  await app.allow('first line')
  await watchAndType(app)
  await app.says('It counts now.')
  await app.idle()
  await app.shot('turn-done')
  expect(readFileSync(world.file('out.txt'), 'utf8')).toBe('you typed tea\n')
  expect(world.model.requests[3]?.messages.at(-1)).toMatchObject({ role: 'tool', content: expect.stringContaining('you typed tea') })

  writeFileSync(world.file('notes.txt'), 'mine, and later\n')
  await takeBackLastCall(app)
  expect(() => readFileSync(world.file('out.txt'))).toThrow('ENOENT')
  await takeBackTurn(app)
  const disk = (): readonly string[] => [readFileSync(world.file('price.js'), 'utf8'), readFileSync(world.file('notes.txt'), 'utf8')]
  expect(disk()).toEqual([before, 'mine, and later\n'])
  await app.button('timeline.undo-rollback').click()
  await eventually(disk, [after, 'mine, and later\n'])
  await page.getByText(app.word('timeline.plan.undone', { count: 1 })).waitFor()
  await app.shot('rollback-undone')

  await page.getByRole('contentinfo', { name: app.word('ui.guards') }).getByRole('button', { name: app.word('ui.trust.record') }).click()
  await page.getByText(/intact, \d+ entries|完整.*\d+/).first().waitFor()
  await app.goTo('work')
  await app.timeline.getByRole('button').first().waitFor()
  await app.shot('timeline-after')
  expect(app.window.complaints).toEqual([])
})

/** The output is there while the command runs, and what is typed reaches it. */
async function watchAndType(app: AppUnderTest): Promise<void> {
  const row = app.conversation.getByRole('button', { name: /echo first line/ })
  await app.conversation.locator('.tail').getByText('first line').waitFor()
  await row.click()
  const terminal = app.page.getByRole('textbox', { name: app.word('session.terminal-input') })
  await terminal.focus()
  await app.shot('command-runs')
  await app.page.keyboard.type('tea\n')
}

/** Two clicks: the call, and the plan's button. */
async function takeBackLastCall(app: AppUnderTest): Promise<void> {
  await app.button('timeline.undo-last').click()
  await app.button('timeline.plan.go', { count: 1 }).waitFor()
  await app.shot('plan-of-call')
  await app.button('timeline.plan.go', { count: 1 }).click()
  await app.page.getByText(app.word('timeline.plan.done', { count: 1 })).waitFor()
  await app.button('timeline.plan.back').click()
}

async function takeBackTurn(app: AppUnderTest): Promise<void> {
  await app.timeline.getByRole('button', { name: app.word('timeline.turn', { turn: 1 }) }).click()
  await app.button('timeline.back-to-here').waitFor()
  await app.shot('timeline')
  await app.button('timeline.back-to-here').click()
  const plan = app.page.getByRole('table', { name: app.word('timeline.plan.table') })
  await plan.getByRole('row', { name: /price\.js/ }).waitFor()
  expect(await app.page.getByRole('switch', { name: app.word('timeline.plan.keep') }).isChecked()).toBe(true)
  await app.shot('plan-of-turn')
  await app.button('timeline.plan.go', { count: 1 }).click()
  await app.page.getByText(app.word('timeline.plan.done', { count: 1 })).waitFor()
  await app.shot('rolled-back')
}
