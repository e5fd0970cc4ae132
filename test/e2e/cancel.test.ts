import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { eventually, inWorld, type AppUnderTest } from '../support/appUnderTest'
import { reply, type FakeCall } from '../support/fakeModelServer'
import { processesWith } from '../support/processes'

/** Nothing here is timed (that is `perf cancel`); it has to end, and nothing may be left. */
const mark = `countersign-e2e-${process.pid}`

const command = (text: string): FakeCall => ({ name: 'run_command', args: { command: text } })

async function stoppedByEsc(app: AppUnderTest): Promise<void> {
  await app.page.keyboard.press('Escape')
  await app.says(/Stopped by you/)
  await app.idle()
}

test('R11 R14 Esc ends a stream that hangs, the model is told by the closed connection, and the session goes on', () =>
  inWorld({ model: { steps: [{ ...reply({ text: 'One two three four five six seven.' }), stallAfter: 700 }, reply({ text: 'Here again.' })] } }, async (world) => {
    const app = await world.start()
    await app.send('talk')
    await app.says(/One two/)
    await stoppedByEsc(app)
    expect(await world.model.requests[0]?.closed).toBe(true)
    await app.send('go on')
    await app.says('Here again.')
  }))

test('R11 Esc ends a command with all it started, detached grandchildren without environment too', () =>
  inWorld({ model: { steps: [reply({ calls: [command(`env -i setsid bash -c 'sleep 300; : ${mark}-detached' & (sleep 300; : ${mark}-child) & echo started > started.txt; sleep 300; : ${mark}`)] })] } }, async (world) => {
    const app = await world.start()
    await app.send('run')
    await app.allow(mark)
    await eventually(() => existsSync(world.file('started.txt')), true)
    await eventually(() => processesWith(`${mark}-detached`).length > 0, true)
    await stoppedByEsc(app)
    await eventually(() => processesWith(mark), [])
    await app.says(app.word('session.state.cancelled'))
  }))

test('R11 R13 R14 Esc is taken while a command pours out 20 MB, and the window goes on', () =>
  inWorld({ model: { steps: [reply({ calls: [command(`head -c 20000000 /dev/zero | tr '\\0' 'x' | fold -w 100; echo ${mark}; cat > said.txt`)] }), reply({ text: 'Still here.' })] } }, async (world) => {
    const app = await world.start()
    await app.send('pour')
    await app.allow('fold')
    await app.conversation.locator('.tail').getByText(/xxxx/).first().waitFor()
    await app.message.fill('typed meanwhile')
    await stoppedByEsc(app)
    await eventually(() => processesWith(`echo ${mark}`), [])
    expect(await app.message.inputValue()).toBe('typed meanwhile')
    await app.button('session.send').click()
    await app.says('Still here.')
  }))

test('R15 closing the window in the middle of a command leaves no process behind', () =>
  inWorld({ model: { steps: [reply({ calls: [command(`env -i setsid sleep 300 & echo started > started.txt; sleep 300; : ${mark}-closed`)] })] } }, async (world) => {
    const app = await world.start()
    await app.send('run')
    await app.allow(mark)
    await eventually(() => existsSync(world.file('started.txt')), true)
    await app.close()
    await eventually(() => [...processesWith(`${mark}-closed`), ...processesWith(world.dataDir), ...processesWith('sleep 300').filter((line) => line.cwd === world.project)], [])
    expect(readFileSync(world.file('started.txt'), 'utf8')).toBe('started\n')
  }))
