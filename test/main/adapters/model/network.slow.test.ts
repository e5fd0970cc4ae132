import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttp } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { createSecureServer } from 'node:http2'
import { connect, type AddressInfo, type Server } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { authority, serverCertificate, serverKey } from '../../../support/certificates'
import { clientOf, partsOf, told } from './world'

// R89: whom a connection trusts, and which HTTP it speaks.

const toClose: (() => unknown)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})

const body = 'data: {"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\n'
const pair = { cert: serverCertificate, key: serverKey }

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  toClose.push(() => new Promise((resolve) => server.close(resolve)))
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

function authorityFile(text: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cs-ca-'))
  toClose.push(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'ca.pem')
  writeFileSync(file, text)
  return file
}

async function ask(baseUrl: string, env: Readonly<Record<string, string>>, forcesHttp1 = true): Promise<readonly string[]> {
  const { client, close } = clientOf(baseUrl, { env, at: { quirks: { forcesHttp1 } }, retries: { times: 0, baseMs: 0, longestMs: 0 } })
  toClose.push(close)
  return told(await partsOf(client))
}

test('a certificate of an authority of its own is trusted where the environment names the authority, and only there', async () => {
  const baseUrl = await listening(createHttps(pair, (_request, response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body)))
  expect(await ask(baseUrl, {})).toEqual([expect.stringMatching(/^failed network false: .*certificate/)])
  expect(await ask(baseUrl, { NODE_EXTRA_CA_CERTS: authorityFile(authority) })).toEqual(['text ok', 'stopped stop'])
  expect(await ask(baseUrl, { NODE_EXTRA_CA_CERTS: authorityFile('no certificate') })).toEqual([expect.stringMatching(/^failed network false/)])
  expect(await ask(baseUrl, { NODE_EXTRA_CA_CERTS: '/nowhere/ca.pem' })).toEqual([expect.stringMatching(/^failed network false: .*certificate/)])
})

test('HTTP/1.1 is forced unless a provider is said to do better', async () => {
  const versions: string[] = []
  const server = createSecureServer({ ...pair, allowHTTP1: true }, (request, response) => {
    versions.push(request.httpVersion)
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body))
  })
  const baseUrl = await listening(server)
  const env = { NODE_EXTRA_CA_CERTS: authorityFile(authority) }
  expect([await ask(baseUrl, env), await ask(baseUrl, env, false)]).toEqual([['text ok', 'stopped stop'], ['text ok', 'stopped stop']])
  expect(versions).toEqual(['1.1', '2.0'])
})

test('the same holds behind a proxy', async () => {
  const server = createHttps(pair, (_request, response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body))
  await listening(server)
  const asked: (string | undefined)[] = []
  const proxy = createHttp()
  proxy.on('connect', (request, socket) => {
    asked.push(request.url)
    const onward = connect((server.address() as AddressInfo).port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    for (const end of [onward, socket]) end.on('error', () => undefined)
  })
  await listening(proxy)
  const https_proxy = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  expect(await ask('https://provider.example/v1', { https_proxy, NODE_EXTRA_CA_CERTS: authorityFile(authority) })).toEqual(['text ok', 'stopped stop'])
  expect(await ask('https://provider.example/v1', { https_proxy })).toEqual([expect.stringMatching(/^failed network false: .*certificate/)])
  expect(asked).toEqual(['provider.example:443', 'provider.example:443'])
})
