import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { makePageReader } from '../../../../src/main/adapters/web/pageReader'
import { faultOf, pageOf, serve, text, webTo, workerFile } from '../../../support/webWorld'
import type { Answerer } from '../../../support/webServer'

test('R102 a page becomes the Markdown of its main text, with absolute links and without what nobody sees', async () => {
  const server = await serve({
    '/docs/a': `<!doctype html><html><head><title>The  guide</title><style>p{color:red}</style></head><body><nav><a href="/">Home</a></nav>
      <article><h1>The guide</h1><p>${'A sentence about harbours, with commas, that says something. '.repeat(8)}</p>
      <p>See <a href="../b?x=1#part">the other page</a>, <a href="javascript:alert(1)">a script</a> and <a href="data:text/html,x">data</a>.</p>
      <p style="display:none">HIDDEN ONE</p><p hidden>HIDDEN TWO</p><p style="font-size: 0px">HIDDEN THREE</p><p aria-hidden="true">HIDDEN FOUR</p><!-- HIDDEN FIVE --><script>HIDDEN SIX</script><noscript>HIDDEN SEVEN</noscript><template>HIDDEN EIGHT</template><p style="color:red;OPACITY:0">HIDDEN NINE</p>
      <table><thead><tr><th>Port</th><th>Name</th></tr></thead><tbody><tr><td>80</td><td>http</td></tr></tbody></table>
      <pre><code class="language-ts">const a = 1\nconst b = 2</code></pre><img src="/p.png" alt="A map"><img src="data:image/png;base64,AAAA" alt="inline"><p>${'More words, of the same kind, to make it an article. '.repeat(8)}</p></article></body></html>`,
  })
  const page = await pageOf(server, '/docs/a')
  expect({ ...page, text: '' }).toEqual({ url: `http://page.test:${server.port}/docs/a`, host: `page.test:${server.port}`, status: 200, mimeType: 'text/html', title: 'The guide', text: '', sizeBytes: page.sizeBytes, isText: true, isCut: false })
  expect(page.text).not.toMatch(/HIDDEN|javascript:|data:|color:red/)
  expect(page.text).toContain(`[the other page](http://page.test:${server.port}/b?x=1#part), a script and data.`)
  expect(page.text).toMatch(/\| Port *\| Name *\|\n\| -+ \| -+ \|\n\| 80 *\| http *\|/)
  expect(page.text).toContain('```ts\nconst a = 1\nconst b = 2\n```')
  expect(page.text).toContain(`![A map](http://page.test:${server.port}/p.png)`)
  expect(server.headers[0]).toEqual({ host: `page.test:${server.port}`, 'user-agent': 'Countersign', accept: expect.any(String) as string, 'accept-encoding': 'gzip, deflate, br', connection: 'close' })
})

test('R102 a page without an article is given whole, and one that only sends on says so without going there', async () => {
  const server = await serve({ '/': '<ul><li><a href="/one">One</a></li><li><a href="/two">Two</a></li></ul>', '/go': '<meta http-equiv="refresh" content="0; url=http://169.254.169.254/latest/">' })
  expect((await pageOf(server)).text).toBe(`-   [One](http://page.test:${server.port}/one)\n-   [Two](http://page.test:${server.port}/two)`)
  expect((await pageOf(server, '/go')).text.trim()).toBe('(The page asks to go on to http://169.254.169.254/latest/. That was not done.)')
  expect(server.asked).toEqual(['GET /', 'GET /go'])
})

test('R102 other text comes as it is, and what is no text is not read', async () => {
  const server = await serve({
    '/json': text('{"a":"<b>"}', { 'content-type': 'application/json' }),
    '/png': text(Buffer.alloc(300, 1), { 'content-type': 'image/png', 'content-length': '300' }),
    '/zeros': text(Buffer.from('ab\0cd'), {}),
    '/untyped': (_request, response) => void response.writeHead(200).end('just words'),
    '/gone': text('no such page', {}, 404),
  })
  expect(await pageOf(server, '/json')).toMatchObject({ mimeType: 'application/json', text: '{"a":"<b>"}', isText: true })
  expect(await pageOf(server, '/png')).toMatchObject({ mimeType: 'image/png', text: '', sizeBytes: 300, isText: false })
  expect(await pageOf(server, '/zeros')).toMatchObject({ text: '', isText: false })
  expect(await pageOf(server, '/untyped')).toMatchObject({ mimeType: 'text/plain', text: 'just words' })
  expect(await pageOf(server, '/gone')).toMatchObject({ status: 404, text: 'no such page' })
})

test('R102 the characters of a page are read by its mark, its header, its own word, or as UTF-8', async () => {
  const gbk = Buffer.from('d6d0cec4cdf8d2b3', 'hex')
  const big5 = Buffer.from('a4a4a4e5', 'hex')
  const sjis = Buffer.from('93fa967b8cea', 'hex')
  const server = await serve({
    '/gbk': text(gbk, { 'content-type': 'text/plain; charset=gb2312' }),
    '/big5': text(big5, { 'content-type': 'text/plain; charset="Big5"' }),
    '/sjis': text(sjis, { 'content-type': 'text/plain;charset=shift_jis' }),
    '/meta': text(Buffer.concat([Buffer.from('<html><head><meta http-equiv="Content-Type" content="text/html; charset=gbk"></head><body><p>'), gbk, Buffer.from('</p></body></html>')]), { 'content-type': 'text/html' }),
    '/mark': text(Buffer.from('fffe2d4e8765', 'hex'), { 'content-type': 'text/plain; charset=utf-8' }),
    '/utf8': text('中文', { 'content-type': 'text/plain' }),
    '/western': text(Buffer.from('636166e9', 'hex'), { 'content-type': 'text/plain' }),
    '/nonsense': text('中文', { 'content-type': 'text/plain; charset=klingon' }),
  })
  const read = async (at: string): Promise<string> => (await pageOf(server, at)).text
  expect([await read('/gbk'), await read('/big5'), await read('/sjis'), await read('/meta'), await read('/mark'), await read('/utf8'), await read('/western'), await read('/nonsense')]).toEqual(['中文网页', '中文', '日本語', '中文网页', '中文', '中文', 'café', '中文'])
})

