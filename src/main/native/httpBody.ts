import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { said } from '../../shared/domain/result'
import { HttpProblem, withAnswer, type HttpAsk } from './httpRequest'

/** A body as far as it was read. */
export interface ReadBody {
  readonly bytes: Buffer
  readonly isCut: boolean
}

/** What `readBounded` can unpack, for the request. */
export const acceptedEncodings = 'gzip, deflate, br'

/**
 * Reads a body and unpacks it, at most `limitBytes` on both sides of the unpacking: a small answer that becomes a large one
 * is cut where it is large. Throws a `HttpProblem` for a packing that is not known, or broken.
 */
export async function readBounded(message: IncomingMessage, limitBytes: number, host: string): Promise<ReadBody> {
  const unpack = unpackerOf(message.headers['content-encoding'] ?? '', host)
  const source: AsyncIterable<Buffer> = unpack === null ? message : message.pipe(unpack)
  let packed = 0
  if (unpack !== null) {
    message.on('data', (chunk: Buffer) => {
      packed += chunk.length
      if (packed > limitBytes) message.unpipe(unpack).destroy()
    })
    message.once('error', (error) => unpack.destroy(error))
    message.once('close', () => {
      // Cut by us, or broken off: what was unpacked is all there is.
      if (!message.complete) unpack.destroy(packed > limitBytes ? undefined : new Error('the connection was closed'))
    })
  }
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of source) {
      chunks.push(chunk)
      size += chunk.length
      if (size > limitBytes) break
    }
  } catch (error) {
    // An answer without a body may name a packing all the same.
    const isEmpty = packed === 0 && message.complete
    if (packed <= limitBytes && !isEmpty) throw asProblem(error, host)
  } finally {
    unpack?.destroy()
  }
  const isCut = size > limitBytes || packed > limitBytes
  return { bytes: Buffer.concat(chunks, Math.min(size, limitBytes)), isCut }
}

function unpackerOf(encoding: string, host: string): Transform | null {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return null
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      throw new HttpProblem(said('web.unknown-packing', { host, encoding: encoding.slice(0, 80) }))
  }
}

function asProblem(error: unknown, host: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('Z_') || code.startsWith('ERR_') ? new HttpProblem(said('web.bad-packing', { host })) : error
}

/** An answer that should be JSON; `json` undefined: it is none. */
export interface JsonAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly json: unknown
  readonly text: string
}

/** Asks for JSON. Every status is an answer; a body beyond the limit is a `HttpProblem`. */
export function askJson(ask: HttpAsk, limitBytes: number): Promise<JsonAnswer> {
  const headers = { accept: 'application/json', 'accept-encoding': acceptedEncodings, ...(ask.body === undefined ? {} : { 'content-type': 'application/json' }), ...ask.headers }
  return withAnswer({ ...ask, headers }, async (message) => {
    const { bytes, isCut } = await readBounded(message, limitBytes, ask.url.host)
    if (isCut) throw new HttpProblem(said('web.answer-too-large', { host: ask.url.host, limitBytes }))
    const text = bytes.toString('utf8')
    return { status: message.statusCode ?? 0, headers: message.headers, json: jsonOf(text), text }
  })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The caller tells what it got instead.
    return undefined
  }
}
