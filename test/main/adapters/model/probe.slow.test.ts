import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { reach } from '../../../../src/main/adapters/model/endpoint'
import { listModels } from '../../../../src/main/adapters/model/models'
import { openNetwork } from '../../../../src/main/adapters/model/network'
import { createProviderProbe } from '../../../../src/main/adapters/model/probe'
import { say } from '../../../../src/shared/words/say'
import { httpAnswer, reply, startFakeModelServer, type FakeModelOptions, type FakeStep } from '../../../support/fakeModelServer'
import { protocols } from '../../../../src/shared/domain/catalogue'
import { catalogue, wayOf } from './world'

// R87, R89, R92, R108: what settings ask of a provider.

const toClose: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0)) await close()
})

const network = openNetwork({})
const probe = createProviderProbe({ catalogue, network, inProcess: {} })

async function serve(options: FakeModelOptions): Promise<string> {
  const server = await startFakeModelServer(options)
  toClose.push(() => server.close())
  return server.baseUrl
}

/** A server that gives one and the same answer to everything. */
async function serveAlways(step: FakeStep): Promise<string> {
  const server = createServer((asked, answer) => {
    asked.resume().on('end', () => answer.writeHead(step.status, step.headers).end(step.body(0)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  toClose.push(() => new Promise((resolve) => { server.closeAllConnections(); server.close(resolve) }))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

async function listed(body: FakeStep): Promise<unknown> {
  const to = reach({ baseUrl: await serveAlways(body), key: null }, wayOf('openai').quirks, network, {})
  if (!to.ok) throw new Error('no address')
  const list = await listModels(to.value, '', wayOf('openai'))
  return list.ok ? list.models.map((model) => [model.id, model.windowTokens]) : [list.status, list.fault.kind, say('en', list.fault.say).replace(/127\.0\.0\.1:\d+/, 'HOST')]
}

describe('the list of models', () => {
  test('names once each, with the window under any of its names', async () => {
    expect(await listed(httpAnswer(200, { data: [{ id: 'a', context_window: 8000 }, { id: 'b', max_model_len: 16_000 }, { id: 'c', context_length: 32_000 }, { id: 'd' }, { id: 'a' }, { object: 'model' }, { id: 'e', context_window: '8k' }] }))).toEqual([['a', 8000], ['b', 16_000], ['c', 32_000], ['d', null], ['e', null]])
  })

  test.each([
    [{ architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] } }, true],
    [{ architecture: { input_modalities: ['text'] } }, false],
    [{ modalities: { input: ['text', 'image'], output: ['text'] } }, true],
    [{ modalities: ['TEXT', 'IMAGE'] }, true],
    [{ capabilities: { vision: true, completion_chat: true } }, true],
    [{ capabilities: { supports: { vision: false } } }, false],
    [{ capabilities: ['completion', 'tools'] }, false],
    [{ supports_vision: true }, true],
    [{ supports_image_in: false }, false],
    [{ architecture: { input_modalities: null } }, null],
    [{ vision: 'yes', capabilities: 7 }, null],
    [{}, null],
  ])('R86 R90 whether pictures go in is read from the list, whatever form it has: %j', async (fields, sees) => {
    const models = await probe.models({ baseUrl: await serveAlways(httpAnswer(200, { data: [{ id: 'a', ...fields }] })), key: null }, 5000)
    expect(models).toEqual({ ok: true, value: [{ id: 'a', windowTokens: null, seesImages: sees }] })
  })

  test.each([
    ['a bare list', httpAnswer(200, JSON.stringify(['a', 'b']))],
    ['under models, by name', httpAnswer(200, { models: [{ name: 'a' }, { model: 'b' }] })],
  ])('%s', async (_, step) => {
    expect(await listed(step)).toEqual([['a', null], ['b', null]])
  })

  test.each([
    [httpAnswer(200, '<html>'), [200, 'protocol', 'HOST gives no list of models. Type the name of the model.']],
    [httpAnswer(401, { error: { message: 'bad key' } }), [401, 'auth', 'HOST asks for a key and none is set (401). Add one in Models. The provider said: bad key']],
  ])('faults are told', async (step, words) => {
    expect(await listed(step)).toEqual(words)
  })

  test('the probe gives the names', async () => {
    expect(await probe.models({ baseUrl: await serve({}), key: null })).toEqual({ ok: true, value: [{ id: 'fake-model', windowTokens: 200_000, seesImages: null }] })
    expect(await probe.models({ baseUrl: 'nonsense', key: null })).toMatchObject({ ok: false, fault: { code: 'model.bad-address' } })
  })
})

describe('the test button', () => {
  async function tested(baseUrl: string, model: string, key: string | null = null): Promise<readonly string[]> {
    const { steps } = await probe.test({ baseUrl, key }, model)
    return steps.map(({ step, ok, say: fact }) => `${step} ${ok === null ? 'not known' : ok ? 'ok' : 'not ok'} ${fact.code}`)
  }
  const ready = { name: 'report_ready', args: { ready: true } }

  test('R87 all well: address, key, model, streaming, tools, images', async () => {
    const baseUrl = await serve({ steps: [reply({ text: 'ready, and a few words more' }), reply({ calls: [ready] }), reply({ text: 'Red.' })] })
    expect(await tested(baseUrl, 'fake-model', 'k')).toEqual(['address ok model.test-address-ok', 'key not known model.test-key-unproven', 'model ok model.test-model-ok', 'streaming ok model.test-streaming-ok', 'tools ok model.test-tools-ok', 'images ok model.test-images-ok'])
  })

  test.each([
    [httpAnswer(401, { error: { message: 'no key' } }), 'key ok model.test-key-ok'],
    [httpAnswer(403, { error: { message: 'no key' } }), 'key ok model.test-key-ok'],
    [httpAnswer(503, { error: { message: 'busy' } }), 'key not known model.test-key-unchecked'],
    [httpAnswer(200, { data: [{ id: 'm' }] }), 'key not known model.test-key-unproven'],
  ])('R89 a key is called accepted only where the list does not come without it', async (bare, told) => {
    const asked: (string | undefined)[] = []
    const server = createServer((request, answer) => {
      asked.push(request.headers.authorization)
      const step = request.headers.authorization === 'Bearer right' ? httpAnswer(200, { data: [{ id: 'm' }] }) : bare
      request.resume().on('end', () => answer.writeHead(step.status, step.headers).end(step.body(0)))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    toClose.push(() => new Promise((resolve) => { server.closeAllConnections(); server.close(resolve) }))
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    expect({ told: (await tested(baseUrl, '', 'right'))[1], asked }).toEqual({ told, asked: ['Bearer right', undefined] })
    expect(await tested(baseUrl, '')).not.toContain(told)
  })

  test('a model that calls no tool', async () => {
    const baseUrl = await serve({ steps: [reply({ text: 'ready, and a few words more' }), reply({ text: 'I cannot.' })] })
    expect((await tested(baseUrl, 'fake-model')).slice(-3, -1)).toEqual(['streaming ok model.test-streaming-ok', 'tools not ok model.test-tools-none'])
  })

  test('R87 a model that is not in the list is said to be, which is no fault of one that answers; without a model it ends there', async () => {
    const baseUrl = await serve({ steps: [reply({ text: 'ready, and a few words more' }), reply({ calls: [ready] })] })
    expect((await tested(baseUrl, 'other')).slice(-4, -1)).toEqual(['model not known model.test-model-unlisted', 'streaming ok model.test-streaming-ok', 'tools ok model.test-tools-ok'])
    expect((await tested(await serve({}), '')).at(-1)).toBe('model not ok model.test-model-none')
  })

  test.each([
    ['sees it', undefined, reply({ text: 'It is **red**.' }), 'ok model.test-images-ok', true],
    ['says another thing', undefined, reply({ text: 'I cannot tell.' }), 'not known model.test-images-unsure', true],
    ['refuses it', undefined, httpAnswer(400, { error: { message: 'image_url is not supported' } }), 'not known model.test-images-none', true],
    ['breaks down', undefined, httpAnswer(500, { error: { message: 'boom' } }), 'not ok model.with-detail', true],
    ['is said by its list to take none', false, reply({ text: 'red' }), 'not known model.test-images-none', false],
  ] as const)('R90 a picture is shown to a model that %s', async (_how, supports_vision, answer, told, isShown) => {
    const server = await startFakeModelServer({ models: [{ id: 'm', ...(supports_vision === undefined ? {} : { supports_vision }) }], steps: [reply({ text: 'ready, and more' }), reply({ calls: [ready] }), answer] })
    toClose.push(() => server.close())
    expect((await tested(server.baseUrl, 'm')).at(-1)).toBe(`images ${told}`)
    expect(JSON.stringify(server.requests[2]?.body ?? null).includes('image_url')).toBe(isShown)
  })

  test.each(protocols)('R86 R87 the same six steps in the protocol %s, with cheap requests', async (protocol) => {
    const server = await startFakeModelServer({ models: [{ id: 'm', context_window: 100_000, max_input_tokens: 100_000, capabilities: ['vision', 'tools'] }], steps: [reply({ text: 'ready, and a few words more' }), reply({ calls: [ready] }), reply({ text: 'Red.' })] })
    toClose.push(() => server.close())
    const { steps } = await probe.test({ baseUrl: protocol === 'openai' ? server.baseUrl : server.origin, key: 'k', protocol }, 'm')
    expect(steps.map(({ step, ok }) => [step, ok])).toEqual([['address', true], ['key', null], ['model', true], ['streaming', true], ['tools', true], ['images', true]])
    expect(server.requests.map((one) => one.bodyText.length).every((length) => length < 1200)).toBe(true)
  })

  test('a key that is refused ends it', async () => {
    expect(await tested(await serveAlways(httpAnswer(401, { error: { message: 'no' } })), 'm', 'k')).toEqual(['address ok model.test-address-ok', 'key not ok model.with-detail'])
  })

  test('a server without a list is judged by its answers', async () => {
    expect(await tested(await serveAlways(httpAnswer(404, 'nothing here')), 'm')).toEqual(['address ok model.test-address-ok', 'streaming not ok model.with-detail'])
  })

  test('an address where nothing answers', async () => {
    expect(await tested('http://127.0.0.1:9/v1', 'm')).toEqual(['address not ok model.refused-connection'])
    expect(await tested('::', 'm')).toEqual(['address not ok model.bad-address'])
  })
})

describe('R108: a running Ollama is found', () => {
  function probeAt(origin: string): ReturnType<typeof createProviderProbe> {
    return createProviderProbe({ catalogue: { ...catalogue, local: { ollama: { ...catalogue.local.ollama, origin } } }, network, inProcess: {} })
  }

  test('by its version, with its models', async () => {
    const server = createServer((asked, answer) => {
      const body = asked.url === '/api/version' ? { version: '0.9.0' } : asked.url === '/api/tags' ? { models: [{ name: 'qwen3:8b' }] } : null
      answer.writeHead(body ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    toClose.push(() => new Promise((resolve) => { server.closeAllConnections(); server.close(resolve) }))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    expect(await probeAt(origin).findOllama()).toEqual({ baseUrl: origin, models: ['qwen3:8b'] })
  })

  test('nothing there, something else there, or something that hangs: none', async () => {
    expect(await probeAt('http://127.0.0.1:9').findOllama()).toBeNull()
    expect(await probeAt((await serveAlways(httpAnswer(200, 'hello'))).replace('/v1', '')).findOllama()).toBeNull()
    const hanging = createServer(() => undefined)
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
    toClose.push(() => new Promise((resolve) => { hanging.closeAllConnections(); hanging.close(resolve) }))
    expect(await probeAt(`http://127.0.0.1:${(hanging.address() as AddressInfo).port}`).findOllama()).toBeNull()
  })
})
