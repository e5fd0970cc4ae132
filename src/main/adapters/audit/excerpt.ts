import type { AuditHead } from '../../../shared/domain/audit'
import { allLinesOf, type AuditFile } from './auditFiles'
import { digestOf, noHead, readLine } from './auditLine'

/**
 * A part of the record that can be checked without the rest. Its first line says what stands before it, its last where it ends;
 * between them every entry of the stretch has its place: as its line, or, where it is left out, as what binds it in the chain.
 */
type ExcerptLine =
  | { readonly kind: 'begin'; readonly after: AuditHead }
  | { readonly kind: 'left-out'; readonly entry: number; readonly digest: string }
  /** A line of the first form cannot be bound without its text: its chain value is only stated. */
  | { readonly kind: 'stated'; readonly head: AuditHead }
  | { readonly kind: 'end'; readonly head: AuditHead }

const hash = '([0-9a-f]{64})'
const forms = {
  begin: new RegExp(`^\\{"excerpt":1,"after":(\\d{1,15}),"chain":"${hash}"\\}$`),
  leftOut: new RegExp(`^\\{"leftOut":(\\d{1,15}),"digest":"${hash}"\\}$`),
  stated: new RegExp(`^\\{"leftOut":(\\d{1,15}),"chain":"${hash}"\\}$`),
  end: new RegExp(`^\\{"excerptEnd":(\\d{1,15}),"chain":"${hash}"\\}$`),
}

/** A line that only an excerpt has, or null when it is none. */
export function readExcerptLine(text: string): ExcerptLine | null {
  const match = (form: RegExp): readonly [number, string] | null => {
    const [, entry, value] = form.exec(text) ?? []
    return entry === undefined || value === undefined ? null : [Number(entry), value]
  }
  const begin = match(forms.begin)
  if (begin) return { kind: 'begin', after: { entries: begin[0], chain: begin[1] } }
  const leftOut = match(forms.leftOut)
  if (leftOut) return { kind: 'left-out', entry: leftOut[0], digest: leftOut[1] }
  const stated = match(forms.stated)
  if (stated) return { kind: 'stated', head: { entries: stated[0], chain: stated[1] } }
  const end = match(forms.end)
  return end && { kind: 'end', head: { entries: end[0], chain: end[1] } }
}

/**
 * The stretch from the first of these entries to the last, in lines without their ends. What is not one of them is left out;
 * a line that cannot be read stays as it is, so that the break is in the excerpt too.
 */
export async function* excerptOf(files: readonly AuditFile[], entries: ReadonlySet<number>): AsyncGenerator<string> {
  const [first, last] = [...entries].reduce(([low, high], entry) => [Math.min(low, entry), Math.max(high, entry)], [Infinity, 0])
  let head = noHead
  let hasBegun = false
  for await (const text of allLinesOf(files)) {
    const line = readLine(text)
    const entry = line?.entry ?? head.entries + 1
    if (entry > last) break
    if (!hasBegun && entry >= first) {
      if (line !== null && head.entries === 0) head = { entries: entry - 1, chain: line.prev }
      yield `{"excerpt":1,"after":${head.entries},"chain":"${head.chain}"}`
      hasBegun = true
    }
    head = { entries: entry, chain: line?.chain ?? head.chain }
    if (!hasBegun) continue
    if (line === null || entries.has(entry)) yield text
    else yield line.form === 2 ? `{"leftOut":${entry},"digest":"${digestOf(line.body)}"}` : `{"leftOut":${entry},"chain":"${line.chain}"}`
  }
  if (!hasBegun) yield `{"excerpt":1,"after":${noHead.entries},"chain":"${noHead.chain}"}`
  yield `{"excerptEnd":${hasBegun ? head.entries : 0},"chain":"${hasBegun ? head.chain : noHead.chain}"}`
}
