import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { inWorld, type AppWorld } from '../support/appUnderTest'
import { reply } from '../support/fakeModelServer'

/** The skills page as a person uses it: R56 R57 R59 R60, in both languages and themes. */

const own = (name: string, more = ''): string => `---\nname: ${name}\ndescription: Measures the order list under load, on the staging copy only.\nmetadata:\n  version: "1.2.0"\n  countersign:\n    triggers:\n      - throughput\n${more}---\n# Load test\n\nNever against production. Ask which copy.\n`

function put(world: AppWorld, at: string, text: string): void {
  const file = path.join(world.dataDir, 'skills', at)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

test.each([
  { locale: 'en', theme: 'dark' },
  { locale: 'zh-CN', theme: 'light' },
] as const)('R56 R57 R60 a broken file is named, mended on the disk it is there, and goes to the next message, in $locale and $theme', ({ locale, theme }) =>
  inWorld({ locale, settings: { theme }, artefacts: `skills-${locale}`, model: { steps: [reply({ text: 'Noted.' })] } }, async (world) => {
    put(world, 'load-test/SKILL.md', own('load-test'))
    put(world, 'db-migrations/SKILL.md', '---\nname: db-migrations\nversion: 1\ndescription: "Writes reversible migrations\n---\nx\n')
    const app = await world.start()

    await app.goTo('skills')
    const table = app.page.getByRole('table')
    await table.getByRole('button', { name: 'load-test' }).waitFor()
    for (const name of ['code-review', 'database-tuning', 'web-access']) await table.getByRole('button', { name }).waitFor()
    await table.getByText(app.word('skill.open-at', { line: 4 })).click()
    await app.page.locator('.skilltext .dl.del').waitFor()
    await app.shot('broken')

    put(world, 'db-migrations/SKILL.md', '---\nname: db-migrations\nversion: 1\ndescription: "Writes reversible migrations"\n---\nx\n')
    await table.getByRole('button', { name: 'db-migrations' }).waitFor()
    expect(await table.locator('tr.badskill').count()).toBe(0)

    await table.getByRole('button', { name: 'load-test' }).click()
    await app.page.locator('.skilltext', { hasText: 'Never against production.' }).waitFor()
    await app.shot('chosen')
    await app.button('skill.use-next').click()
    await app.page.getByRole('list', { name: app.word('skill.chosen') }).getByText('load-test').waitFor()
    await app.shot('in-message')
    await app.send('How does it do?')
    const body = (await world.model.waitForRequest(1)).bodyText
    await app.idle()
    expect([body.split('Never against production.').length - 1, body.includes('- db-migrations: Writes reversible migrations')]).toEqual([1, true])
    expect(app.window.complaints).toEqual([])
  }))
