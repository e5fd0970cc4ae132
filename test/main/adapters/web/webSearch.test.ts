import { expect, test } from 'vitest'
import { makeWebSearch } from '../../../../src/main/adapters/web/webSearch'
import type { WebSearchEndpoint } from '../../../../src/main/core/ports/web'
import { json } from '../../../support/webServer'
import { serve, signal, text } from '../../../support/webWorld'

const search = makeWebSearch({}, { totalMs: 2000, bytes: 100_000 })
const find = (kind: WebSearchEndpoint['kind'], url: string, key: string | null = null, count = 5) => search.search({ kind, url, key }, 'a b&c 中文', count, signal())
const codeOf = async (...asked: Parameters<typeof find>): Promise<unknown> => {
  const found = await find(...asked)
  return found.ok ? found.value : found.fault.code
}

test('SearXNG is asked for JSON at its own path', async () => {
  const server = await serve({ '/sub/search': json({ results: [{ url: 'https://a.example/1', title: ' One ', content: 'first\n  text' }, { url: 'javascript:alert(1)', title: 'bad', content: '' }, { url: 'https://b.example/', title: 'Two' }, 'odd'] }) })
  const hits = [{ url: 'https://a.example/1', title: 'One', snippet: 'first text' }, { url: 'https://b.example/', title: 'Two', snippet: '' }]
  expect(await find('searxng', `${server.url}/sub/`)).toEqual({ ok: true, value: hits })
  expect(await find('searxng', `${server.url}/sub/search?language=zh`, 'k', 1)).toEqual({ ok: true, value: hits.slice(0, 1) })
  expect(server.asked).toEqual(['GET /sub/search?q=a+b%26c+%E4%B8%AD%E6%96%87&format=json', 'GET /sub/search?language=zh&q=a+b%26c+%E4%B8%AD%E6%96%87&format=json'])
  expect(server.headers[1]?.authorization).toBe('Bearer k')
})

test('Brave is given the key in its header', async () => {
  const server = await serve({ '/res/v1/web/search': json({ web: { results: [{ url: 'https://a.example/', title: 'A', description: 'a <strong>found</strong> word' }] } }) })
  expect(await find('brave', server.url, 'brave-key')).toEqual({ ok: true, value: [{ url: 'https://a.example/', title: 'A', snippet: 'a found word' }] })
  expect(server.asked).toEqual(['GET /res/v1/web/search?q=a+b%26c+%E4%B8%AD%E6%96%87&count=5&text_decorations=false'])
  expect(server.headers[0]?.['x-subscription-token']).toBe('brave-key')
})

test('Tavily is posted to with a bearer key', async () => {
  const server = await serve({ '/search': json({ results: [{ url: 'https://a.example/', title: 'A', content: 'text' }] }) })
  expect(await find('tavily', server.url, 'tvly-key', 30)).toEqual({ ok: true, value: [{ url: 'https://a.example/', title: 'A', snippet: 'text' }] })
  expect(JSON.parse(server.bodies[0] ?? '')).toEqual({ query: 'a b&c 中文', max_results: 20, include_answer: false, include_raw_content: false })
  expect([server.asked, server.headers[0]?.authorization, server.headers[0]?.['content-type']]).toEqual([['POST /search'], 'Bearer tvly-key', 'application/json'])
})

test('faults of search services are told in words', async () => {
  const server = await serve({
    '/401/search': json({}, 401), '/403/search': text('no', {}, 403), '/429/search': json({}, 429), '/500/search': json({}, 500), '/html/search': '<html>results</html>', '/odd/search': json({ other: 1 }), '/big/search': json({ results: 'x'.repeat(200_000) }),
    '/moved/search': (_request, response) => void response.writeHead(302, { location: 'https://evil.example/' }).end(), '/silent/search': () => undefined,
    '/none/res/v1/web/search': json({ query: {} }), '/422/res/v1/web/search': json({}, 422),
  })
  expect(await codeOf('tavily', `${server.url}/401`)).toBe('web.search-needs-key')
  expect(await codeOf('tavily', `${server.url}/401`, 'k')).toBe('web.search-bad-key')
  expect(await codeOf('brave', `${server.url}/422`)).toBe('web.search-needs-key')
  expect(await codeOf('searxng', `${server.url}/403`)).toBe('web.searxng-no-json')
  expect(await codeOf('searxng', `${server.url}/html`)).toBe('web.searxng-no-json')
  expect(await codeOf('tavily', `${server.url}/html`)).toBe('web.search-not-json')
  expect(await codeOf('searxng', `${server.url}/odd`)).toBe('web.search-not-json')
  expect(await codeOf('searxng', `${server.url}/429`)).toBe('web.search-too-many')
  expect(await codeOf('searxng', `${server.url}/500`)).toBe('web.search-failed')
  expect(await codeOf('tavily', `${server.url}/moved`, 'k')).toBe('web.search-moved')
  expect(await codeOf('searxng', `${server.url}/big`)).toBe('web.answer-too-large')
  expect(await codeOf('brave', `${server.url}/none`)).toEqual([])
  expect(await codeOf('searxng', 'ftp://x')).toBe('web.no-address')
  const cancel = new AbortController()
  const waiting = search.search({ kind: 'searxng', url: `${server.url}/silent`, key: null }, 'q', 1, cancel.signal)
  cancel.abort()
  expect(await waiting).toMatchObject({ fault: { code: 'tool.cancelled' } })
  await server.close()
  expect(await codeOf('searxng', server.url)).toBe('web.nobody-listens')
})
