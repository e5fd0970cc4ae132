import type { SkillFault, SkillOrigin } from '../../../shared/domain/skill'
import { said, type Said } from '../../../shared/domain/result'

/** A skill's file by its origin and its path in that folder, with slashes. */
export interface SkillPlace {
  readonly origin: SkillOrigin
  readonly path: string
}

/** Notes a fault at an offset of the text that is read; null: of the whole file. */
export type Note = (offset: number | null, say: Said, isFatal?: boolean) => void

const shownLength = 300
/** Of one file; nobody reads on beyond, and each costs its line to be looked for. */
const mostFaults = 50

/** Collects the faults of one file, with the line that each is about: the first 50, and whatever is fatal. */
export function faultsIn(place: SkillPlace, text: string): { readonly faults: SkillFault[]; readonly note: Note } {
  const faults: SkillFault[] = []
  const note: Note = (offset, say, isFatal = false) => {
    if (faults.length > mostFaults && !isFatal) return
    if (faults.length === mostFaults && !isFatal) return void faults.push(wholeFault(place, said('skill.more-faults', { limit: mostFaults }), false))
    faults.push({ ...place, ...(offset === null ? { line: 0, column: 0, text: '' } : lineAt(text, offset)), say, isFatal })
  }
  return { faults, note }
}

/** A fault of a whole file or folder. */
export function wholeFault(place: SkillPlace, say: Said, isFatal: boolean): SkillFault {
  return { ...place, line: 0, column: 0, text: '', say, isFatal }
}

/** Line and column from 1, and the line itself. Lines end with a line feed. */
function lineAt(text: string, offset: number): Pick<SkillFault, 'line' | 'column' | 'text'> {
  // What is missing at the end is missing on the last line that says anything.
  const at = Math.min(offset, text.trimEnd().length)
  const start = text.lastIndexOf('\n', at - 1) + 1
  const end = text.indexOf('\n', at)
  const line = text.slice(start, end === -1 ? undefined : end)
  return { line: text.slice(0, start).split('\n').length, column: at - start + 1, text: line.slice(0, shownLength) }
}
