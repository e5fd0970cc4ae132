import { GitCompare, Undo2 } from 'lucide-react'
import { useEffect } from 'react'
import type { TurnId } from '../../../shared/domain/ids'
import { Button } from '../../ui/Button'
import { LineCounts } from '../../ui/marks'
import { Chip } from '../../ui/parts'
import { leading, useWords } from '../../ui/words'
import { readSize, sizeKey, useTurns, type TurnPast } from './turnStore'

/** What the end of a turn may ask of the timeline. */
export interface TurnLinks {
  readonly pastOf: (turnId: TurnId) => TurnPast | null
  readonly onReview: (turnId: TurnId) => void
  readonly onUndo: (turnId: TurnId) => void
}

/** At the end of a turn: how many files it changed, all of them to be looked at, and the turn to be undone (R111). */
export function TurnSummary({ turnId, links }: { readonly turnId: TurnId; readonly links: TurnLinks }) {
  const past = links.pastOf(turnId)
  return past && past.paths.length > 0 ? <Summary past={past} onReview={() => links.onReview(turnId)} onUndo={() => links.onUndo(turnId)} /> : null
}

function Summary({ past, onReview, onUndo }: { readonly past: TurnPast; readonly onReview: () => void; readonly onUndo: () => void }) {
  const say = useWords()
  const size = useTurns((state) => state.sizes[sizeKey(past)]) ?? null
  useEffect(() => void readSize(past), [past])
  const { number: turn, state, later, yours } = past
  const files = size?.files ?? past.paths.length
  if (files === 0) return null
  const since = [later > 0 ? say('turn.later', { files: later }) : '', yours > 0 ? say('turn.yours', { files: yours }) : ''].filter((one) => one !== '')
  return (
    <div className="turnsum" role="group" aria-label={say('turn.summary', { turn })}>
      <span className="med">{say('turn.files', { files })}</span>
      {size?.lines && <LineCounts {...size.lines} />}
      {state !== 'stands' && <Chip>{say(state === 'partly' ? 'turn.partly-back' : past.isKept ? 'turn.back-kept' : 'turn.back')}</Chip>}
      <span className="acts">
        <Button size="small" look="quiet" icon={GitCompare} aria-label={say('turn.review-about', { files, turn })} onClick={onReview}>{say('turn.review')}</Button>
        {state !== 'back' && past.canUndo && <Button size="small" look="quiet" icon={Undo2} aria-label={say('turn.undo-about', { turn })} onClick={onUndo}>{say('turn.undo')}…</Button>}
      </span>
      {state !== 'back' && since.length > 0 && <span className="more small dim">{since.reduce((text, one) => `${leading(text)}${one}`)}</span>}
    </div>
  )
}
