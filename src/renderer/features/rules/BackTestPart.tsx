import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { RuleDraft } from '../../../shared/domain/rule'
import type { BackTest, BackTestRow } from '../../../shared/ipc/views'
import { Button } from '../../ui/Button'
import { classes } from '../../ui/classes'
import { Exact } from '../../ui/Exact'
import { Seal } from '../../ui/marks'
import { Note } from '../../ui/parts'
import { useMinute } from '../../ui/useNow'
import { useWords, type Speaker } from '../../ui/words'
import type { Editing } from './editing'
import { foldTest, narrowedNames, type CallPlace, type FoldedTest } from './live'
import { narrowTo, tryOut, useRules, type Trial } from './ruleStore'
import { askingPart, momentText, sealThen, testText } from './ruleWords'
import { ShapeView } from './ShapeView'

interface BackTestPartProps {
  readonly editing: Editing
  readonly toCall: (place: CallPlace) => (() => void) | null
}

/** What the rule would have done, live while one writes it. */
export function BackTestPart({ editing: { key }, toCall }: BackTestPartProps) {
  const say = useWords()
  const trial = useRules((state) => (state.trial?.key === key ? state.trial : null))
  if (trial === null) return <p className="hint" role="status">{say('permission.try-later')}</p>
  if (trial.phase === 'failed') return <Note tone="bad" role="alert" actions={<Button size="small" onClick={() => tryOut(0)}>{say('permission.try-again')}</Button>}><Exact text={trial.fault ? say.fact(trial.fault) : ''} className="wrap-any" /></Note>
  if (trial.result === null) return <p className="hint" role="status">{say('permission.trying')}</p>
  return <Tried trial={trial} result={trial.result} toCall={toCall} />
}

function Tried({ trial: { phase, of }, result, toCall }: { readonly trial: Trial; readonly result: BackTest; readonly toCall: BackTestPartProps['toCall'] }) {
  const say = useWords()
  const { deniedThen, tooWide, shadowedBy, isUnused, rows, narrowed, total } = result
  const isAllowing = of.effect === 'allow'
  const tone = isAllowing && deniedThen > 0 ? 'bad' : tooWide ? 'warn' : 'info'
  return (
    <div className={classes('backtest', phase === 'trying' && 'stale')} aria-busy={phase === 'trying'}>
      <Note tone={tone} role="status"><span className={deniedThen > 0 ? 'med t-bad' : 'med'}>{say.fact(testText(of, result))}</span>{tooWide && ` ${say.fact(tooWide)}`}</Note>
      {shadowedBy !== null && <p className="hint t-warn">{say('permission.tried.shadowed', { rule: shadowedBy })}</p>}
      {isUnused && total > 0 && <p className="hint">{say('permission.tried.unused')}</p>}
      {rows.length > 0 && <Rows result={result} draft={of} toCall={toCall} />}
      {narrowed !== null && <Narrowed draft={of} narrowed={narrowed} />}
    </div>
  )
}

function Rows({ result, draft, toCall }: { readonly result: BackTest; readonly draft: RuleDraft; readonly toCall: BackTestPartProps['toCall'] }) {
  const say = useWords()
  const [isOpen, setIsOpen] = useState(false)
  const folded = foldTest(result)
  const shown = isOpen ? [...folded.shown, ...folded.folded] : folded.shown
  return (
    <div className="card testcardbox">
      <table className="testtable" aria-label={say('permission.tried.table')}>
        <thead><tr><th scope="col" className="c-when">{say('permission.tried.when')}</th><th scope="col">{say('permission.tried.call')}</th><th scope="col" className="c-then">{say('permission.tried.then')}</th><th scope="col" className="c-now">{say('permission.tried.now')}</th></tr></thead>
        <tbody>{shown.map((row) => <Row key={row.callId} row={row} draft={draft} toCall={toCall} />)}</tbody>
      </table>
      {(folded.moreRun > 0 || folded.moreOther > 0) && <Fold folded={folded} deniedThen={result.deniedThen} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} />}
    </div>
  )
}

