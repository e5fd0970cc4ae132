import { Box, Info, Undo2, Webhook, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ApprovalRequest } from '../../../shared/domain/approval'
import type { SandboxFacts } from '../../../shared/domain/sandbox'
import type { TrustHook } from '../../../shared/domain/trust'
import { Exact } from '../../ui/Exact'
import { countHidden } from '../../ui/hiddenText'
import { joined, leading, useWords, type Speaker } from '../../ui/words'
import { addressFacts } from './address'
import { hooksRunBy } from './hooksRun'
import { Listed } from './Listed'
import { undoShare, type UndoShare } from './partLook'
import { SandboxFact } from './SandboxFact'
import { TaintLines } from './TaintLine'
import { widerShapes } from './wider'

interface FactProps {
  readonly icon: LucideIcon
  readonly tone: string
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** One fact of a card, with its sign. */
export function Fact({ icon: Icon, tone, isWide = false, children }: FactProps) {
  return <div className={isWide ? 'fact wide' : 'fact'}><Icon className={`i ${tone}`} size={14} aria-hidden /><span>{children}</span></div>
}

interface FactsProps {
  readonly request: ApprovalRequest
  readonly root: string
  readonly sandbox: SandboxFacts | null
  readonly hooks: readonly TrustHook[]
  /** The person's text took the place of what was judged. */
  readonly isRewritten: boolean
  /** The person's word on the network of this command. */
  readonly network: { readonly isOn: boolean; readonly onChange: ((isOn: boolean) => void) | null }
}

/** Sandbox, undo, sources, and why this asks: what can be lost, before it is. */
export function Facts({ request, root, sandbox, hooks, isRewritten, network }: FactsProps) {
  const say = useWords()
  const { preview, coverage } = request
  // What these ask is no act on the folder; they say themselves what follows.
  if (preview.kind === 'question' || preview.kind === 'sampling' || preview.kind === 'elicitation' || preview.kind === 'open-address') return null
  const undo = undoFact(request, root, say)
  // A part of the command says it already.
  const isSaid = preview.kind === 'command' ? asksForMore.has(request.reason.code) || preview.parts.some((part) => say.fact(part.reason) === say.fact(request.reason)) : preview.kind === 'mcp' && preview.change !== null
  const asksAlways = widerShapes(request) === 'never' && !isRewritten
  return (
    <div className="facts">
      {preview.kind === 'command' && <SandboxFact request={request} facts={sandbox} network={network} />}
      {isOfServer(request) && <Fact icon={Box} tone="t-warn">{say('approval.mcp-no-sandbox')}</Fact>}
      <Fact icon={Undo2} tone={undo.tone}>
        {undo.text}
        {undo.share && <UndoBar share={undo.share} />}
        {preview.kind !== 'memory' && coverage.skipped.some((skip) => undo.share?.missing.includes(skip.path) !== true) && <details><summary className="small">{say('approval.not-held', { count: coverage.skipped.length })}</summary><ul className="small">{coverage.skipped.slice(0, 50).map((skip) => <li key={skip.path}><Exact text={skip.path} className="mono wrap-any" /> {say(`approval.skip.${skip.reason}`)}</li>)}</ul></details>}
      </Fact>
      {preview.kind === 'command' && !isRewritten && <HookFact paths={hooksRunBy(preview.parts, hooks)} />}
      {!isRewritten && <TaintLines taint={request.taint ?? []} />}
      {!isSaid && !isRewritten && !(request.reason.code === 'guard.nothing-against' && warns(preview)) && <Fact icon={Info} tone="" isWide={preview.kind === 'command' || preview.kind === 'mcp'}><Exact text={say.fact(request.reason)} />{asksAlways && <AsksAlways after={say.fact(request.reason)} />}</Fact>}
      {(isSaid || (request.reason.code === 'guard.nothing-against' && warns(preview))) && asksAlways && <Fact icon={Info} tone="" isWide><AsksAlways after="" /></Fact>}
    </div>
  )
}

/** A program or address beside the app does it: outside of the sandbox, and what it does elsewhere stays done. */
function isOfServer({ preview, tool }: ApprovalRequest): boolean {
  return preview.kind === 'mcp' || tool === 'start_server'
}

/** Programs of the folder that run along; the app itself never starts one. */
function HookFact({ paths }: { readonly paths: readonly string[] }) {
  const say = useWords()
  return paths.length > 0 && <Fact icon={Webhook} tone="t-warn" isWide><Exact text={say('approval.hooks', { count: paths.length, paths })} className="wrap-any" /></Fact>
}

/** What is said of the sandbox says these too. */
const asksForMore: ReadonlySet<string> = new Set(['command.asks-network', 'command.asks-outside'])

/** Why nothing wider than this one answer is offered. */
function AsksAlways({ after }: { readonly after: string }) {
  const say = useWords()
  const sentence = say('approval.asks-always')
  return <>{after === '' ? sentence : joined(after, sentence)}</>
}

/** How many parts can be taken back, in part, or not: the words beside it say the same. */
function UndoBar({ share }: { readonly share: UndoShare }) {
  const total = share.covered + share.partly + share.lost
  return <span className="undobar" aria-hidden>{(['covered', 'partly', 'lost'] as const).map((kind) => share[kind] > 0 && <span key={kind} className={kind} style={{ flex: share[kind] / total }} />)}</span>
}

/** Something on the card warns already: that the guards have no objection would read as if it did not matter. */
function warns(preview: ApprovalRequest['preview']): boolean {
  if (preview.kind === 'web-search') return preview.notes.length > 0 || countHidden(preview.query) > 0
  if (preview.kind !== 'fetch') return false
  const { host, warnings } = addressFacts(preview.url)
  return preview.notes.length > 0 || warnings.length > 0 || host !== preview.host || countHidden(preview.url) > 0
}

interface UndoFact {
  readonly tone: string
  readonly text: ReactNode
  readonly share?: UndoShare
}

function undoFact(request: ApprovalRequest, root: string, say: Speaker): UndoFact {
  const { preview, coverage } = request
  if (preview.kind === 'memory') return { tone: 't-ok', text: say('approval.memory.undo') }
  if (preview.kind === 'command') return commandUndo(preview.parts, request, root, say)
  if (preview.kind === 'fetch' || preview.kind === 'web-search') return { tone: 't-warn', text: say('web.card.undo') }
  if (isOfServer(request)) return mcpUndo[coverage.kind](say)
  if (coverage.kind === 'full') return { tone: 't-ok', text: say('approval.undo-full') }
  return coverage.kind === 'partial' ? { tone: 't-warn', text: say('approval.undo-partial') } : { tone: 't-bad', text: say('approval.undo-none') }
}

function commandUndo(parts: Extract<ApprovalRequest['preview'], { readonly kind: 'command' }>['parts'], { coverage }: ApprovalRequest, root: string, say: Speaker): UndoFact {
  if (parts.length === 0) return { tone: 't-warn', text: say('approval.undo-unknown') }
  const share = undoShare(parts, coverage, root)
  if (share.missing.length > 0) {
    const text = <>{leading(say('approval.undo-parts', { covered: share.covered, total: parts.length }))}<Listed of={share.missing} /></>
    return { tone: share.lost > 0 ? 't-bad' : 't-warn', text, share }
  }
  if (coverage.kind === 'none') return { tone: 't-bad', text: say('approval.undo-none') }
  return coverage.kind === 'full' ? { tone: 't-ok', text: say('approval.undo-full-command'), share } : { tone: 't-warn', text: say('approval.undo-partial') }
}

/** A server's program is not held by the folder: only what it does there comes back. */
const mcpUndo = {
  full: (say: Speaker) => ({ tone: 't-warn', text: say('approval.mcp-undo') }),
  partial: (say: Speaker) => ({ tone: 't-warn', text: say('approval.mcp-undo-part') }),
  none: (say: Speaker) => ({ tone: 't-bad', text: say('approval.mcp-undo-none') }),
} as const
