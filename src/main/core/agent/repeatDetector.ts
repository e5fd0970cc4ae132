/** A finished step as the detector sees it: each call with its canonical arguments and its result. */
export interface StepTrace {
  readonly calls: readonly { readonly tool: string; readonly args: string; readonly result: string }[]
}

/** Watches a turn for loops (R3). */
export interface RepeatDetector {
  /** True when the same calls with the same arguments gave the same results in 3 consecutive steps. */
  addStep(step: StepTrace): boolean
}

/** How many equal steps in a row are a loop; R3. */
const equalSteps = 3
/** The same line or paragraph of at least this many characters, this often in a row, is a loop; R3. */
const repeatedLength = 40
const repeatedTimes = 10

/** A detector for one turn. Polling whose result changes is no loop, so results count. */
export function makeRepeatDetector(): RepeatDetector {
  let last = ''
  let count = 0
  return {
    addStep(step) {
      const trace = JSON.stringify(step.calls)
      count = step.calls.length > 0 && trace === last ? count + 1 : 1
      last = trace
      return count >= equalSteps
    },
  }
}

/** Watches growing text or thinking; keeps only the unfinished line and paragraph and the counts, so each piece costs its own length. */
export interface TextRepeatDetector {
  /** True when a line or a paragraph of 40 characters or more has come 10 times in a row. */
  add(text: string): boolean
}

/** A detector for one reply's text. */
export function makeTextRepeatDetector(): TextRepeatDetector {
  const lines = makeRunCounter()
  const paragraphs = makeRunCounter()
  let line = ''
  let paragraph = ''
  return {
    add(text) {
      let found = false
      const pieces = text.split('\n')
      pieces.forEach((piece, index) => {
        line += piece
        if (index === pieces.length - 1) return
        found = lines.add(line.trim()) || found
        if (line.trim() === '') {
          found = paragraphs.add(paragraph.trim()) || found
          paragraph = ''
        } else paragraph += `${line}\n`
        line = ''
      })
      return found
    },
  }
}

/** Counts equal texts in a row. Blank ones between two lines do not break a run; other short ones do. */
function makeRunCounter(): { add(text: string): boolean } {
  let last = ''
  let count = 0
  return {
    add(text) {
      if (text === '') return false
      count = text === last ? count + 1 : 1
      last = text
      return text.length >= repeatedLength && count >= repeatedTimes
    },
  }
}

/** Arguments with keys sorted at every depth, so that equal calls have equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? 'null'
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  const record = value as Record<string, unknown>
  return Object.fromEntries(
    Object.keys(record)
      .sort()
      .map((key) => [key, sorted(record[key])]),
  )
}
