import type { TrimmedResult } from '../../../shared/domain/compaction'
import { grouped } from '../mcp/frame'

/** Of what is shown, so much is the beginning. */
const headShare = 0.6
/** A cut is moved to a line's end when there is one this near. */
const nearLine = 200

/** Where a text is cut so that about so many characters are left, at line ends where one is near, never inside a character. */
export function trimPlaces(text: string, characters: number): Pick<TrimmedResult, 'headCharacters' | 'tailCharacters'> {
  const head = Math.floor(characters * headShare)
  const tail = characters - head
  const line = text.lastIndexOf('\n', head)
  const headCharacters = line > head - nearLine && line > 0 ? line : head - (isLow(text, head) ? 1 : 0)
  const from = Math.max(headCharacters, text.length - tail)
  const next = text.indexOf('\n', from)
  const start = next !== -1 && next < from + nearLine && next < text.length - 1 ? next + 1 : from + (isLow(text, from) ? 1 : 0)
  return { headCharacters, tailCharacters: text.length - start }
}

/** Head and tail of a result as the model reads it, with the whole's size between them and where it can be read (R28). */
export function trimmedText(text: string, { headCharacters, tailCharacters, outputRef }: Omit<TrimmedResult, 'callId'>): string {
  const left = text.length - headCharacters - tailCharacters
  if (left <= 0) return text
  const note = `[… ${grouped(left)} of ${grouped(text.length)} characters left out; cat ${JSON.stringify({ ref: outputRef })} shows all …]`
  return `${text.slice(0, headCharacters)}\n${note}\n${text.slice(text.length - tailCharacters)}`
}

/** The second half of a pair: before it no cut may fall. */
function isLow(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff
}
