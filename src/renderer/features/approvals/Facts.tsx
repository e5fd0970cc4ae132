import { Box, Info, Undo2, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ApprovalRequest } from '../../../shared/domain/approval'
import { Exact } from '../../ui/Exact'
import { countHidden } from '../../ui/hiddenText'
import { useWords, type Speaker } from '../../ui/words'
import { addressFacts } from './address'
import { quoteWord } from './cardText'

function Fact({ icon: Icon, tone, isWide = false, children }: { readonly icon: LucideIcon; readonly tone: string; readonly isWide?: boolean; readonly children: ReactNode }) {
  return <div className={isWide ? 'fact wide' : 'fact'}><Icon className={`i ${tone}`} size={14} aria-hidden /><span>{children}</span></div>
}

/** Sandbox, undo, and why this asks: what can be lost, before it is. */
export function Facts({ request, isRewritten }: { readonly request: ApprovalRequest; readonly isRewritten: boolean }) {
  const say = useWords()
  const { preview, coverage, sandbox } = request
  // What these ask is no act on the folder; they say themselves what follows.
  if (preview.kind === 'question' || preview.kind === 'sampling' || preview.kind === 'elicitation' || preview.kind === 'open-address') return null
  const undo = undoFact(request, say)
  // A part of the command says it already.
  const isSaid = preview.kind === 'command' ? preview.parts.some((part) => say.fact(part.reason) === say.fact(request.reason)) : preview.kind === 'mcp' && preview.change !== null
  return (
    <div className="facts">
      {preview.kind === 'command' && <Fact icon={Box} tone={sandbox === 'on' ? 't-ok' : 't-warn'}>{say(sandbox === 'on' ? 'approval.sandbox-on' : 'approval.no-sandbox')}</Fact>}
      {preview.kind === 'mcp' && <Fact icon={Box} tone="t-warn">{say('approval.mcp-no-sandbox')}</Fact>}
      <Fact icon={Undo2} tone={undo.tone}>
        {undo.text}
        {preview.kind !== 'memory' && coverage.skipped.length > 0 && <details><summary className="small">{say('approval.not-held', { count: coverage.skipped.length })}</summary><ul className="small">{coverage.skipped.slice(0, 50).map((skip) => <li key={skip.path}><Exact text={skip.path} className="mono wrap-any" /> {say(`approval.skip.${skip.reason}`)}</li>)}</ul></details>}
      </Fact>
      {!isSaid && !isRewritten && !(request.reason.code === 'guard.nothing-against' && warns(preview)) && <Fact icon={Info} tone="" isWide={preview.kind === 'command' || preview.kind === 'mcp'}>{say.fact(request.reason)}</Fact>}
    </div>
  )
}

/** Something on the card warns already: that the guards have no objection would read as if it did not matter. */
function warns(preview: ApprovalRequest['preview']): boolean {
  if (preview.kind === 'web-search') return preview.notes.length > 0 || countHidden(preview.query) > 0
  if (preview.kind !== 'fetch') return false
  const { host, warnings } = addressFacts(preview.url)
  return preview.notes.length > 0 || warnings.length > 0 || host !== preview.host || countHidden(preview.url) > 0
}

function undoFact({ preview, coverage }: ApprovalRequest, say: Speaker): { readonly tone: string; readonly text: ReactNode } {
  if (preview.kind === 'memory') return { tone: 't-ok', text: say('approval.memory.undo') }
  const parts = preview.kind === 'command' ? preview.parts : []
  const lost = parts.filter((part) => !part.canUndo)
  if (lost.length > 0) {
    const names = lost.map((part) => part.argv.slice(0, 2).map(quoteWord).join(' ')).join(', ')
    return { tone: 't-bad', text: <>{say('approval.undo-parts', { covered: parts.length - lost.length, total: parts.length })} <Exact text={names} className="mono" /></> }
  }
  if (preview.kind === 'fetch' || preview.kind === 'web-search') return { tone: 't-warn', text: say('web.card.undo') }
  if (preview.kind === 'mcp') return mcpUndo[coverage.kind](say)
  if (preview.kind === 'command' && parts.length === 0) return { tone: 't-warn', text: say('approval.undo-unknown') }
  if (coverage.kind === 'full') return { tone: 't-ok', text: say(preview.kind === 'command' ? 'approval.undo-full-command' : 'approval.undo-full') }
  return coverage.kind === 'partial' ? { tone: 't-warn', text: say('approval.undo-partial') } : { tone: 't-bad', text: say('approval.undo-none') }
}

/** A server's program is not held by the folder: only what it does there comes back. */
const mcpUndo = {
  full: (say: Speaker) => ({ tone: 't-warn', text: say('approval.mcp-undo') }),
  partial: (say: Speaker) => ({ tone: 't-warn', text: say('approval.mcp-undo-part') }),
  none: (say: Speaker) => ({ tone: 't-bad', text: say('approval.mcp-undo-none') }),
} as const
