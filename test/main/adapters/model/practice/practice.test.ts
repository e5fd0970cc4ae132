import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { createPracticeDispatcher, practiceModel, practiceOrigin, practiceUrl } from '../../../../../src/main/adapters/model/practice/dispatcher'
import { prepareSampleProject, readPracticeScript } from '../../../../../src/main/adapters/model/practice/sampleProject'
import { createProviderProbe } from '../../../../../src/main/adapters/model/probe'
import { openNetwork } from '../../../../../src/main/adapters/model/network'
import { practiceScript } from '../../../../../src/main/services/practice/script'
import { answerAsTutor } from '../../../../../src/main/services/practice/tutor'
import { catalogue, clientOf, partsOf, request } from '../world'

// R108: the practice model goes through the same adapter as every provider, with no port and no network.

const resources = path.resolve(import.meta.dirname, '../../../../../resources')
const script = practiceScript(await readPracticeScript(resources))
const dispatcher = (paceMs = 0) => createPracticeDispatcher((body) => answerAsTutor(body, script, 'en'), paceMs)

describe('the practice model as a provider', () => {
  test('streams text and a call in many pieces, and stops as it should', async () => {
    const { client, close } = clientOf(practiceUrl, { inProcess: { [practiceOrigin]: dispatcher(1) }, env: { HTTP_PROXY: 'http://127.0.0.1:9' } })
    const parts = await partsOf(client, { ...request, choice: { provider: 'practice', model: practiceModel } })
    expect(parts.filter((part) => part.kind === 'text-delta').length).toBeGreaterThan(10)
    expect(parts.filter((part) => part.kind === 'call-piece')[0]).toMatchObject({ index: 0, id: 'practice-search-1', name: 'search_text' })
    expect(parts.at(-1)).toEqual({ kind: 'stopped', reason: 'tool-calls' })
    await close()
  })

  test('ends at once when it is cancelled', async () => {
    const { client, close } = clientOf(practiceUrl, { inProcess: { [practiceOrigin]: dispatcher(5) } })
    const cancel = new AbortController()
    let parts = 0
    for await (const part of client.stream(request, cancel.signal)) {
      parts += part.kind === 'text-delta' ? 1 : 0
      cancel.abort()
    }
    expect(parts).toBe(1)
    await close()
  })

  test('lists its one model', async () => {
    const network = openNetwork({})
    const probe = createProviderProbe({ catalogue, network, inProcess: { [practiceOrigin]: dispatcher() } })
    expect(await probe.models({ baseUrl: practiceUrl, key: null })).toEqual({ ok: true, value: [{ id: practiceModel, windowTokens: null, seesImages: null }] })
    await network.close()
  })
})

describe('the practice folder', () => {
  let parent = ''
  afterEach(() => rm(parent, { recursive: true, force: true }))

  test('is used again while it is as shipped; a changed one stays as it is and a new one is made', async () => {
    parent = await realpath(await mkdtemp(path.join(tmpdir(), 'practice-')))
    const first = path.join(parent, 'tea')
    expect(await prepareSampleProject(resources, parent, 'tea')).toEqual({ ok: true, value: first })
    expect(await prepareSampleProject(resources, parent, 'tea')).toEqual({ ok: true, value: first })
    await writeFile(path.join(first, 'mine.txt'), 'mine')
    expect(await prepareSampleProject(resources, parent, 'tea')).toEqual({ ok: true, value: path.join(parent, 'tea-2') })
    await writeFile(path.join(parent, 'tea-2', 'test.js'), 'changed')
    expect(await prepareSampleProject(resources, parent, 'tea')).toEqual({ ok: true, value: path.join(parent, 'tea-3') })
    expect(await readFile(path.join(parent, 'tea-2', 'test.js'), 'utf8')).toBe('changed')
  })

  test('a place that cannot be written is said', async () => {
    parent = await mkdtemp(path.join(tmpdir(), 'practice-'))
    await writeFile(path.join(parent, 'file'), '')
    expect(await prepareSampleProject(resources, path.join(parent, 'file'), 'tea')).toMatchObject({ ok: false, fault: { code: 'model.sample-failed' } })
  })
})
