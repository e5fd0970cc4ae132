import { Fragment, useMemo } from 'react'
import { Exact } from './Exact'
import { hunksOf, type DiffLine } from './diffLines'
import type { LineBar, LineBars } from './lineBars'
import { classes } from './classes'
import { wordPieces, type WordPiece } from './wordDiff'
import { useWords } from './words'

const signs = { same: ' ', added: '+', removed: '−' } as const
const lineClasses = { same: 'dl', added: 'dl add', removed: 'dl del' } as const

interface LineDiffProps {
  readonly lines: readonly DiffLine[]
  readonly name: string
  /** For text rather than code: changed words are marked, and no line has a number. */
  readonly hasWords?: boolean
  /** Who changed the lines, as a bar beside them; changed words are marked then too. */
  readonly author?: 'agent' | 'you' | 'cmd'
  /** Who changed each line, where they are not all one's. */
  readonly bars?: LineBars | null
  /** Lines with these bars stand back. */
  readonly dimmed?: ReadonlySet<LineBar>
}

function barOf(line: DiffLine, bars: LineBars): LineBar | null {
  if (line.kind === 'same') return null
  return (line.kind === 'removed' ? bars.before[(line.before ?? 0) - 1] : bars.after[(line.after ?? 0) - 1]) ?? null
}

/** A comparison as plain lines, unchanged stretches folded into one row that says how many. */
export function LineDiff({ lines, name, hasWords = false, author, bars = null, dimmed }: LineDiffProps) {
  const say = useWords()
  const { hunks, skippedAtEnd } = hunksOf(lines)
  const pieces = useMemo(() => (hasWords || author !== undefined ? wordPieces(lines) : null), [lines, hasWords, author])
  const lineLook = (line: DiffLine): string => {
    const bar = bars === null ? (line.kind === 'same' ? undefined : author) : barOf(line, bars)
    return bar == null ? lineClasses[line.kind] : classes(lineClasses[line.kind], 'ab', bar, dimmed?.has(bar) === true && 'dimmed')
  }
  const skip = (count: number) => count > 0 && <div className="dl skip"><span /><span>⋯</span><span>{say('ui.same-lines', { count })}</span></div>
  return (
    <div className={hasWords ? 'code bywords' : author === undefined && bars === null ? 'code' : 'code authored'} role="group" aria-label={name}>
      {hunks.map((hunk, at) => (
        <div key={at} data-hunk>
          {skip(hunk.skipped)}
          {hunk.lines.map((line, index) => (
            <div key={index} className={lineLook(line)}>
              <span>{!hasWords && (line.after ?? line.before)}</span>
              <span>{signs[line.kind]}</span>
              <span><Words line={line} pieces={pieces?.get(line)} /></span>
            </div>
          ))}
        </div>
      ))}
      {skip(skippedAtEnd)}
    </div>
  )
}

function Words({ line, pieces }: { readonly line: DiffLine; readonly pieces: readonly WordPiece[] | undefined }) {
  if (pieces === undefined) return <Exact text={line.text} />
  return pieces.map((piece, at) => <Fragment key={at}>{piece.isChanged ? <mark><Exact text={piece.text} /></mark> : <Exact text={piece.text} />}</Fragment>)
}
