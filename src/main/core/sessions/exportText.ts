import { said } from '../../../shared/domain/result'
import type { SayCode } from '../../../shared/words/codes'
import { say, type Locale } from '../../../shared/words/say'
import type { Values } from '../../../shared/domain/result'

/** What stands at the top of an export, masked already. */
export interface ExportHead {
  readonly title: string
  readonly project: string
  readonly messages: number
  readonly atMs: number
  readonly locale: Locale
}

/** A line of the record that belongs to the session, masked already. */
export interface ExportLine {
  readonly entry: number
  readonly atMs: number
  readonly what: string
  readonly how: string
  readonly chain: string
}

/** The end of the record when the export was made. */
export interface ExportRecord {
  readonly lines: readonly ExportLine[]
  readonly entries: number
  readonly chain: string
  /** The part of the record itself, as lines that are checked together. */
  readonly excerpt: readonly string[]
}

/** Says a code in the reader's language. */
export function speaker(locale: Locale): (code: SayCode, values?: Values) => string {
  return (code, values = {}) => say(locale, said(code, values))
}

/** A moment that reads the same everywhere. */
export function momentText(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** The line under the title. */
export function factsText({ project, messages, atMs, locale }: ExportHead): string {
  return speaker(locale)('session.export-facts', { project, count: messages, at: momentText(atMs) })
}
