import { Exact } from './Exact'
import { hunksOf, type DiffLine } from './diffLines'
import { useWords } from './words'

const signs = { same: ' ', added: '+', removed: '−' } as const
const lineClasses = { same: 'dl', added: 'dl add', removed: 'dl del' } as const

/** A comparison as plain lines, unchanged stretches folded into one row that says how many. */
export function LineDiff({ lines, name }: { readonly lines: readonly DiffLine[]; readonly name: string }) {
  const say = useWords()
  const { hunks, skippedAtEnd } = hunksOf(lines)
  const skip = (count: number) => count > 0 && <div className="dl skip"><span /><span>⋯</span><span>{say('ui.same-lines', { count })}</span></div>
  return (
    <div className="code" role="group" aria-label={name}>
      {hunks.map((hunk, at) => (
        <div key={at}>
          {skip(hunk.skipped)}
          {hunk.lines.map((line, index) => (
            <div key={index} className={lineClasses[line.kind]}>
              <span>{line.after ?? line.before}</span>
              <span>{signs[line.kind]}</span>
              <span><Exact text={line.text} /></span>
            </div>
          ))}
        </div>
      ))}
      {skip(skippedAtEnd)}
    </div>
  )
}