function Row({ row, draft, toCall }: { readonly row: BackTestRow; readonly draft: RuleDraft; readonly toCall: BackTestPartProps['toCall'] }) {
  const say = useWords()
  const nowMs = useMinute()
  const { sessionId, callId, atMs, on, now, then, why } = row
  const go = toCall({ sessionId, callId })
  const isBad = now === 'runs' && then.decision === 'denied'
  return (
    <tr>
      <td className="small mono nowrap">{momentText(atMs, say, nowMs)}</td>
      <td className="mono on">{go === null ? <Exact text={on} /> : <button type="button" className="wayto" aria-label={say('permission.to-that-call', { call: on })} onClick={go}><Exact text={on} /></button>}{why && <div className="why small dim"><Exact text={say.fact(why)} /></div>}</td>
      <td><Seal {...sealThen(row, say)} /></td>
      <td className={classes('small', isBad ? 't-bad' : now === 'runs' && then.decision === 'allowed' ? 't-ok' : 'dim')}>{nowText(row, draft, say)}</td>
    </tr>
  )
}

function nowText(row: BackTestRow, { effect }: RuleDraft, say: Speaker): string {
  if (row.now !== 'asks') return say(row.now === 'runs' ? 'permission.tried.runs' : 'permission.tried.denies')
  const part = askingPart(row)
  if (part !== null) return say('permission.tried.asks-part', { part })
  return say(effect === 'ask' ? 'permission.tried.asks-rule' : 'permission.tried.asks')
}

function Fold({ folded: { moreRun, moreOther, areAllSigned, folded }, deniedThen, isOpen, onToggle }: { readonly folded: FoldedTest; readonly deniedThen: number; readonly isOpen: boolean; readonly onToggle: () => void }) {
  const say = useWords()
  const Icon = isOpen ? ChevronDown : ChevronRight
  const hasDenied = folded.some((row) => row.now === 'runs' && row.then.decision === 'denied') || deniedThen > 200
  const lines = [
    ...(moreRun > 0 ? [say(areAllSigned ? 'permission.tried.more-signed' : hasDenied ? 'permission.tried.more-some' : 'permission.tried.more', { count: moreRun })] : []),
    ...(moreOther > 0 ? [say('permission.tried.more-other', { count: moreOther })] : []),
  ]
  if (folded.length === 0) return <p className="fold small dim">{lines.join(' ')}</p>
  return <button type="button" className="fold small dim" aria-expanded={isOpen} onClick={onToggle}><Icon className="i" size={14} aria-hidden />{isOpen ? say('permission.tried.fewer') : lines.join(say.locale === 'en' ? '; ' : '；')}</button>
}

/** The narrower way. One shape goes into the editor; several are shown before they are saved. */
function Narrowed({ draft, narrowed: { shapes, wouldRun } }: { readonly draft: RuleDraft; readonly narrowed: NonNullable<BackTest['narrowed']> }) {
  const say = useWords()
  const [isOpen, setIsOpen] = useState(false)
  const [first] = shapes
  const isOne = shapes.length === 1
  const press = (): void => (isOne && first ? narrowTo(first) : setIsOpen(!isOpen))
  return (
    <div className="narrowed">
      <div className="row wrap">
        <button type="button" className="btn sm narrow" aria-expanded={isOne ? undefined : isOpen} onClick={press}><Exact text={say('permission.narrow', { names: narrowedNames(draft.shape, shapes) })} /></button>
        <span className="small dim">{say('permission.narrow-count', { count: wouldRun })}</span>
      </div>
      {isOpen && !isOne && (
        <div>
          <p className="hint">{say('permission.narrow-rules', { count: shapes.length })}</p>
          <ul className="narrowlist" aria-label={say('permission.narrow-rules', { count: shapes.length })}>{shapes.map((shape, at) => <li key={at}><ShapeView shape={shape} /></li>)}</ul>
        </div>
      )}
    </div>
  )
}
