import { useMemo } from 'react'
import type { AuditRecord } from '../../../shared/ipc/views'
import { classes } from '../../ui/classes'
import type { DiffLine } from '../../ui/diffLines'
import { Exact } from '../../ui/Exact'
import { useWords } from '../../ui/words'
import { wordPieces, type WordPiece } from '../../ui/wordDiff'

/** What was asked for, what was agreed to, what ran: side by side, with the differences marked. */
export function ThreeTexts({ record }: { readonly record: AuditRecord }) {
  const say = useWords()
  const { proposed, approved, effective, row } = record
  const marks = useMemo(() => ({ proposed: piecesOf(proposed, approved, 'removed'), approved: piecesOf(proposed, approved, 'added'), effective: piecesOf(approved, effective, 'added') }), [proposed, approved, effective])
  const who = say(`audit.who.${row.by.actor}`, { rule: row.by.ruleId ?? '' })
  return (
    <div className="card threetexts">
      <Column title={say('audit.proposed')} by={say('audit.proposed-by')} text={proposed} pieces={marks.proposed} look="gone" none={say('audit.none-proposed')} />
      <Column title={say('audit.approved')} by={approved === null ? '' : say('audit.approved-by', { who: say.locale === 'en' ? who.charAt(0).toLowerCase() + who.slice(1) : who })} text={approved} pieces={marks.approved} look="new" none={say('audit.none-approved')} />
      <Column title={say('audit.effective')} by={say('audit.effective-by')} text={effective} pieces={marks.effective} look="other" none={say('audit.none-effective')} />
    </div>
  )
}

interface ColumnProps {
  readonly title: string
  readonly by: string
  readonly text: string | null
  readonly pieces: readonly WordPiece[] | null
  readonly look: 'gone' | 'new' | 'other'
  readonly none: string
}

function Column({ title, by, text, pieces, look, none }: ColumnProps) {
  return (
    <section aria-label={title}>
      <h3 className="small"><b className="med">{title}</b>{by !== '' && <span className="faint"> {by}</span>}</h3>
      {text === null ? <p className="small faint none">{none}</p> : (
        <pre className="code">{pieces === null ? <Exact text={text} /> : pieces.map((piece, at) => (piece.isChanged ? <mark key={at} className={classes('word', look)}><Exact text={piece.text} /></mark> : <Exact key={at} text={piece.text} />))}</pre>
      )}
    </section>
  )
}

/** Longer texts are shown without marks: they are compared in the review of their change. */
const longestMarked = 8_000

/** One side in pieces, the words that the other side lacks marked; null when there is nothing to mark. */
function piecesOf(before: string | null, after: string | null, side: 'removed' | 'added'): readonly WordPiece[] | null {
  if (before === null || after === null || before === after || before.length + after.length > longestMarked) return null
  const linesOf = (text: string, kind: 'removed' | 'added'): readonly DiffLine[] => text.split('\n').map((line, at) => ({ kind, text: line, before: kind === 'removed' ? at + 1 : null, after: kind === 'added' ? at + 1 : null }))
  const lines = [...linesOf(before, 'removed'), ...linesOf(after, 'added')]
  const pieces = wordPieces(lines)
  return lines.filter(({ kind }) => kind === side).flatMap((line, at) => [...(at > 0 ? [{ text: '\n', isChanged: false }] : []), ...(pieces.get(line) ?? [{ text: line.text, isChanged: false }])])
}
