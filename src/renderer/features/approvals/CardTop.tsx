import { ChevronLeft, ChevronRight, PanelBottom } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ApprovalRequest } from '../../../shared/domain/approval'
import { IconButton } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { LineCounts } from '../../ui/marks'
import { Chip } from '../../ui/parts'
import { leading, useWords } from '../../ui/words'
import { review } from './approvalStore'
import { pathOf, titleOf } from './cardText'

/** Where a card stands among all that wait. */
export interface Queue {
  readonly at: number
  readonly count: number
  readonly onStep: (by: -1 | 1) => void
  /** The session that asks, where it is not the one on screen. */
  readonly asker: { readonly title: string; readonly onGo: () => void } | null
}

interface CardTopProps {
  readonly request: ApprovalRequest
  readonly place: 'docked' | 'review'
  readonly queue: Queue
  readonly counts: { readonly added: number; readonly removed: number } | null
  /** What else stands beside the title. */
  readonly children?: ReactNode
}

/** What is asked, by whom, and how many more wait. */
export function CardTop({ request, place, queue, counts, children }: CardTopProps) {
  const say = useWords()
  const title = titleOf(request)
  const Icon = title.icon
  const { preview } = request
  const lost = preview.kind === 'command' ? preview.parts.filter((part) => !part.canUndo).length : 0
  const isOutside = preview.kind === 'command' && preview.confinement?.outside === true
  return (
    <div className="top">
      <Icon className="i" size={16} aria-hidden />
      <h2><Exact text={say(title.code, title.values)} /> <Exact text={pathOf(request)} className="mono" /></h2>
      {counts && <LineCounts {...counts} />}
      {isOutside && <Chip tone="bad">{say('approval.outside-chip')}</Chip>}
      {lost > 0 && <Chip tone="bad">{say('approval.parts-lost', { count: lost })}</Chip>}
      {children}
      <span className="end row small dim nowrap">
        {say('approval.step', { step: request.step, time: say.time(request.askedAtMs) })}
        {queue.count > 1 && <><IconButton icon={ChevronLeft} label={say('approval.previous')} onClick={() => queue.onStep(-1)} />{say('approval.of', { at: queue.at + 1, count: queue.count })}<IconButton icon={ChevronRight} label={say('approval.next')} onClick={() => queue.onStep(1)} /></>}
        {place === 'review' && <IconButton icon={PanelBottom} label={say('approval.dock')} onClick={() => review(null)} />}
      </span>
      {queue.asker && <p className="asker small">{leading(say('approval.asks-in'))}<button type="button" className="linkbtn" onClick={queue.asker.onGo}><Exact text={queue.asker.title} /></button></p>}
    </div>
  )
}
