import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** What a path of the server answers. */
export type Answerer = (request: IncomingMessage, response: ServerResponse, body: string) => void

/** A web server on this machine that remembers what it was asked. */
export interface WebServer {
  readonly port: number
  /** `127.0.0.1:PORT`. */
  readonly host: string
  readonly url: string
  /** `METHOD path`, in order. */
  readonly asked: readonly string[]
  /** Headers of the requests, in order. */
  readonly headers: readonly IncomingMessage['headers'][]
  readonly bodies: readonly string[]
  /** Connections that are open now. */
  open(): number
  close(): Promise<void>
}

/** Starts one. A path that nobody answers is a 404 in plain text. */
export async function startWebServer(answers: Readonly<Record<string, Answerer | string>>): Promise<WebServer> {
  const asked: string[] = []
  const headers: IncomingMessage['headers'][] = []
  const bodies: string[] = []
  const sockets = new Set<Socket>()
  const server: Server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`)
    headers.push(request.headers)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      bodies.push(body)
      const answer = answers[path]
      if (answer === undefined) response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found')
      else if (typeof answer === 'string') response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(answer)
      else answer(request, response, body)
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port, host: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}`, asked, headers, bodies,
    open: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Answers with JSON. */
export function json(body: unknown, status = 200): Answerer {
  return (_request, response) => void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
