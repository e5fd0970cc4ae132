import { createServer, request as httpRequest, type Server } from 'node:http'
import { connect, createServer as createTcpServer, type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import type { PageReader } from '../../../../src/main/adapters/web/pageReader'
import { fail } from '../../../../src/shared/domain/result'
import type { Answerer } from '../../../support/webServer'
import { closers, faultOf, pageOf, serve, signal, text, webTo } from '../../../support/webWorld'

test('R102 redirects within the host are followed and checked, and one to another host is told', async () => {
  const to = (location: string): Answerer => (_request, response) => void response.writeHead(302, { location }).end()
  const server = await serve({ '/a': to('/b'), '/b': to('c?x=1'), '/c': text('here'), '/loop': to('/loop'), '/other': to('http://other.test/x'), '/me': to('http://127.0.0.1/'), '/port': to('http://page.test:1/'), '/meta': to('http://169.254.169.254/latest/meta-data/'), '/file': to('file:///etc/passwd'), '/odd': to('http://[') })
  expect(await pageOf(server, '/a')).toMatchObject({ url: `http://page.test:${server.port}/c?x=1`, text: 'here' })
  expect(await faultOf(server, '/loop')).toBe('web.too-many-redirects')
  expect(server.asked.filter((line) => line.endsWith('/loop'))).toHaveLength(6)
  expect(await faultOf(server, '/other')).toEqual({ to: 'http://other.test/x' })
  expect(await faultOf(server, '/me')).toEqual({ to: 'http://127.0.0.1/' })
  expect(await faultOf(server, '/port')).toEqual({ to: 'http://page.test:1/' })
  expect(await faultOf(server, '/meta')).toEqual({ to: 'http://169.254.169.254/latest/meta-data/' })
  expect(await faultOf(server, '/file')).toBe('web.bad-redirect')
  expect(await faultOf(server, '/odd')).toBe('web.bad-redirect')
})

test('R102 nothing is sent to an address that is not public, however it is written', async () => {
  const server = await serve({ '/': text('secret of this machine') })
  const web = webTo()
  const code = async (url: string, allowed: readonly string[] = [], at = web): Promise<string> => {
    const found = await at.fetch(url, allowed, signal())
    return found.ok ? 'fetched' : found.fault.code
  }
  const number = (127 * 2 ** 24 + 1).toString()
  for (const host of ['127.0.0.1', 'localhost', 'page.test', '[::1]', '[::ffff:127.0.0.1]', number, '0x7f.1', '0177.0.0.1', '127.1', '0', '[::]']) expect(await code(`http://${host}:${server.port}/`), host).toBe('web.private-address')
  for (const url of ['http://169.254.169.254/latest/meta-data/', 'http://[fd00:ec2::254]/', 'http://[64:ff9b::a9fe:a9fe]/', 'http://192.168.0.1/', 'http://[fe80::1]/']) expect(await code(url), url).toBe('web.private-address')
  expect(await code(`http://name:word@page.test:${server.port}/`, [`page.test:${server.port}`])).toBe('web.holds-password')
  expect(await code('file:///etc/passwd')).toBe('web.no-address')
  expect(await code('http://nobody.test/', [], webTo({ resolve: () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' })) }))).toBe('web.name-unknown')
  // One private answer among public ones is enough.
  expect(await code(`http://mixed.test:${server.port}/`, [], webTo({ resolve: () => Promise.resolve(['8.8.8.8', '127.0.0.1']) }))).toBe('web.private-address')
  expect(server.asked).toEqual([])
  expect(await code(`http://page.test:${server.port}/`, [`page.test:${server.port}`])).toBe('fetched')
})

test('R102 the name is looked up once for a request, and that answer is connected to', async () => {
  const server = await serve({ '/a': (_request, response) => void response.writeHead(302, { location: '/b' }).end(), '/b': text('b') })
  const answers = [['127.0.0.1'], ['10.9.8.7'], ['127.0.0.1']]
  let lookups = 0
  const web = webTo({ resolve: () => Promise.resolve(answers[lookups++] ?? []) })
  // The redirect is another request: looked up and judged again, and only allowed because its host is.
  const found = web.fetch(`http://page.test:${server.port}/b`, [`page.test:${server.port}`], signal())
  expect(await found).toMatchObject({ ok: true })
  expect(lookups).toBe(1)
  lookups = 0
  const rebinding = webTo({ resolve: () => Promise.resolve(lookups++ === 0 ? ['127.0.0.1'] : ['8.8.8.8']), limits: { connectMs: 300, totalMs: 600 } })
  expect(await rebinding.fetch(`http://page.test:${server.port}/b`, [], signal())).toMatchObject({ fault: { code: 'web.private-address' } })
  expect(server.asked).toEqual(['GET /b'])
})

test('R102 E19 locate reads an address and sends nothing anywhere, no name either: a lookup would carry out what is in it', () => {
  const asked: string[] = []
  const web = webTo({ resolve: (host) => (asked.push(host), Promise.resolve(['8.8.8.8'])) })
  expect(web.locate('http://PAGE.test:81/x#part')).toEqual({ ok: true, value: { url: 'http://page.test:81/x', host: 'page.test:81', saysPrivate: false } })
  expect(web.locate('https://bücher.example/')).toEqual({ ok: true, value: { url: 'https://xn--bcher-kva.example/', host: 'xn--bcher-kva.example', saysPrivate: false } })
  const says = (url: string) => {
    const found = web.locate(url)
    return found.ok ? found.value.saysPrivate : found.fault.code
  }
  for (const url of ['http://localhost/', 'http://a.localhost./', 'http://router/', 'http://box.local/', 'http://metadata.google.internal/', 'http://127.1/', 'http://[::1]/', 'http://10.0.0.1/', 'http://169.254.169.254/']) expect([url, says(url)]).toEqual([url, true])
  for (const url of ['http://8.8.8.8/', 'https://a.example/', 'https://local.example/']) expect([url, says(url)]).toEqual([url, false])
  expect([says('file:///a'), says('http://me:word@a.test/'), asked]).toEqual(['web.no-address', 'web.holds-password', []])
  expect(web.isAllowed('http://a.test:8080/x', ['a.test:8080'])).toBe(true)
  expect(web.isAllowed('file:///a.test', ['a.test'])).toBe(false)
})

test('R102 a slow, silent, broken or boundless server ends in words, and no connection stays', async () => {
  const server = await serve({
    '/silent': () => undefined,
    '/drips': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' })
      const drip = setInterval(() => response.write('a'), 20)
      response.once('close', () => clearInterval(drip))
    },
    '/breaks': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' })
      response.write('half', () => response.destroy())
    },
    '/headers': (_request, response) => void response.writeHead(200, Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`x-${at}`, 'v'.repeat(1000)]))).end(),
  })
  const web = webTo({ limits: { totalMs: 300 } })
  expect([await faultOf(server, '/silent', web), await faultOf(server, '/drips', web), await faultOf(server, '/breaks'), await faultOf(server, '/headers')]).toEqual(['web.too-slow', 'web.too-slow', 'web.broken-off', 'web.headers-too-large'])
  const cancel = new AbortController()
  const waiting = webTo().fetch(`http://page.test:${server.port}/silent`, [`page.test:${server.port}`], cancel.signal)
  while (server.asked.length < 5) await new Promise((resolve) => setTimeout(resolve, 5))
  cancel.abort()
  expect(await waiting).toMatchObject({ fault: { code: 'tool.cancelled' } })
  while (server.open() > 0) await new Promise((resolve) => setTimeout(resolve, 5))
  await server.close()
  closers.length = 0
  expect(await faultOf(server)).toBe('web.nobody-listens')
})

