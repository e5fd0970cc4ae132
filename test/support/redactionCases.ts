import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { redact } from '../../src/main/core/policy/redaction'
import { StreamRedactor } from '../../src/main/core/policy/redactionStream'

/** One case of the files of redaction. */
export interface Case {
  readonly id: string
  readonly kind: 'text' | 'args' | 'json' | 'url' | 'output'
  readonly class: string
  readonly vars: Readonly<Record<string, readonly string[]>>
  readonly input?: string
  readonly chunks?: readonly string[]
  readonly must_not: readonly string[]
  readonly must: readonly string[]
  readonly reason: string
}

/** The cases of a file. */
export const casesOf = (file: string): readonly Case[] => readFileSync(resolve(import.meta.dirname, '../cases/guard', file), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Case)
export const cases = casesOf('guard-redaction.jsonl')
export const letters = 'a7Kd93mQx1Zp0Rt8VbWc5Yh2'
/** Secrets are put together so that no scanner takes this file for a leak. */
export const put = (...pieces: readonly string[]): string => pieces.join('')

/** A text with its secrets in place. */
export function filled(text: string, vars: Case['vars']): string {
  return text.replace(/\{\{(\w+)\}\}/gu, (_, name: string) => (vars[name] ?? []).join(''))
}

/** A text in pieces of these lengths, over and over. */
export function cut(text: string, sizes: readonly number[]): readonly string[] {
  const pieces: string[] = []
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    pieces.push(text.slice(at, at + size))
    at += size
  }
  return pieces
}

/** What the redactor makes of a case. */
export function outputOf(each: Case): string {
  const known = each.class === 'known' ? Object.values(each.vars).map((pieces) => pieces.join('')) : []
  return each.chunks ? streamed(each.chunks.map((chunk) => filled(chunk, each.vars)), known) : redact(filled(each.input ?? '', each.vars), { known, kind: each.kind })
}

/** What a stream in these pieces comes to. */
export function streamed(chunks: readonly string[], known: readonly string[] = []): string {
  const redactor = new StreamRedactor({ known })
  return chunks.map((chunk) => redactor.push(chunk)).join('') + redactor.end()
}
