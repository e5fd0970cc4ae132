import { ChevronDown, Scale, Timer } from 'lucide-react'
import { useRef } from 'react'
import type { ApprovalRequest } from '../../../shared/domain/approval'
import type { RuleShape } from '../../../shared/domain/rule'
import type { ArmState } from '../../ui/armingClock'
import { Button } from '../../ui/Button'
import { Segmented } from '../../ui/fields'
import { Menu } from '../../ui/Menu'
import { Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { isOutOfRoom } from './NotRunNote'
import { ShapeTokens } from './shapeTokens'
import { useAnswers } from './useAnswers'
import { isTainted, runsProject, widerEnds, type WiderChoice } from './wider'

interface WiderMenuProps {
  readonly shapes: readonly RuleShape[]
  /** What is answered: whether text from outside marks its turn, and whether what runs is written in the project. */
  readonly request: ApprovalRequest
  readonly isArmed: boolean
  /** Nothing of the card can be allowed as it stands. */
  readonly isOff: boolean
  readonly onChoose: (lifetime: WiderChoice['lifetime']) => void
  /** Null where no page of rules can be opened. */
  readonly onRule: (() => void) | null
}

/** The wider ways to allow: a choice only shows what would follow. None of them has a key. */
export function WiderMenu({ shapes, request, isArmed, isOff, onChoose, onRule }: WiderMenuProps) {
  const say = useWords()
  // Beside a plain answer, where something else is to be done first.
  const look = request.notRun !== undefined && isOutOfRoom(request.notRun) ? 'btn ic more' : 'btn pri ic more'
  return (
    <Menu
      align="end" canOpen={() => isArmed}
      trigger={<button type="button" className={isOff ? `${look} off` : look} aria-label={say('approval.more')} title={say('approval.more')} aria-disabled={!isArmed}><ChevronDown className="i" size={14} aria-hidden /></button>}
      head={<><p className="small dim">{say('approval.wider.covers')}</p><ShapeTokens shapes={shapes} runsProject={runsProject(request)} /></>}
      items={[
        { key: 'turn', icon: Timer, label: say('approval.wider.turn'), isDisabled: isTainted(request), ...(isTainted(request) ? { hint: say('approval.wider.not-marked') } : {}), onChoose: () => onChoose('turn') },
        { key: 'session', icon: Timer, label: say('approval.wider.session'), onChoose: () => onChoose('session') },
        ...(onRule === null ? [] : [{ key: 'rule', icon: Scale, label: say('approval.wider.rule'), onChoose: onRule }]),
      ]}
    />
  )
}

interface WiderPanelProps {
  readonly shapes: readonly RuleShape[]
  /** What is answered: whether text from outside marks its turn, and whether what runs is written in the project. */
  readonly request: ApprovalRequest
  readonly choice: WiderChoice
  readonly arm: ArmState
  readonly content: string
  readonly onChange: (choice: WiderChoice) => void
  readonly onAllow: () => void
  readonly onBack: () => void
}

/** What a wider answer would cover and when it ends, before it is given. Its button is not the solid one. */
export function WiderPanel({ shapes, request, choice, arm, content, onChange, onAllow, onBack }: WiderPanelProps) {
  const say = useWords()
  const box = useRef<HTMLSpanElement>(null)
  const { inert, answer } = useAnswers(box, content, arm)
  const label = say(`approval.wider.allow.${choice.lifetime}`)
  return (
    <div className="wider" role="group" aria-label={label}>
      <p><span className="strong">{say(`approval.wider.title.${choice.lifetime}`)}</span> <span className="small dim">{say('approval.wider.not-asked')}</span></p>
      <ShapeTokens shapes={shapes} runsProject={runsProject(request)} />
      {isTainted(request) && <Note tone="warn">{say('approval.wider.marked')}</Note>}
      <div className="row" style={{ flexWrap: 'wrap' }}>
        <span className="small dim">{say('approval.wider.ends')}</span>
        <Segmented label={say('approval.wider.ends')} value={choice.ends} options={widerEnds.map((value) => ({ value, label: say(value === 'lifetime' ? `approval.wider.ends.${choice.lifetime}` : `approval.wider.ends.${value}`) }))} onChange={(ends) => onChange({ ...choice, ends })} />
        <span className="end row" ref={box}>
          <Button look="quiet" onClick={onBack}>{say('approval.wider.back')}</Button>
          <span className="armline" data-arm={arm}><Button {...inert} onClick={answer(onAllow)}>{label}</Button></span>
        </span>
      </div>
    </div>
  )
}
