import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { eventually, inWorld, type AppUnderTest, type AppWorld } from '../support/appUnderTest'
import { reply } from '../support/fakeModelServer'

/**
 * Issue 6 in the real window: the person edits what the agent edited, commands change and delete files, and the plan of the
 * turn previews, merges, applies and undoes itself: R74 R76 R77 R78 (with the three-way editor), R79 (it stands in the timeline).
 */
const files = {
  'price.js': 'export const tax = 0.2\n\nexport function total(items) {\n  return sum(items)\n}\n\nexport const currency = \'EUR\'\n',
  'limits.js': 'export const limit = 3\nexport const wait = 50\n',
  'names.txt': 'one\ntwo\nthree\n',
  'old.txt': 'kept for years\n',
  'notes.txt': 'mine\n',
}
type Name = keyof typeof files

const steps = [
  reply({ calls: [{ name: 'read_file', args: { path: 'price.js' } }, { name: 'read_file', args: { path: 'limits.js' } }] }),
  reply({ calls: [{ name: 'edit_file', args: { path: 'price.js', edits: [{ old_text: 'return sum(items)', new_text: 'return round(sum(items))' }] } }] }),
  reply({ calls: [{ name: 'edit_file', args: { path: 'limits.js', edits: [{ old_text: 'limit = 3', new_text: 'limit = 10' }] } }] }),
  reply({ calls: [{ name: 'run_command', args: { command: 'sed -i s/two/TWO/ names.txt' } }] }),
  reply({ calls: [{ name: 'run_command', args: { command: 'rm old.txt' } }] }),
  reply({ text: 'All done.' }),
]

function disk(world: AppWorld): Readonly<Record<string, string>> {
  return Object.fromEntries(readdirSync(world.project).filter((name) => !name.startsWith('.')).sort().map((name) => [name, readFileSync(world.file(name), 'utf8')]))
}

test('R74 R76 R77 R78 R79 the plan of a turn previews, merges, takes a resolved conflict, applies, and undoes itself', () => inWorld({ files, model: { steps }, artefacts: 'rollback' }, async (world) => {
  const app = await world.start()
  await runTheTurn(app, world)
  const changed = disk(world)
  expect(changed).toEqual({
    'price.js': files['price.js'].replace('sum(items)', 'round(sum(items))').replace('EUR', 'CHF'),
    'limits.js': files['limits.js'].replace('limit = 3', 'limit = 7'), 'names.txt': 'one\nTWO\nthree\n', 'notes.txt': 'mine, and later\n',
  })

  await app.timeline.getByRole('button', { name: app.word('timeline.turn', { turn: 1 }) }).click()
  await app.button('timeline.back-to-here').click()
  await lookAtThePlan(app)
  await resolve(app)
  await app.shot('resolved')
  expect(disk(world)).toEqual(changed)

  await app.button('timeline.plan.go', { count: 4 }).click()
  await app.page.getByText(app.word('timeline.plan.done', { count: 4 })).waitFor()
  await app.shot('applied')
  expect(disk(world)).toEqual({ ...files, 'price.js': files['price.js'].replace('EUR', 'CHF'), 'limits.js': files['limits.js'].replace('limit = 3', 'limit = 5 // agreed'), 'notes.txt': 'mine, and later\n' })

  await app.button('timeline.undo-rollback').click()
  await app.page.getByText(app.word('timeline.plan.undone', { count: 4 })).waitFor()
  expect(disk(world)).toEqual(changed)
  await app.button('timeline.plan.back').click()
  await app.timeline.getByText(app.word('timeline.rollback-undone', { files: 4 })).first().waitFor()
  await app.shot('timeline')
  expect(app.window.complaints).toEqual([])
}))

/** The agent edits two files, the person edits both and a third, then the agent's commands run. */
async function runTheTurn(app: AppUnderTest, world: AppWorld): Promise<void> {
  const change = (name: Name, from: string, to: string): void => writeFileSync(world.file(name), readFileSync(world.file(name), 'utf8').replace(from, to))
  await app.send('Round the total, raise the limit, tidy up.')
  await app.allow('price.js')
  await app.allow('limits.js')
  await app.card.filter({ hasText: 'sed' }).waitFor()
  change('price.js', 'EUR', 'CHF')
  change('limits.js', 'limit = 10', 'limit = 7')
  change('notes.txt', 'mine', 'mine, and later')
  await app.allow('sed')
  await app.allow('rm old.txt')
  await app.says('All done.')
  await app.idle()
  expect(existsSync(world.file('old.txt'))).toBe(false)
}

/** Every path has its action, and who changed it. */
async function lookAtThePlan(app: AppUnderTest): Promise<void> {
  const plan = app.page.getByRole('table', { name: app.word('timeline.plan.table') })
  await plan.getByRole('row', { name: /price\.js/ }).waitFor()
  const [agent, you, command] = (['agent', 'you', 'command'] as const).map((author) => app.word(`ui.author.${author}`))
  const rowOf = async (name: Name): Promise<readonly (string | null)[]> => (await plan.getByRole('row', { name: name }).getByRole('cell').allTextContents()).slice(2, 4)
  expect(await Promise.all((['limits.js', 'price.js', 'names.txt', 'old.txt', 'notes.txt'] as const).map(rowOf))).toEqual([
    ['Conflict', `${agent}${you}`], ['Merge', `${agent}${you}`], ['Revert', command], ['Recreate', command], ['Leave', you],
  ])
  // What it would write, before anything is written: the person's line is not among it.
  await plan.getByRole('button', { name: 'price.js' }).click()
  const change = app.page.getByRole('group', { name: app.word('approval.review.change', { at: 1, count: 1 }) })
  await change.getByText(app.word('timeline.plan.change-made')).waitFor()
  await app.shot('plan')
}

/** The conflict is typed, in the pane between what was and what is. */
async function resolve(app: AppUnderTest): Promise<void> {
  const go = app.button('timeline.plan.go', { count: 4 })
  expect(await go.isDisabled()).toBe(true)
  await app.page.getByRole('table', { name: app.word('timeline.plan.table') }).getByRole('button', { name: 'limits.js' }).click()
  const panes = app.page.locator('.mg .monaco-editor')
  await eventually(async () => (await panes.locator('.view-lines').allInnerTexts()).map((text) => text.replaceAll('\u00a0', ' ').split('\n')[0]), ['export const limit = 3', 'export const limit = 3', 'export const limit = 7'])
  await app.shot('conflict')
  await app.page.keyboard.press('F7')
  await app.page.keyboard.press('Shift+End')
  await app.page.keyboard.type('export const limit = 5 // agreed')
  await app.page.getByText(app.word('timeline.plan.resolved')).waitFor()
  expect(await go.isEnabled()).toBe(true)
}
