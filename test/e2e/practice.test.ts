import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { eventually, inWorld } from '../support/appUnderTest'

test.each(['en', 'zh-CN'] as const)('R108 a first start without a key walks the practice project to its end, in %s', (locale) =>
  inWorld({ locale, artefacts: `practice-${locale}` }, async (world) => {
    const app = await world.open()
    await app.button('welcome.start-practice').waitFor()
    await app.shot('welcome')
    await app.button('welcome.start-practice').click()
    const price = path.join(world.home, 'countersign-practice', 'src/price.js')
    await app.send(locale === 'en' ? 'Hello' : '你好')
    await app.card.filter({ hasText: 'price.js' }).waitFor()
    const broken = readFileSync(price, 'utf8')
    await app.shot('edit')
    await app.allow('price.js')
    await app.card.filter({ hasText: 'node test.js' }).waitFor()
    const mended = readFileSync(price, 'utf8')
    expect(mended).not.toBe(broken)
    await app.shot('command')
    await app.allow('node test.js')
    await app.idle()
    await app.says(app.word('timeline.undo-call'))
    await app.shot('walked')

    await app.timeline.getByRole('button', { name: /price\.js/ }).click()
    await app.button('timeline.undo-call').click()
    await app.button('timeline.plan.go', { count: 1 }).click()
    await app.page.getByText(app.word('timeline.plan.done', { count: 1 })).waitFor()
    expect(readFileSync(price, 'utf8')).toBe(broken)
    await app.button('timeline.undo-rollback').click()
    await eventually(() => readFileSync(price, 'utf8'), mended)

    await app.goTo('work')
    await app.send(locale === 'en' ? 'Who are you?' : '你是谁？')
    await app.idle()
    await app.says(locale === 'en' ? /not a model/ : /不是模型/)
    await app.shot('end')

    // The record holds all of it, and its chain is whole (R68).
    await app.goTo('audit')
    await app.page.getByRole('table', { name: app.word('audit.table') }).getByText('node test.js').first().click()
    await app.page.getByText(app.word('audit.limits')).waitFor()
    await app.button('audit.in-timeline').waitFor()
    await app.button('audit.verify').click()
    await app.page.getByText(locale === 'en' ? /^Chain intact, \d+ entries$/ : /^链完整，\d+ 条$/).waitFor()
    await app.shot('audit')
    expect({ complaints: app.window.complaints, asked: world.model.requests.length }).toEqual({ complaints: [], asked: 0 })
  }))
