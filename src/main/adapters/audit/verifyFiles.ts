import type { AuditHead } from '../../../shared/domain/audit'
import { linesOf, type AuditFile } from './auditFiles'
import { fitsAfter, noHead, readLine } from './auditLine'

/** What a check found. `signed` counts the entries whose mac was checked: for those it is known who could have written them. */
export interface AuditVerdict {
  readonly ok: boolean
  readonly entries: number
  readonly firstBroken?: number
  readonly signed: number
}

/** What a check knows besides the files. */
export interface KnownFacts {
  readonly macKey: Uint8Array | null
  /** Heads that were seen before: the log must reach them and hold the same chain value there. */
  readonly known: readonly (AuditHead | null)[]
}

/**
 * Walks every line of every file: the chain must run on from entry 1, over the files, to every head that is known. A changed,
 * removed, added or moved line breaks it at that entry; a cut tail at the first entry that is missing.
 */
export async function verifyFiles(files: readonly AuditFile[], { macKey, known }: KnownFacts): Promise<AuditVerdict> {
  const wanted = known.filter((head) => head !== null && head.entries > 0) as readonly AuditHead[]
  let head = noHead
  let entries = 0
  let signed = 0
  let firstBroken: number | undefined
  for (const file of files) {
    for await (const text of linesOf(file)) {
      entries += 1
      if (firstBroken !== undefined) continue
      const line = readLine(text)
      const next = line === null ? null : { entries: line.entry, chain: line.chain }
      const isKnown = wanted.every((one) => one.entries !== next?.entries || one.chain === next.chain)
      if (line === null || next === null || !isKnown || !fitsAfter(head, line, macKey)) {
        firstBroken = head.entries + 1
        continue
      }
      if (line.mac !== null && macKey !== null) signed += 1
      head = next
    }
  }
  if (firstBroken === undefined && wanted.some((one) => one.entries > head.entries)) firstBroken = head.entries + 1
  return { ok: firstBroken === undefined, entries, ...(firstBroken === undefined ? {} : { firstBroken }), signed }
}
