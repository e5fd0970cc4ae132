import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inWorld } from '../support/appUnderTest'
import { reply, startFakeModelServer } from '../support/fakeModelServer'

/** A picture of 2,000 × 500, red on the left, as a screenshot would come from the clipboard. */
const makePicture = `async () => {
  const canvas = document.createElement('canvas')
  canvas.width = 2000; canvas.height = 500
  const pen = canvas.getContext('2d')
  pen.fillStyle = '#fff'; pen.fillRect(0, 0, 2000, 500)
  pen.fillStyle = '#c00'; pen.fillRect(0, 0, 1000, 500)
  const blob = await new Promise((done) => canvas.toBlob(done, 'image/png'))
  const data = new DataTransfer()
  data.items.add(new File([blob], 'image.png', { type: 'image/png' }))
  const box = document.getElementById('message')
  box.focus()
  box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
}`

test.each([['en', 'light'], ['zh-CN', 'dark']] as const)('R90 a pasted picture and a Chinese-named file attached by @ reach the model (%s)', async (locale, theme) => {
  const model = await startFakeModelServer({ steps: [reply({ text: 'I see it.' }), reply({ text: 'Still.' })] })
  const facts = { id: 'fake-model', windowTokens: 100_000, maxOutputTokens: null, callsTools: true, thinks: false, prices: null }
  const provider = { id: 'mine', name: 'Mine', baseUrl: model.baseUrl, protocol: 'openai' as const, model: 'fake-model', models: [{ ...facts, seesImages: true }, { ...facts, id: 'blind', seesImages: false }] }
  try {
    await inWorld({ locale, settings: { theme, providers: [provider], activeProvider: 'mine' }, artefacts: `attach-${locale}` }, async (world) => {
      mkdirSync(world.file('文档'))
      writeFileSync(world.file('文档/设计说明.md'), '# 设计\n签字之前不运行。\n')
      const app = await world.start({ env: { COUNTERSIGN_PROVIDER_KEY: 'test-key-4711' } })
      await app.page.evaluate(`(${makePicture})()`)
      const chips = app.page.getByRole('list', { name: app.word('attach.files') })
      await chips.getByText('1,568 × 392').waitFor()
      await app.message.pressSequentially('@设计说')
      await app.page.getByRole('listbox', { name: app.word('session.offers.resources') }).getByRole('option', { name: /设计说明/ }).first().waitFor()
      await app.shot('offered')
      await app.page.keyboard.press('Tab')
      await chips.getByText('文档/设计说明.md').waitFor()
      expect(await app.message.inputValue()).toBe('@文档/设计说明.md ')
      await app.message.pressSequentially('看图')
      await app.shot('attached')
      await app.page.reload()
      await chips.getByText('1,568 × 392').waitFor()
      await app.button('session.send').click()
      await app.says('I see it.')
      const said = model.requests[0]?.messages.findLast((message) => message.role === 'user')
      const parts = said?.content as readonly { readonly type: string; readonly text?: string; readonly image_url?: { readonly url: string } }[]
      expect(parts.map((part) => part.type)).toEqual(['text', 'image_url'])
      expect(parts[0]?.text).toMatch(/^@文档\/设计说明\.md 看图[^]*2\t签字之前不运行。/)
      const png = Buffer.from(parts[1]?.image_url?.url.replace('data:image/png;base64,', '') ?? '', 'base64')
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1568, 392])
      await app.conversation.getByRole('button', { name: /1/ }).first().waitFor()
      await app.shot('sent')
    })
  } finally {
    await model.close()
  }
})
