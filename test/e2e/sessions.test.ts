import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { recordBlockTag } from '../../src/shared/domain/recordBlock'
import { eventually, inWorld, type AppUnderTest } from '../support/appUnderTest'
import { reply } from '../support/fakeModelServer'
import { repositoryRoot } from '../support/window'

/** Sessions as a person keeps them, in the real app: R96 (pin, rename, search, fork, edit and send again, export, delete and undo), R109 (nothing typed is lost). */

const words = {
  en: { first: 'Explain how the rollback works', second: 'And who may sign?', other: 'A second talk about tea', edited: 'Who may sign, in one line?', draft: 'half a thought', query: '回滚计划' },
  'zh-CN': { first: '讲讲回滚怎么做', second: '谁能签字？', other: '另一次关于茶的谈话', edited: '用一句话说谁能签字？', draft: '写了一半的话', query: '回滚计划' },
} as const

const steps = [reply({ text: '先给出回滚计划，再逐个文件写回。<script>alert(1)</script>' }), reply({ text: 'Only you can sign. The key is sk-live-4711-not-to-be-shown.' }), reply({ text: 'Tea is ready.' }), reply({ text: 'You alone.' })]

const pane = (app: AppUnderTest) => app.page.getByRole('complementary', { name: app.word('session.sessions') })
const row = (app: AppUnderTest, title: string) => pane(app).getByRole('link').filter({ hasText: title }).first()
const choose = async (app: AppUnderTest, title: string, item: Parameters<AppUnderTest['word']>[0]) => {
  await row(app, title).click({ button: 'right' })
  await app.page.getByRole('menuitem', { name: app.word(item) }).click()
}

/** The exported page without scripts, as a browser shows it; everything it asked for from elsewhere. */
async function drawExport(app: AppUnderTest, file: string, picture: string): Promise<readonly string[]> {
  return app.window.app.evaluate(async ({ BrowserWindow }, [page, png]) => {
    const window = new BrowserWindow({ show: false, width: 900, height: 1000, webPreferences: { javascript: false, offscreen: true, partition: 'export' } })
    const asked: string[] = []
    window.webContents.session.webRequest.onBeforeRequest((details, done) => {
      if (!details.url.startsWith('file:') && !details.url.startsWith('data:')) asked.push(details.url)
      done({})
    })
    await window.loadFile(page ?? '')
    await new Promise((resolve) => setTimeout(resolve, 500))
    const image = await window.webContents.capturePage()
    const { writeFileSync } = process.getBuiltinModule('node:fs')
    writeFileSync(png ?? '', image.toPNG())
    window.destroy()
    return asked
  }, [file, picture])
}

test.each(['en', 'zh-CN'] as const)('R96 R109 pin, search in Chinese, fork, edit and send again, export, delete and undo (%s)', async (locale) => {
  const said = words[locale]
  await inWorld({ locale, artefacts: `sessions-${locale}`, model: { steps } }, async (world) => {
    const app = await world.start()
    const { page } = app
    await app.send(said.first)
    await app.says('逐个文件写回')
    await app.idle()
    await app.send(said.second)
    await app.says('Only you can sign')
    await app.idle()
    await pane(app).getByRole('button', { name: app.word('session.new') }).click()
    await app.send(said.other)
    await app.says('Tea is ready.')
    await app.idle()

    await choose(app, said.first, 'session.pin')
    await pane(app).getByRole('heading', { name: app.word('session.pinned') }).waitFor()
    await app.shot('pinned')

    await pane(app).getByRole('searchbox').fill(said.query)
    const hits = pane(app).getByRole('list', { name: app.word('session.found') })
    await hits.getByRole('link').first().waitFor()
    expect(await hits.locator('mark').allTextContents()).toEqual([said.query])
    await app.shot('found')
    await hits.getByRole('link').first().click()
    await app.says('逐个文件写回')
    await pane(app).getByRole('searchbox').fill('')

    const second = app.conversation.getByRole('article').filter({ hasText: said.second })
    await second.hover()
    await app.shot('acts')
    await second.getByRole('button', { name: app.word('session.edit-fork') }).click()
    await expect.poll(() => app.message.inputValue()).toBe(said.second)
    expect(await app.conversation.getByText('Only you can sign').count()).toBe(0)
    await app.shot('forked')

    await row(app, said.first).first().click()
    await pane(app).getByRole('link').filter({ hasText: said.first }).nth(0).waitFor()
    await editAndSend(app, said)
    await exportPage(app, world.file('export.html'), said)

    await choose(app, said.other, 'session.delete')
    await app.shot('deleted')
    await page.getByRole('button', { name: app.word('session.undo'), exact: true }).last().click()
    await row(app, said.other).waitFor()
    await app.message.fill(said.draft)
    await eventually(() => app.message.inputValue(), said.draft)
    await page.reload()
    await app.message.waitFor()
    await eventually(() => app.message.inputValue(), said.draft)
    await app.shot('draft-after-reload')
  })
}, 120_000)

/** Says the second message anew in the session that is pinned. */
async function editAndSend(app: AppUnderTest, said: (typeof words)['en' | 'zh-CN']): Promise<void> {
  const origin = pane(app).getByRole('link').filter({ hasText: said.first }).filter({ hasNotText: app.word('session.forked') }).first()
  await origin.click()
  await app.says('Only you can sign')
  const second = app.conversation.getByRole('article').filter({ hasText: said.second })
  await second.hover()
  await second.getByRole('button', { name: app.word('session.edit-again') }).click()
  await app.page.getByText(app.word('session.editing')).waitFor()
  await app.shot('editing')
  await app.send(said.edited)
  await app.says('You alone.')
  await app.idle()
  expect(await app.conversation.getByText('Only you can sign').count()).toBe(0)
}

/** Exports the session on screen and looks at the file as a person would. */
async function exportPage(app: AppUnderTest, file: string, said: (typeof words)['en' | 'zh-CN']): Promise<void> {
  await app.window.app.evaluate(({ dialog }, filePath) => { dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath }) }, file)
  await choose(app, said.first, 'session.export-html')
  await app.page.getByText(app.word('session.exported', { path: file })).waitFor()
  await app.shot('exported')
  const text = readFileSync(file, 'utf8')
  for (const part of ['逐个文件写回', said.edited, app.word('session.export-rolled-back'), app.word('session.export-record')]) expect(text).toContain(part)
  // The lines of the record stand in blocks that nothing runs; there is no other script.
  expect([...new Set(text.match(/<script[^>]*>/g))]).toEqual([recordBlockTag])
  expect(await drawExport(app, file, path.join(repositoryRoot, 'test/artefacts', `sessions-${said === words.en ? 'en' : 'zh-CN'}`, '99-export.png'))).toEqual([])
}
