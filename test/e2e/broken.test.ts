import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eventually, inWorld, makeAppWorld, type AppUnderTest, type AppWorld } from '../support/appUnderTest'
import { htmlPage, httpAnswer, rateLimited, reply, type FakeScript, type FakeStep } from '../support/fakeModelServer'
import { processesWith } from '../support/processes'

/** Bad input and bad luck: words on screen, the message kept, a retry that works, nothing done that was not whole. */
const faults: Readonly<Record<string, FakeStep>> = {
  key: httpAnswer(401, { error: { message: 'invalid key' } }),
  html: htmlPage(),
  wait: rateLimited(3600),
  cut: { ...reply({ text: 'half a ', calls: [{ name: 'write_file', args: { path: 'cut.txt', content: 'x'.repeat(900) } }] }), dropAfter: 1500 },
}

describe('a provider that fails', () => {
  let world: AppWorld
  let app: AppUnderTest
  let hasFailed = false
  const script: FakeScript = (request) => {
    const word = String(request.messages.findLast((message) => message.role === 'user')?.content).split(' ')[0] ?? ''
    const fault = faults[word]
    if (!fault || hasFailed) return reply({ text: `Well: ${word}.` })
    return fault
  }

  beforeAll(async () => {
    world = await makeAppWorld({ artefacts: 'broken', model: { steps: script } })
    app = await world.start()
  })
  afterAll(() => world.remove())
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await world.keepPictures('failure')
    hasFailed = false
    await app.idle()
    await app.button('session.new').first().click()
  })

  test.each([
    ['key', /refused the key \(401\)/],
    ['html', /web page instead of a model/],
    ['wait', /come back in 3,?600 seconds/],
    ['cut', /connection ended before the answer was complete/],
  ])('R19 %s: the turn ends with words, the message stays, and sending again works', async (word, says) => {
    await app.send(`${word} please`)
    await app.says(says)
    await app.idle()
    await app.shot(word)
    await app.conversation.getByText(`${word} please`).waitFor()
    expect(existsSync(world.file('cut.txt'))).toBe(false)
    hasFailed = true
    await app.send(`${word} again`)
    await app.says(`Well: ${word}.`)
    const sent = world.model.requests.at(-1)?.messages.filter((message) => message.role === 'user').map((message) => message.content)
    expect(sent).toEqual([`${word} please`, `${word} again`])
  })

  test('R19 too many requests with a short wait: the app waits as it was told and goes on by itself', async () => {
    let isFirst = true
    faultOnce('soon', () => (isFirst ? ((isFirst = false), rateLimited(1)) : reply({ text: 'Now it works.' })))
    await app.send('soon please')
    await app.says('Now it works.')
  })

  function faultOnce(word: string, step: () => FakeStep): void {
    Object.defineProperty(faults, word, { get: step, configurable: true })
  }
})

test('R19 R113 a provider that is not there is named, and the app works on without it', () =>
  inWorld({ files: { 'a.txt': 'a' } }, async (world) => {
    const app = await world.start({ env: { COUNTERSIGN_PROVIDER_URL: 'http://127.0.0.1:9/v1', COUNTERSIGN_PROVIDER_KEY: 'k', COUNTERSIGN_MODEL: 'm' } })
    await app.send('anybody?')
    await app.says(/Nothing answers at 127\.0\.0\.1:9/)
    await app.conversation.getByText('anybody?').waitFor()
    await app.idle()
    await app.goTo('models')
    await app.goTo('work')
    await app.message.waitFor()
  }))

describe('a folder that cannot be opened', () => {
  test('one that vanished, a file, home, the system: the window says which and why, and touches nothing', () =>
    inWorld({ artefacts: 'folders' }, async (world) => {
      const gone = path.join(world.base, 'gone')
      const app = await world.open({ env: { COUNTERSIGN_OPEN: gone } })
      await app.page.getByRole('alert').filter({ hasText: gone }).waitFor()
      await app.shot('gone')
      const file = path.join(world.base, 'a-file')
      writeFileSync(file, 'x')
      for (const [folder, says] of [[file, /a-file/], [world.home, /home folder/], ['/etc', /belongs to the system/], ['/', /whole disk/]] as const) {
        await app.window.app.evaluate(({ dialog }, chosen) => {
          dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] })
        }, folder)
        await app.button('welcome.open-folder').click()
        await app.page.getByRole('alert').filter({ hasText: says }).waitFor()
      }
      await app.shot('home')
      expect(readdirSync(world.home).filter((name) => !name.startsWith('.'))).toEqual([])
    }))

  // Root may read everything.
  test.skipIf(process.getuid?.() === 0)('one that may not be read', () =>
    inWorld({}, async (world) => {
      chmodSync(world.project, 0o000)
      const app = await world.open({ env: { COUNTERSIGN_OPEN: world.project } })
      await app.page.getByRole('alert').filter({ hasText: world.project }).waitFor()
      chmodSync(world.project, 0o700)
    }))

  test('one that vanishes while it is open: the window says so and keeps the message', () =>
    inWorld({ model: { steps: [] } }, async (world) => {
      const app = await world.start()
      rmSync(world.project, { recursive: true })
      await app.send('look')
      await app.page.getByRole('alert').filter({ hasText: world.project }).waitFor()
      expect({ kept: await app.message.inputValue(), asked: world.model.requests.length }).toEqual({ kept: 'look', asked: 0 })
      mkdirSync(world.project)
      world.model.add(reply({ text: 'Back again.' }))
      await app.button('session.send').click()
      await app.says('Back again.')
    }))
})