test('R102 a server that answers with another protocol ends the call', async () => {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n`))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close())
  const { port } = server.address() as AddressInfo
  const found = await webTo().fetch(`http://page.test:${port}/`, [`page.test:${port}`], signal())
  expect(found).toMatchObject({ fault: { code: 'web.not-http' } })
})

test('R102 a page that is still read when the time is over was too slow, and nobody cancelled it', async () => {
  const server = await serve({ '/': '<p>x' })
  const reader: PageReader = { read: (_page, stop) => new Promise((resolve) => stop.addEventListener('abort', () => resolve(fail('tool.cancelled')), { once: true })) }
  expect(await faultOf(server, '/', webTo({ reader, limits: { totalMs: 200 } }))).toBe('web.too-slow')
  const cancel = new AbortController()
  const waiting = webTo({ reader }).fetch(`http://page.test:${server.port}/`, [`page.test:${server.port}`], cancel.signal)
  while (server.asked.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
  cancel.abort()
  expect(await waiting).toMatchObject({ fault: { code: 'tool.cancelled' } })
})

test('R102 an answer without a body may name a packing', async () => {
  const server = await serve({ '/': (_request, response) => void response.writeHead(204, { 'content-encoding': 'gzip' }).end(), '/none': (_request, response) => void response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'br', 'content-length': '0' }).end() })
  expect([await pageOf(server), await pageOf(server, '/none')]).toMatchObject([{ status: 204, text: '' }, { status: 200, text: '' }])
})

