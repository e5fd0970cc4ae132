import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { said } from '../../../shared/domain/result'
import { say } from '../../../shared/words/say'

/** A listener on this machine for one answer of a sign-in page (RFC 8252 7.3). */
export interface Loopback {
  readonly redirectUrl: string
  /** The first answer, good or not; whoever comes later finds nobody. */
  readonly answer: Promise<URLSearchParams>
  close(): void
}

const answerPath = '/callback'

/**
 * Listens at 127.0.0.1 on a port that the system chooses. `isGood` only chooses what the page says. The name in the request
 * must be the address itself, so that no page of the web reaches it under a name of its own (DNS rebinding).
 */
export async function listenForAnswer(isGood: (answer: URLSearchParams) => boolean): Promise<Loopback> {
  let take = (_answer: URLSearchParams): void => {}
  const answer = new Promise<URLSearchParams>((resolve) => {
    take = resolve
  })
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo
    const refusal = refusalOf(request, `127.0.0.1:${port}`)
    if (refusal !== null) return void response.writeHead(refusal, { connection: 'close', ...(refusal === 405 ? { allow: 'GET' } : {}) }).end()
    const given = new URL(request.url ?? '', `http://127.0.0.1:${port}`).searchParams
    server.close()
    // Not before the page is out: closing would cut it.
    response.once('close', () => take(given))
    show(response, isGood(given))
  })
  server.maxConnections = 16
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    redirectUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${answerPath}`,
    answer,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function refusalOf({ method, url, headers }: IncomingMessage, host: string): number | null {
  if (headers.host !== host) return 421
  if ((url ?? '').split('?', 1)[0] !== answerPath) return 404
  return method === 'GET' ? null : 405
}

/** The browser may be in any language, so the page is in both. Nothing that was sent is on it. */
function show(response: ServerResponse, isGood: boolean): void {
  const code = isGood ? 'mcp.oauth-page-done' : 'mcp.oauth-page-undone'
  const [english, chinese] = [say('en', said(code)), say('zh-CN', said(code))]
  response
    .writeHead(isGood ? 200 : 400, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    })
    .end(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Countersign</title><p>${english}</p><p lang="zh-CN">${chinese}</p></html>`)
}
