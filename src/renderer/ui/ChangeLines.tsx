import { Exact } from './Exact'
import { windowsOf, type TextWindow } from './textWindow'
import { useWords } from './words'

/** Both sides of one change, with LF only. */
export interface ChangeTexts {
  readonly before: string
  readonly after: string
}

interface ChangeLinesProps {
  readonly texts: ChangeTexts
  /** How many lines of the file stand before it. */
  readonly line: number
  readonly isRejected: boolean
  /** Longer lines are shown round what changes in them. */
  readonly longLine: number
}

/** The lines of one change: what goes, then what comes. A rejected one shows what stays. */
export function ChangeLines({ texts, line, isRejected, longLine }: ChangeLinesProps) {
  if (isRejected) return <div className="code"><Rows text={texts.before} look="dl rej" sign=" " from={line} /></div>
  const windows = hasLong(texts, longLine) ? windowsOf(texts.before, texts.after) : null
  return (
    <div className="code">
      {windows ? <><Around window={windows.before} look="dl del" sign="−" line={line} /><Around window={windows.after} look="dl add" sign="+" line={line} /></> : <><Rows text={texts.before} look="dl del" sign="−" from={line} /><Rows text={texts.after} look="dl add" sign="+" from={line} /></>}
    </div>
  )
}

function hasLong({ before, after }: ChangeTexts, longLine: number): boolean {
  return [before, after].some((text) => text.split('\n').some((one) => one.length > longLine))
}

/** How much of a change is drawn. */
export function drawnCharacters(texts: ChangeTexts, longLine: number): number {
  if (!hasLong(texts, longLine)) return texts.before.length + texts.after.length
  const { before, after } = windowsOf(texts.before, texts.after)
  return before.changed.length + after.changed.length
}

function Rows({ text, look, sign, from }: { readonly text: string; readonly look: string; readonly sign: string; readonly from: number }) {
  if (text === '') return null
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n').map((one, at) => <div key={at} className={look}><span>{from + at + 1}</span><span>{sign}</span><span><Exact text={one} /></span></div>)
}

function Around({ window: { cutBefore, head, changed, tail, cutAfter }, look, sign, line }: { readonly window: TextWindow; readonly look: string; readonly sign: string; readonly line: number }) {
  const say = useWords()
  if (head + changed + tail === '') return null
  const cut = (count: number) => count > 0 && <span className="faint"> {say('approval.review.cut', { count })} </span>
  return <div className={look}><span>{line + 1}</span><span>{sign}</span><span>{cut(cutBefore)}<Exact text={head} />{changed !== '' && <mark><Exact text={changed} /></mark>}<Exact text={tail} />{cut(cutAfter)}</span></div>
}