test('R102 what is packed small and large inside is cut where it is large', async () => {
  const large = Buffer.alloc(8 * 1024 * 1024, 'a')
  const packed = (body: Buffer, encoding: string): Answerer => text(body, { 'content-encoding': encoding })
  const server = await serve({ '/gzip': packed(gzipSync(large), 'gzip'), '/br': packed(brotliCompressSync(large), 'br'), '/deflate': packed(deflateSync('small'), 'deflate'), '/odd': packed(gzipSync('x'), 'zstd'), '/twice': packed(gzipSync('x'), 'gzip, gzip'), '/broken': packed(Buffer.from('not packed'), 'gzip'), '/plain': text(large) })
  for (const at of ['/gzip', '/br', '/plain']) expect(await pageOf(server, at), at).toMatchObject({ sizeBytes: 5 * 1024 * 1024, isCut: true })
  expect(await pageOf(server, '/deflate')).toMatchObject({ text: 'small', isCut: false })
  expect([await faultOf(server, '/odd'), await faultOf(server, '/twice'), await faultOf(server, '/broken')]).toEqual(['web.unknown-packing', 'web.unknown-packing', 'web.bad-packing'])
})

test('R102 a page made to be too much is cut short, and the app goes on', async () => {
  const page = (body: string): string => `<html><head><title>Big</title></head><body>${body}</body></html>`
  const server = await serve({
    '/deep': page(`${'<div>'.repeat(100_000)}at the bottom`),
    '/wide': page('<b>x</b> '.repeat(300_000)),
    '/many': page('<p>a <a href=/x>b</a>'.repeat(60_000)),
    '/attributes': page(`<p ${'a="1" '.repeat(300_000)}>words</p>`),
    '/table': page(`<table>${'<tr><td>a</td></tr>'.repeat(15_000)}</table>`),
    '/open': page(`<script>${'<!-- <script> '.repeat(200_000)}`),
    '/spaces': page(`<p>a${' '.repeat(2_000_000)}b</p>`),
    '/lone': '<'.repeat(1_000_000),
    '/style': page(`<p style="${'display:'.repeat(100_000)}">words</p>`),
  })
  expect((await pageOf(server, '/deep')).text).toContain('at the bottom')
  for (const at of ['/wide', '/many', '/attributes', '/table', '/open', '/spaces', '/lone', '/style']) expect(await pageOf(server, at), at).toMatchObject({ isText: true })
})

test('R102 a thread that takes too long or too much memory ends, and the page is read without its tags', async () => {
  const server = await serve({ '/': `<html><body>${'<p>a <a href=/x>b</a>'.repeat(10_000)}</body></html>`, '/small': '<p>a <a href=/x>b</a>' })
  const never = webTo({ reader: makePageReader(workerFile, { ms: 5, plainMs: 5, heapMb: 384 }) })
  expect(await faultOf(server, '/', never)).toBe('web.page-too-hard')
  const short = webTo({ reader: makePageReader(workerFile, { ms: 100, plainMs: 20_000, heapMb: 384 }) })
  expect((await pageOf(server, '/', short)).text).toMatch(/^a b\na b\n/)
  const small = webTo({ reader: makePageReader(workerFile, { ms: 20_000, plainMs: 20_000, heapMb: 16 }) })
  expect((await pageOf(server, '/', small)).text).toMatch(/^a b\na b\n/)
  expect((await pageOf(server, '/small')).text).toContain('a [b]')
})

test('R102 a page may leave out the tags of its parts', async () => {
  const pages = { '/none': '<!doctype html><title>T</title><p>words', '/html': '<!doctype html><html lang="en"><title>T</title><p>words', '/head': '<html><head><title>T</title></head><p>words', '/body': '<title>T</title><body class="x"><p>words' }
  const server = await serve(pages)
  for (const at of Object.keys(pages)) expect(await pageOf(server, at), at).toMatchObject({ title: 'T', text: 'words' })
})

test('R102 text that its own style hides is left out, however that is written', async () => {
  const styles = ['DISPLAY : NONE', 'color:red;display:/**/none', 'display:n\\6fne', 'display:n\\6f ne', 'opacity:.0', 'opacity: 0.00;', 'font-size:.0em', 'visibility:hidden!important']
  const server = await serve({ '/': `${styles.map((style, at) => `<p style="${style}">HIDDEN ${at}</p>`).join('')}<p aria-hidden="TRUE">HIDDEN</p><noembed>HIDDEN</noembed><p style="opacity:0.5;font-size:0.9em">seen</p>` })
  expect((await pageOf(server)).text).toBe('seen')
})

test('R102 cells of a table that is too much are still apart', async () => {
  const reader = makePageReader(workerFile, { ms: 1, plainMs: 5000, heapMb: 384 })
  const server = await serve({ '/': '<table><tr><td>80<td>http<tr><th>443<td>https</table>' })
  expect((await pageOf(server, '/', webTo({ reader }))).text).toBe('80 http\n443 https')
})
