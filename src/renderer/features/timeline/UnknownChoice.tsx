import { Check, RotateCw, Undo2 } from 'lucide-react'
import { Button } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { AuthorMark } from '../../ui/marks'
import { Chip, Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import type { OpenCall } from './timelineRows'
import { useTimelineWorld } from './timelineWorld'

/** What the person may say of a call of which nobody knows how it ended: the same three answers as in the conversation (R84). */
export function UnknownChoice({ call }: { readonly call: OpenCall }) {
  const say = useWords()
  const choice = useTimelineWorld().choiceOf(call.callId)
  if (choice === null) return null
  return (
    <div role="group" aria-label={say('recovery.group')}><Note
      tone="warn"
      actions={<span className="row wrap">
        {choice.rollBack && <Button size="small" icon={Undo2} onClick={choice.rollBack.onChoose}>{say('recovery.roll-back', { files: choice.rollBack.files })}</Button>}
        <Button size="small" icon={RotateCw} onClick={choice.onAgain}>{say('recovery.again')}</Button>
        <Button size="small" icon={Check} onClick={choice.onDone}>{say('recovery.done')}</Button>
      </span>}
    >
      <div className="strong">{say('recovery.title')}</div>
      <div className="dim">{say('recovery.about')}</div>
    </Note></div>
  )
}

/** Such a call where no change of it was found. */
export function UnknownDetail({ call }: { readonly call: OpenCall }) {
  const say = useWords()
  return (
    <>
      <div className="head"><AuthorMark kind={call.isCommand ? 'command' : 'agent'} isHollow /><h2 className="cut" title={call.label}><Exact text={call.label} className="mono" /></h2><Chip tone="warn">{say('recovery.chip')}</Chip></div>
      <div className="tlbody"><UnknownChoice call={call} /></div>
    </>
  )
}
