import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { AuditDraft, AuditHead } from '../../../shared/domain/audit'

/** What stands before the first entry. */
export const noHead: AuditHead = { entries: 0, chain: '0'.repeat(64) }

/** A line of the log as it is read: the two values at its end, and the text they are made of. */
export interface AuditLine {
  readonly entry: number
  readonly prev: string
  readonly body: string
  readonly chain: string
  readonly mac: string | null
}

/**
 * The next line after `head`, with its line end. Anybody can check it: `chain` is the SHA-256 of the previous chain value and
 * the line without `chain` and `mac`; `mac` is the HMAC-SHA-256 of `chain`, and says who could have written it.
 */
export function lineAfter(head: AuditHead, draft: AuditDraft, argsDigest: string | null, macKey: Uint8Array | null): { readonly text: string; readonly head: AuditHead } {
  const { fact, atMs, actor, ...rest } = draft
  const entry = head.entries + 1
  const body = JSON.stringify({ entry, atMs, fact, actor, ...rest, ...(argsDigest === null ? {} : { argsDigest }), prev: head.chain })
  const chain = chainOf(head.chain, body)
  const mac = macKey === null ? '' : `,"mac":"${macOf(macKey, chain)}"`
  return { text: `${body.slice(0, -1)},"chain":"${chain}"${mac}}\n`, head: { entries: entry, chain } }
}

/** A line in its parts, or null when it is none of ours. Says nothing about whether it fits. */
export function readLine(text: string): AuditLine | null {
  const [, start, chain, mac] = /^(\{.*),"chain":"([0-9a-f]{64})"(?:,"mac":"([0-9a-f]{64})")?\}$/s.exec(text) ?? []
  if (start === undefined || chain === undefined) return null
  const body = `${start}}`
  try {
    const { entry, prev } = JSON.parse(body) as { entry?: unknown; prev?: unknown }
    return typeof entry === 'number' && typeof prev === 'string' ? { entry, prev, body, chain, mac: mac ?? null } : null
  } catch {
    return null // not JSON: torn, or changed by hand
  }
}

/** Whether a line is the one after `head`. A mac is checked where a key is at hand. */
export function fitsAfter(head: AuditHead, line: AuditLine, macKey: Uint8Array | null): boolean {
  if (line.entry !== head.entries + 1 || line.prev !== head.chain || line.chain !== chainOf(head.chain, line.body)) return false
  return line.mac === null || macKey === null || timingSafeEqual(Buffer.from(line.mac), Buffer.from(macOf(macKey, line.chain)))
}

/** The keyed hash of the unredacted arguments: whoever has the key and the arguments can prove that they belong together. */
export function argsDigestOf(args: unknown, macKey: Uint8Array | null): string | null {
  return args === undefined || macKey === null ? null : createHmac('sha256', macKey).update(JSON.stringify(args)).digest('hex')
}

function chainOf(prev: string, body: string): string {
  return createHash('sha256').update(prev).update(body).digest('hex')
}

function macOf(key: Uint8Array, chain: string): string {
  return createHmac('sha256', key).update(chain).digest('hex')
}
