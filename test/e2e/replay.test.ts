import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { putTranscript, readTranscript } from '../lab/transcript'
import { inWorld } from '../support/appUnderTest'

const transcripts = path.resolve(import.meta.dirname, '../transcripts')

test('R95 a transcript is drawn in the window, nothing of it goes on, and it is kept as it was', () =>
  inWorld({ model: {} }, async (world) => {
    const file = path.join(transcripts, 'spokenTo.jsonl')
    const text = readFileSync(file, 'utf8')
    const said = readTranscript(text).flatMap((event) => (event.type === 'assistant-message-added' && event.text !== '' ? [event.text] : []))
    await putTranscript(file, world.dataDir, world.project)
    const app = await world.start()
    await app.page.getByText(readTranscript(text).find((event) => event.type === 'session-renamed')?.title ?? 'T', { exact: true }).first().click()
    await app.says(said.at(-1) ?? 'no words')
    await app.idle()
    expect([world.model.requests.length, readFileSync(file, 'utf8')]).toEqual([0, text])
  }))
