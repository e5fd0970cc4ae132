import { Boxes, Check } from 'lucide-react'
import { useState } from 'react'
import type { ModelChoice } from '../../../shared/domain/model'
import { Button } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { Chip } from '../../ui/parts'
import { PickList, type PickOption } from '../../ui/PickList'
import { Popover } from '../../ui/Popover'
import { useWords } from '../../ui/words'
import { pickKey, pickModel, showPicks, usePicks, type ModelOption } from './modelPicks'

/** What the message box knows of models. */
export interface ModelWorld {
  /** What would answer the next request; null where that is not known. */
  readonly current: ModelChoice | null
  /** As it is called; `''` where nothing would answer. */
  readonly name: string
  /** It is not known to take pictures: a note is sent in place of each. */
  readonly isBlind: boolean
  readonly options: readonly ModelOption[]
  /** The list is looked at: what is not known of a provider's models is asked for. */
  readonly onLook: () => void
  /** Makes it the model of new sessions; null for one that cannot be. */
  readonly onDefault: ((choice: ModelChoice) => void) | null
  readonly onOpenModels: () => void
}

const shownOptions = 60

/** The model of the session, with its window and price; opens the list of all that are ready. */
export function ModelPicker({ models }: { readonly models: ModelWorld }) {
  const say = useWords()
  const isOpen = usePicks((state) => state.isOpen)
  const { current, name, options, onLook } = models
  const shown = current && options.find((one) => pickKey(one.choice) === pickKey(current))
  const open = (isNow: boolean): void => {
    if (isNow) onLook()
    showPicks(isNow)
  }
  return (
    <Popover
      name={say('session.model')} className="modelpop" isOpen={isOpen} onOpen={open}
      trigger={<button type="button" className="pick" title={shown?.about} aria-label={name === '' ? say('session.no-model') : say('session.model-is', { model: name })}>{name === '' ? say('session.no-model') : <Exact text={name} />}</button>}
    >
      <Picks models={models} shown={shown ?? null} />
    </Popover>
  )
}

function Picks({ models: { current, options, onDefault, onOpenModels }, shown }: { readonly models: ModelWorld; readonly shown: ModelOption | null }) {
  const say = useWords()
  const [text, setText] = useState('')
  const recent = usePicks((state) => state.recent)
  const words = text.trim().toLowerCase().split(/\s+/)
  // What answers now stands first, then what was picked lately; the rest keeps its order.
  const rank = (one: ModelOption): number => {
    if (one === shown) return -1
    const at = recent.indexOf(pickKey(one.choice))
    return at < 0 ? recent.length : at
  }
  const found = options.filter((one) => words.every((word) => `${one.choice.model} ${one.providerName}`.toLowerCase().includes(word))).sort((a, b) => rank(a) - rank(b))
  const rows = found.slice(0, shownOptions).map((one): PickOption => ({
    key: pickKey(one.choice),
    content: <Line one={one} isCurrent={current !== null && pickKey(current) === pickKey(one.choice)} isRecent={recent.includes(pickKey(one.choice))} />,
    onPick: () => void pickModel(one.choice),
  }))
  const none = options.length === 0 ? say('session.model-none-ready') : say('session.model-none-found')
  const foot = found.length === 0 ? none : found.length > shownOptions ? say('session.model-more', { count: found.length - shownOptions }) : null
  return (
    <>
      <PickList name={say('session.model')} placeholder={say('session.model-search')} text={text} onText={setText} options={rows} foot={foot} />
      <div className="popfoot">
        <p className="small dim">{say('session.model-next')}</p>
        <span className="row wrap">
          {shown && !shown.isDefault && onDefault && <Button size="small" onClick={() => { onDefault(shown.choice); showPicks(false) }}>{say('session.model-make-default', { model: shown.choice.model })}</Button>}
          <Button size="small" look="quiet" icon={Boxes} onClick={() => { showPicks(false); onOpenModels() }}>{say('session.model-manage')}</Button>
        </span>
      </div>
    </>
  )
}

function Line({ one, isCurrent, isRecent }: { readonly one: ModelOption; readonly isCurrent: boolean; readonly isRecent: boolean }) {
  const say = useWords()
  return (
    <span className="col grow" style={{ padding: '5px 0' }}>
      <span className="row">
        <Exact text={one.choice.model} className="mono cut" />
        <span className="small faint nowrap"><Exact text={one.providerName} /></span>
        <span className="end row" style={{ gap: 4 }}>
          {isCurrent && <Chip tone="you"><Check size={12} aria-hidden />{say('session.model-current')}</Chip>}
          {one.isDefault && <Chip>{say('session.model-default')}</Chip>}
          {isRecent && !isCurrent && <Chip>{say('session.model-recent')}</Chip>}
        </span>
      </span>
      <span className="small faint">{one.about}</span>
    </span>
  )
}
