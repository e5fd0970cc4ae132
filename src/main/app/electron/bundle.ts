import { protocol } from 'electron'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { bundleFile } from './bundleFile'
import { contentPolicy } from './contentPolicy'

/** Where the window's page lives. `standard` and `secure`, so that 'self', workers and storage mean what they mean on the web. */
export const pageAddress = 'app://ui/'

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
}

/** Must run before `ready`. */
export function declareScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ])
}

/** Serves the built page from `folder` and nothing else. */
export function serveBundle(folder: string): void {
  protocol.handle('app', async (request) => {
    const file = request.method === 'GET' ? bundleFile(folder, request.url) : undefined
    const type = file === undefined ? undefined : contentTypes[path.extname(file)]
    if (file === undefined || type === undefined) return missing()
    try {
      return new Response(new Uint8Array(await readFile(file)), { headers: { ...headers, 'content-type': type } })
    } catch {
      return missing() // not there, or a folder: the page sees the same answer
    }
  })
}

const headers = {
  'content-security-policy': contentPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

function missing(): Response {
  return new Response('not found', { status: 404, headers: { ...headers, 'content-type': 'text/plain' } })
}
