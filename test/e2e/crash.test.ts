import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { eventually, inWorld, type AppUnderTest, type AppWorld } from '../support/appUnderTest'
import { reply, type FakeScript } from '../support/fakeModelServer'
import { processesWith } from '../support/processes'

/** The app is killed while a command runs, and started again (R84). */

const mark = `countersign-crash-${process.pid}`
const command = `echo 'parts.json 18 written'; echo half > made.txt; echo changed > kept.txt; echo 'kept.txt written'; touch started.txt; sleep 300; : ${mark}`
const steps: FakeScript = (request) => reply(request.messages.some(({ role }) => role === 'tool') ? { text: 'I go on.' } : { text: 'I make the seed.', calls: [{ name: 'run_command', args: { command } }] })

/** Kills the whole app in the middle of the command, and starts it again. */
async function killedInCommand(world: AppWorld): Promise<AppUnderTest> {
  const first = await world.start()
  await first.send('Seed data for the demo')
  await first.allow('parts.json')
  await eventually(() => existsSync(world.file('started.txt')), true)
  await first.conversation.getByText('kept.txt written').first().waitFor()
  await first.message.fill('And add a small set for the tests')
  // The draft is kept a moment after the last key.
  await first.page.waitForTimeout(1500)
  first.window.app.process().kill('SIGKILL')
  await eventually(() => processesWith(mark), [])
  return world.start()
}

const group = (app: AppUnderTest) => app.page.getByRole('group', { name: app.word('recovery.group'), exact: true })

test.each([['en', 'dark'], ['zh-CN', 'light']] as const)('R84 in %s: a kill in a command leaves one notice and one question, and the run goes on when it is marked as done', (locale, theme) =>
  inWorld({ files: { 'kept.txt': 'as it was\n' }, locale, settings: { theme }, artefacts: 'recovery', model: { steps } }, async (world) => {
    const app = await killedInCommand(world)
    const unknown = group(app)
    await unknown.waitFor()
    await unknown.getByText('made.txt', { exact: true }).waitFor()
    await app.says('I make the seed.')
    // As a terminal shows it: a command's own line ends are no hidden characters.
    expect((await unknown.locator('pre').textContent())?.split('\n')).toEqual(['parts.json 18 written', 'kept.txt written'])
    await app.timeline.getByText(app.word('timeline.unknown')).waitFor()
    await app.shot(`${locale}-${theme}`)
    expect(await app.message.inputValue()).toBe('And add a small set for the tests')
    expect(await app.message.evaluate((box) => box === document.activeElement)).toBe(false)
    expect(world.model.requests).toHaveLength(1)
    await unknown.getByRole('button', { name: app.word('recovery.done'), exact: true }).click()
    await app.says('I go on.')
    await unknown.waitFor({ state: 'detached' })
    await app.idle()
    await app.shot(`${locale}-${theme}-done`)
    expect(JSON.stringify(world.model.requests[1]?.messages.at(-1))).toContain('The person')
    expect([readFileSync(world.file('kept.txt'), 'utf8'), processesWith(mark)]).toEqual(['changed\n', []])
  }), 90_000)
