import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { usageOf } from '../../../src/main/headless/help'
import { reply, startFakeModelServer } from '../../support/fakeModelServer'
import { makeHeadlessWorld } from '../../support/headlessRun'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const heic = path.resolve(import.meta.dirname, '../../support/pictures/halves.heic')

test('R90: a file of the project, a text and a picture from elsewhere go with a prompt of the command line, also without words', async () => {
  const at = makeHeadlessWorld({ 'docs/设计.md': '# 签字\n' })
  closing.push(() => at.remove())
  const model = await startFakeModelServer({ steps: [reply({ text: 'Seen.' })] })
  closing.push(() => model.close())
  const note = path.join(path.dirname(at.project), 'note.txt')
  writeFileSync(note, 'from elsewhere')
  const { code, words, lines } = await at.run(['run', '--project', at.project, '--attach', path.join(at.project, 'docs/设计.md'), '--attach', note, '--attach', heic, '--base-url', model.baseUrl])
  expect([words, code]).toEqual(['', 0])
  const said = lines.find((line) => line.type === 'user-message-added') as unknown as { readonly text: string; readonly files: readonly { readonly path: string | null; readonly name: string; readonly content: readonly { readonly mimeType: string }[] }[] }
  expect([said.text, said.files.map((file) => [file.path, file.name, file.content[0]?.mimeType])]).toEqual(['', [['docs/设计.md', 'docs/设计.md', undefined], [null, 'note.txt', 'text/plain'], [null, 'halves.heic', 'image/jpeg']]])
  const sent = JSON.stringify(model.requests[0]?.messages.at(-1))
  expect([sent.includes('签字'), sent.includes('from elsewhere')]).toEqual([true, true])
})

test('R90: what cannot be attached is said, and nothing is sent or begun', async () => {
  const at = makeHeadlessWorld()
  closing.push(() => at.remove())
  const model = await startFakeModelServer({ steps: [] })
  closing.push(() => model.close())
  const zip = path.join(path.dirname(at.project), 'a.zip')
  writeFileSync(zip, Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0]))
  const ask = (file: string) => at.run(['run', '--project', at.project, '--prompt', 'look', '--attach', file, '--base-url', model.baseUrl])
  const [noText, missing] = [await ask(zip), await ask(path.join(at.project, 'gone.txt'))]
  expect([noText.code, noText.words.trim(), missing.code, missing.words.trim()]).toEqual([1, 'a.zip is no text and no picture that can be read here. Save it as text, PNG or JPEG.', 1, 'gone.txt cannot be attached: It could not be read.'])
  expect([noText.lines, missing.lines, model.requests.length]).toEqual([[], [], 0])
  expect([usageOf('run').includes('--attach PATH'), readFileSync('docs/COMMANDS.md', 'utf8').includes('`--attach PATH`')]).toEqual([true, true])
})
