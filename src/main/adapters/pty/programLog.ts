import { makeHeadAndTail } from './headAndTail'
import { makeOutputDecoder } from './outputDecoder'
import { plainText, withoutCutStart } from './outputText'

/** Enough for a person to see what a program left running does; more is thrown away as it comes. */
const keptBytes = 64 * 1024
const beforeCharacters = 8000

/** The end of what programs print after their command has ended. */
export interface ProgramLog {
  /** What was printed until then: the last of it stands first. */
  begin(text: string): void
  push(bytes: Buffer): void
  /** As text without terminal sequences; whole lines where there was too much. */
  text(): string
}

/** An empty one. Reading what is kept costs something, keeping it next to nothing: a program may print for days. */
export function makeProgramLog(): ProgramLog {
  const kept = makeHeadAndTail(0, keptBytes)
  let before = ''
  return {
    begin(text) {
      before = text.length <= beforeCharacters ? text : text.slice(text.indexOf('\n', text.length - beforeCharacters) + 1)
    },
    push: (bytes) => kept.push(bytes),
    text() {
      const { tail, leftOut } = kept.take()
      const decoder = makeOutputDecoder()
      const bytes = leftOut === 0 ? tail : withoutCutStart(tail)
      const printed = plainText(decoder.push(bytes) + decoder.end())
      return leftOut === 0 ? before + printed : printed.slice(printed.indexOf('\n') + 1)
    },
  }
}
