/** A text round what differs in it from another one: nothing of the difference is left out, and of what is the same only its nearest characters stay. */
export interface TextWindow {
  readonly cutBefore: number
  readonly head: string
  readonly changed: string
  readonly tail: string
  readonly cutAfter: number
}

const kept = 200

/** The window of each of two texts. */
export function windowsOf(before: string, after: string): { readonly before: TextWindow; readonly after: TextWindow } {
  const limit = Math.min(before.length, after.length)
  let head = 0
  while (head < limit && before[head] === after[head]) head += 1
  let tail = 0
  while (tail < limit - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1
  const of = (text: string): TextWindow => {
    const end = text.length - tail
    return { cutBefore: Math.max(0, head - kept), head: text.slice(Math.max(0, head - kept), head), changed: text.slice(head, end), tail: text.slice(end, end + kept), cutAfter: Math.max(0, tail - kept) }
  }
  return { before: of(before), after: of(after) }
}
