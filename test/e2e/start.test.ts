import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { said } from '../../src/shared/domain/result'
import { eventually, inWorld } from '../support/appUnderTest'
import { childEnv, electronExecutable, repositoryRoot, sandboxArgs } from '../support/window'

test('a first start draws its page without a complaint', () =>
  inWorld({}, async (world) => {
    const app = await world.open()
    await app.button('welcome.open-folder').waitFor()
    expect({ title: await app.page.title(), complaints: app.window.complaints }).toEqual({ title: 'Countersign', complaints: [] })
  }))

test('in a narrow window the pages keep their names, which are no longer seen', () =>
  inWorld({}, async (world) => {
    const app = await world.open()
    await app.button('welcome.open-folder').waitFor()
    await app.page.setViewportSize({ width: 980, height: 700 })
    const links = app.page.getByRole('navigation', { name: app.word('ui.pages') }).getByRole('link')
    const names = (['work', 'timeline', 'memory', 'servers', 'skills', 'models', 'settings'] as const).map((page) => app.word(`ui.page.${page}`))
    expect(await Promise.all(names.map((name) => links.and(app.page.getByRole('link', { name, exact: true })).count()))).toEqual(names.map(() => 1))
    expect(await links.locator('.word').first().evaluate((word) => word.getBoundingClientRect().width)).toBeLessThanOrEqual(1)
  }))

test.each(['en', 'zh-CN'] as const)('the last folder is opened again at the next start; one that is gone leaves the first page with a sentence (%s)', (locale) =>
  inWorld({ locale, files: { 'a.txt': 'a' }, artefacts: `start-${locale}` }, async (world) => {
    await (await world.start()).close()
    const again = await world.open()
    await again.message.waitFor()
    await again.goTo('settings')
    const wanted = again.page.getByRole('switch', { name: again.word('settings.reopen') })
    expect(await wanted.getAttribute('aria-checked')).toBe('true')
    await again.shot('settings')
    await again.close()

    renameSync(world.project, `${world.project}-moved`)
    const without = await world.open()
    await without.page.getByRole('alert').filter({ hasText: without.word('app.not-reopened', { reason: said('path.missing', { path: world.project }) }) }).waitFor()
    await without.button('welcome.open-folder').waitFor()
    await without.shot('folder-gone')
    renameSync(`${world.project}-moved`, world.project)
    await without.goTo('settings')
    await without.page.getByRole('switch', { name: without.word('settings.reopen') }).click()
    await eventually(() => (JSON.parse(readFileSync(path.join(world.dataDir, 'settings.json'), 'utf8')) as { reopenFolder?: boolean }).reopenFolder, false)
    await without.close()
    const unwanted = await world.open()
    await unwanted.button('welcome.open-folder').waitFor()
    expect(await unwanted.page.getByRole('alert').count()).toBe(0)
  }))

test('R8 a plain first word goes to the headless host and opens no window', () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'countersign-e2e-'))
  const { status, stdout, stderr } = spawnSync(electronExecutable(), [...sandboxArgs, repositoryRoot, 'frobnicate'], {
    env: childEnv({ COUNTERSIGN_DATA_DIR: dataDir }),
    encoding: 'utf8',
    timeout: 30_000,
  })
  rmSync(dataDir, { recursive: true })
  expect({ status, stdout, isSaid: stderr.includes('no such command: frobnicate\n') }).toEqual({ status: 2, stdout: '', isSaid: true })
})