async function kill(app: AppUnderTest): Promise<void> {
  const child = app.window.app.process()
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

describe('R84 R97 kill -9 of the whole app', () => {
  const mark = `countersign-kill-${process.pid}`

  test('in the middle of an answer: the conversation is there, and says that it was interrupted', () =>
    inWorld({ model: { steps: [{ ...reply({ text: 'I begin to answer and then.' }), stallAfter: 700 }, reply({ text: 'Went on.' })] } }, async (world) => {
      const first = await world.start()
      await first.send('tell me')
      await first.says(/I begin/)
      await kill(first)
      const again = await world.start()
      await again.conversation.getByText('tell me').waitFor()
      await again.idle()
      await again.send('go on')
      await again.says('Went on.')
    }))

  test('in the middle of a command: its processes end, it is shown as unknown and is not run again', () =>
    inWorld({ artefacts: 'killed', model: { steps: [reply({ calls: [{ name: 'run_command', args: { command: `echo once >> count.txt; sleep 300; : ${mark}` } }] }), reply({ text: 'Asked again.' })] } }, async (world) => {
      const first = await world.start()
      await first.send('run')
      await first.allow(mark)
      await eventually(() => existsSync(world.file('count.txt')), true)
      await kill(first)
      await eventually(() => processesWith(mark), [])
      const again = await world.start()
      const unknown = again.page.getByRole('group', { name: again.word('recovery.group'), exact: true })
      await unknown.waitFor()
      await again.shot('unknown')
      // What is typed waits: nothing else of the session runs before the person has said how it ended.
      await again.send('what now?')
      expect({ count: readFileSync(world.file('count.txt'), 'utf8'), requests: world.model.requests.length }).toEqual({ count: 'once\n', requests: 1 })
      await unknown.getByRole('button', { name: again.word('recovery.done'), exact: true }).click()
      await again.says('Asked again.')
      expect(JSON.stringify(world.model.requests[1]?.messages)).toContain('what now?')
      expect(readFileSync(world.file('count.txt'), 'utf8')).toBe('once\n')
    }))

  test('while an approval waits: it is asked again and then runs once', () =>
    inWorld({ model: { steps: [reply({ calls: [{ name: 'run_command', args: { command: 'echo once >> count.txt' } }] }), reply({ text: 'Ran.' })] } }, async (world) => {
      const first = await world.start()
      await first.send('run')
      await first.card.filter({ hasText: 'count.txt' }).waitFor()
      await kill(first)
      const again = await world.start()
      await again.allow('count.txt')
      await again.says('Ran.')
      expect(readFileSync(world.file('count.txt'), 'utf8')).toBe('once\n')
    }))
})

describe('data that cannot be used', () => {
  test('R97 a database of random bytes is set aside, and the window opens and says so', () =>
    inWorld({ artefacts: 'database', model: { steps: [reply({ text: 'Hello.' })] } }, async (world) => {
      const first = await world.start()
      await first.send('hello')
      await first.says('Hello.')
      await first.close()
      writeFileSync(path.join(world.dataDir, 'countersign.db'), Buffer.from(Array.from({ length: 40_000 }, (_, at) => (at * 7919 + 13) % 251)))
      const again = await world.start()
      await again.page.getByRole('alert').filter({ hasText: 'The database was damaged' }).waitFor()
      await again.shot('damaged')
      expect(readdirSync(world.dataDir).filter((name) => /^countersign\.db.*damaged/.test(name)).length).toBeGreaterThan(0)
    }))

  test('R94 an empty native module: the window opens, says why, and where the data lies', () =>
    inWorld({ artefacts: 'database' }, async (world) => {
      const empty = path.join(world.base, 'empty.node')
      writeFileSync(empty, '')
      const app = await world.open({ env: { COUNTERSIGN_SQLITE_BINDING: empty } })
      await app.page.getByRole('alert').filter({ hasText: 'The database module does not load' }).waitFor()
      await app.page.getByText(world.dataDir).first().waitFor()
      await app.shot('no-module')
    }))

  test('a settings file that is no JSON: the window opens with what it can and says so', () =>
    inWorld({}, async (world) => {
      mkdirSync(world.dataDir, { recursive: true })
      writeFileSync(path.join(world.dataDir, 'settings.json'), '{ "theme": ')
      const app = await world.start()
      await app.page.getByRole('alert').filter({ hasText: 'settings.json' }).waitFor()
      expect(readFileSync(path.join(world.dataDir, 'settings.json'), 'utf8')).toBe('{ "theme": ')
    }))
})
