import { useState } from 'react'
import { Button } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { useWords } from '../../ui/words'
import { lastLines, type TrialPreview } from './trialFacts'

const fewLines = 5

/** What the command printed on the copy: its last lines, or all that was kept. */
export function TrialOutput({ preview }: { readonly preview: TrialPreview }) {
  const say = useWords()
  const [isWhole, setIsWhole] = useState(false)
  const { shown, total } = lastLines(preview.output, isWhole ? Infinity : fewLines)
  if (total === 0) return <div className="trialout"><p className="trialhead small"><span className="med">{say('approval.trial.output')}</span><span className="faint">{say('approval.trial.no-output')}</span></p></div>
  return (
    <div className="trialout">
      <p className="trialhead small">
        <span className="med">{say('approval.trial.output')}</span>
        <span className="faint">{total > fewLines && !isWhole ? say('approval.trial.last-lines', { count: fewLines, total }) : ''}{preview.isOutputCut && isWhole ? say('approval.trial.cut') : ''}</span>
        {total > fewLines && <span className="end"><Button size="small" look="quiet" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>{say(isWhole ? 'approval.fold' : 'approval.trial.show-all')}</Button></span>}
      </p>
      <div className="code" tabIndex={isWhole ? 0 : -1} role="group" aria-label={say('approval.trial.output')}>{shown.map((line, at) => <div key={at}><Exact text={line} /></div>)}</div>
    </div>
  )
}