test('R102 a lookup that hangs ends with the call', async () => {
  const cancel = new AbortController()
  const waiting = webTo({ resolve: () => new Promise(() => undefined) }).fetch('http://page.test/', [], cancel.signal)
  cancel.abort()
  expect(await waiting).toMatchObject({ fault: { code: 'tool.cancelled' } })
})

/** A proxy that only makes tunnels, all to one port, and tells where it was asked to go. */
async function tunnelTo(port: number, status = 200): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = []
  const proxy: Server = createServer((_request, response) => {
    asked.push('forwarded')
    response.end()
  })
  proxy.on('connect', (request, socket) => {
    asked.push(`${request.url ?? ''} ${String(request.headers['proxy-authorization'] ?? '')}`.trim())
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`)
    const through = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Yes\r\n\r\n')
      through.pipe(socket).pipe(through)
    })
    through.on('error', () => socket.destroy())
    socket.on('error', () => through.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return { url: `http://me:word@127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked }
}

test('R102 R89 with a proxy the checked address goes through a tunnel, and nothing private does', async () => {
  const server = await serve({ '/': text('through') })
  const proxy = await tunnelTo(server.port)
  const web = webTo({ env: { HTTP_PROXY: proxy.url }, resolve: (host) => Promise.resolve(host === 'public.test' ? ['2606:4700::1', '93.184.216.34'] : ['10.0.0.1']) })
  expect(await web.fetch('http://public.test/', [], signal())).toMatchObject({ ok: true, value: { text: 'through' } })
  expect(await web.fetch('http://private.test/', [], signal())).toMatchObject({ fault: { code: 'web.private-address' } })
  expect(proxy.asked).toEqual([`93.184.216.34:80 Basic ${Buffer.from('me:word').toString('base64')}`])
  expect(server.headers[0]?.host).toBe('public.test')
  const refusing = await tunnelTo(server.port, 403)
  expect(await webTo({ env: { http_proxy: refusing.url }, resolve: () => Promise.resolve(['8.8.8.8']) }).fetch('http://public.test/', [], signal())).toMatchObject({ fault: { code: 'web.proxy-refused', values: { status: 403 } } })
  expect(await webTo({ env: { http_proxy: 'socks5://127.0.0.1:1' }, resolve: () => Promise.resolve(['8.8.8.8']) }).fetch('http://public.test/', [], signal())).toMatchObject({ fault: { code: 'web.bad-proxy' } })
})

test('the fake proxy forwards nothing that is asked of it without a tunnel', async () => {
  const proxy = await tunnelTo(1)
  const { port } = new URL(proxy.url)
  await new Promise<void>((resolve) => httpRequest({ port, path: 'http://public.test/' }, (response) => response.resume().on('end', resolve)).end())
  expect(proxy.asked).toEqual(['forwarded'])
})
