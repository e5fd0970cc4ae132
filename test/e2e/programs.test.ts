import { afterEach, expect, test } from 'vitest'
import { eventually, makeAppWorld } from '../support/appUnderTest'
import { reply } from '../support/fakeModelServer'
import { processesWith } from '../support/commandWorld'

/** R113 and D02 in the real app: a server with its port and its output, and a command that never ends, left running and ended. */
const ending: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

const server = "const s = require('http').createServer((q, a) => a.end('hi'))\ns.listen(0, '127.0.0.1', () => console.log(`ready on ${s.address().port}`))\n"
const endless = 'echo begun-7d1f; while :; do sleep 1; done'
const steps = [
  reply({ calls: [{ name: 'run_command', args: { command: `${JSON.stringify(process.execPath)} dev-server-7d1f.cjs &`, network: true } }] }),
  reply({ calls: [{ name: 'run_command', args: { command: endless } }] }),
  reply({ text: 'Both run.', usage: { input: 1300, output: 12 } }),
]

const looks = (process.env['E2E_LOOKS'] ?? 'en').split(',') as ('en' | 'zh-CN')[]

test.each(looks)('R113 D02 programs left running are listed, looked at and ended, in %s', async (locale) => {
  const world = await makeAppWorld({ files: { 'dev-server-7d1f.cjs': server }, locale, settings: { theme: 'dark' }, artefacts: `programs-${locale}`, model: { steps } })
  ending.push(() => world.remove())
  const app = await world.start()
  const { page } = app
  await app.send('Start the server.')
  await app.allow('dev-server-7d1f')
  await app.allow('begun-7d1f')
  const leave = page.getByRole('button', { name: app.word('session.leave-command') })
  await leave.waitFor()
  await app.shot('command-takes-long')
  await leave.click()
  await app.says('Both run.')
  await app.idle()
  expect(world.model.requests[2]?.messages.at(-1)).toMatchObject({ role: 'tool', content: expect.stringMatching(/begun-7d1f/) })

  const programs = page.locator('.program')
  await programs.getByRole('button', { name: /localhost:\d+/ }).waitFor()
  expect(await programs.count()).toBe(2)
  const output = (at: number) => programs.nth(at).getByRole('button', { name: app.word('session.program-output') })
  await output(0).click()
  await programs.nth(0).getByText(/ready on \d+/).waitFor()
  await app.shot('programs-listed')
  for (const left of [1, 0]) {
    await programs.nth(0).getByRole('button', { name: app.word('session.end-program') }).click()
    await eventually(() => programs.count(), left)
  }
  await eventually(() => processesWith('7d1f').length, 0)
  expect(app.window.complaints).toEqual([])
})
