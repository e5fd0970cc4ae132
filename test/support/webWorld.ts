import path from 'node:path'
import { afterEach } from 'vitest'
import { makePageReader } from '../../src/main/adapters/web/pageReader'
import { makeWebFetch, type WebFetchOptions } from '../../src/main/adapters/web/webFetch'
import type { WebPage } from '../../src/main/core/ports/web'
import { startWebServer, type Answerer, type WebServer } from './webServer'

/** The built worker. */
export const workerFile = path.resolve(import.meta.dirname, '../../out/main/webWorker.js')
const reader = makePageReader(workerFile)
/** What is closed after each test. */
export const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A server that is closed after the test. */
export async function serve(answers: Readonly<Record<string, Answerer | string>>): Promise<WebServer> {
  const server = await startWebServer(answers)
  closers.push(() => server.close())
  return server
}

/** A name of the network that leads to this machine, which the person allowed. */
export function webTo(options: Partial<WebFetchOptions> = {}) {
  return makeWebFetch({ env: {}, reader, resolve: () => Promise.resolve(['127.0.0.1']), ...options })
}

/** A signal that nobody aborts. */
export const signal = (): AbortSignal => new AbortController().signal
/** Answers with text. */
export const text = (body: string | Buffer, headers: Readonly<Record<string, string>> = {}, status = 200): Answerer => (_request, response) => void response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(body)

/** The page at a path of the server, by a name that the person allowed. */
export async function pageOf(server: WebServer, at = '/', web = webTo()): Promise<WebPage> {
  const found = await web.fetch(`http://page.test:${server.port}${at}`, [`page.test:${server.port}`], signal())
  if (!found.ok || 'to' in found.value) throw new Error(JSON.stringify(found))
  return found.value
}

/** The code of the fault instead, or where it sends on to. */
export async function faultOf(server: WebServer, at = '/', web = webTo()): Promise<unknown> {
  const found = await web.fetch(`http://page.test:${server.port}${at}`, [`page.test:${server.port}`], signal())
  return found.ok ? found.value : found.fault.code
}
