import { Gauge, Layers, TriangleAlert } from 'lucide-react'
import { useEffect } from 'react'
import type { PromptCost } from '../../../shared/ipc/views'
import { Button } from '../../ui/Button'
import { classes } from '../../ui/classes'
import { Meter } from '../../ui/Meter'
import { Note } from '../../ui/parts'
import { Popover } from '../../ui/Popover'
import { useWords } from '../../ui/words'
import { countPrompt, fillOf, lookAtCost, sumOf, usePromptCost } from './promptCost'
import { useWork } from './workStore'

/** How full the model's window is, and of what: opens the parts of the next prompt with what each costs (R23). */
export function SentMeter({ isRunning, onOpenContext }: { readonly isRunning: boolean; readonly onOpenContext: () => void }) {
  const say = useWords()
  const current = useWork((state) => state.current)
  const { cost, of } = usePromptCost()
  useEffect(() => void countPrompt(), [current, isRunning])
  const known = of === current ? cost : null
  const fill = known && fillOf(known)
  const words = known ? say('session.sent.short', { tokens: new Intl.NumberFormat(say.locale, { notation: 'compact', maximumFractionDigits: 1 }).format(sumOf(known)) }) : say('session.sent')
  const isFull = fill?.isNearlyFull === true
  return (
    <Popover
      name={say('session.sent')} className="sentpop" onOpen={lookAtCost}
      trigger={(
        <button type="button" className={classes('pick', isFull && 't-warn')} aria-label={[say('session.sent'), known && words, fill && say('session.sent.full', { percent: fill.percent })].filter(Boolean).join(', ')}>
          {isFull ? <TriangleAlert className="i" size={14} aria-hidden /> : <Gauge className="i" size={14} aria-hidden />}
          {known && fill && <Meter value={sumOf(known)} of={known.windowTokens ?? 0} {...(isFull ? { tone: 'warn' as const } : {})} />}
          <span className="sentwords">{words}</span>
        </button>
      )}
    >
      <Parts cost={known} />
      {current !== null && <Button size="small" icon={Layers} onClick={onOpenContext}>{say('compaction.open')}</Button>}
    </Popover>
  )
}

function Parts({ cost }: { readonly cost: PromptCost | null }) {
  const say = useWords()
  const progress = usePromptCost((state) => state.progress)
  if (!cost) return progress === 'failed' ? <Note tone="bad" role="alert">{say('session.sent.failed')}</Note> : <p className="small dim" role="status">{say('session.sent.reading')}</p>
  const sum = sumOf(cost)
  const fill = fillOf(cost)
  return (
    <>
      <h2 className="med">{say('session.sent')}</h2>
      <p className="small dim">{say('session.sent.about')}</p>
      <table aria-label={say('session.sent')}>
        <thead className="sr"><tr><th>{say('session.sent.part')}</th><th>{say('session.sent.tokens')}</th></tr></thead>
        <tbody>{cost.parts.map((part) => <tr key={part.part} title={part.part === 'memory' && part.tokens > 0 ? say('session.sent.memory-frame') : undefined}><td>{say(`session.sent.part.${part.part}`)}{part.count !== null && <span className="faint"> {part.count.toLocaleString(say.locale)}</span>}</td><td className="num">{part.tokens.toLocaleString(say.locale)}</td></tr>)}</tbody>
        <tfoot><tr><td>{say('session.sent.total')}</td><td className="num">{sum.toLocaleString(say.locale)}</td></tr></tfoot>
      </table>
      {fill && <Meter value={sum} of={cost.windowTokens ?? 0} {...(fill.isNearlyFull ? { tone: 'warn' as const } : {})} />}
      <p className={fill?.isNearlyFull ? 'small t-warn' : 'small dim'}>{fill ? `${say('session.sent.window', { tokens: sum, window: cost.windowTokens ?? 0 })} · ${say('session.sent.full', { percent: fill.percent })}` : say('session.sent.no-window')}</p>
    </>
  )
}
