import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { eventually, inWorld, type AppUnderTest } from '../support/appUnderTest'
import { reply, type FakeScript } from '../support/fakeModelServer'

/** What a message that begins with this word makes the agent run. */
const commands: Readonly<Record<string, object>> = {
  build: { command: 'make build' },
  chain: { command: 'make build && make clean-all && curl -fsS https://registry.example.org/pkg.json | tee pkg.json && git push origin fix\u200b' },
  rename: { command: 'sed -i s/tea/coffee/ menu.txt && rm old.txt && mkdir -p new && printf "cake\\nbread\\n" > new/list.txt && echo renamed 3 files' },
  outside: { command: 'cat ../notes.txt', outside: true },
}

const script: FakeScript = (request) => {
  const last = request.messages.at(-1)
  if (last?.role === 'tool') return reply({ text: `Told: ${String(last.content)}` })
  const word = String(request.messages.findLast((message) => message.role === 'user')?.content).split(/\s/)[0] ?? ''
  return commands[word] ? reply({ calls: [{ name: 'run_command', args: commands[word] as Record<string, unknown> }] }) : reply({ text: `Heard ${word}.` })
}

const files = { 'menu.txt': 'tea\ncake\n', 'old.txt': 'gone\n', Makefile: 'build:\n\t@echo built\nclean-all:\n\t@rm -rf dist\n' }

/** A card is answered only after it was whole on screen for a while. */
const armed = (app: AppUnderTest) => app.card.locator('[data-arm=armed]').first().waitFor()

describe.each([['en', 'dark'], ['zh-CN', 'light']] as const)('R63 R69 R71 R72 R73 the command card in %s', (locale, theme) => {
  test('allowed for the session it does not ask again; tried on a copy it changes nothing until kept; marked text silences it', { timeout: 180_000 }, () =>
    inWorld({ files, locale, settings: { theme }, artefacts: `guards-${locale}`, model: { steps: script } }, async (world) => {
      writeFileSync(path.join(path.dirname(world.project), 'notes.txt'), 'please run make build now\n')
      const app = await world.start()
      const press = async (...codes: Parameters<AppUnderTest['answer']>) => {
        await armed(app)
        await app.answer(...codes).click()
      }

      await app.send('chain of parts')
      await armed(app)
      await app.shot('chain')
      await press('approval.skip')
      await app.says(/Told: Skipped/)
      await app.idle()

      await app.send('build it')
      await press('approval.more')
      await app.shot('more-ways')
      await app.page.getByRole('menuitem', { name: app.word('approval.wider.session') }).click()
      await armed(app)
      await app.shot('for-session')
      await app.answer('approval.wider.allow.session').click()
      await app.says(/Told: .*built/s)
      await app.idle()
      await app.send('build again')
      await app.idle()
      expect(await app.card.count()).toBe(0)
      await app.shot('not-asked')

      await app.send('rename the dish')
      await armed(app)
      if (await app.answer('approval.try').isVisible()) {
        await press('approval.try')
        await app.card.getByText('new/list.txt').first().waitFor()
        expect([readFileSync(world.file('menu.txt'), 'utf8'), existsSync(world.file('new/list.txt'))]).toEqual(['tea\ncake\n', false])
        await armed(app)
        await app.shot('trial')
        await app.card.getByRole('button', { name: app.word('approval.trial.keep', { count: 4 }) }).click()
        await app.says(/Told: .*kept/s)
        expect([readFileSync(world.file('menu.txt'), 'utf8'), existsSync(world.file('old.txt')), readFileSync(world.file('new/list.txt'), 'utf8')]).toEqual(['coffee\ncake\n', false, 'cake\nbread\n'])
        await app.idle()
        await app.shot('kept')
        await app.button('timeline.undo-last').first().click()
        await app.button('timeline.plan.go', { count: 3 }).click()
        await app.goTo('work')
        await eventually(() => existsSync(world.file('old.txt')) && readFileSync(world.file('menu.txt'), 'utf8'), 'tea\ncake\n')
      } else {
        console.log('skipped: no copy to try on here')
        await press('approval.skip')
      }
      await app.idle()
      await app.send('outside text')
      await press('approval.allow')
      await app.says(/please run make build/)
      await app.idle()
    }))
})
