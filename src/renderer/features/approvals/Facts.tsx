import { Box, Info, Webhook } from 'lucide-react'
import type { ApprovalRequest } from '../../../shared/domain/approval'
import type { SandboxFacts } from '../../../shared/domain/sandbox'
import type { TrustHook } from '../../../shared/domain/trust'
import { Exact } from '../../ui/Exact'
import { countHidden } from '../../ui/hiddenText'
import { joined, useWords } from '../../ui/words'
import { addressFacts } from './address'
import { AgainFact } from './AgainFact'
import { Fact } from './Fact'
import { hooksRunBy } from './hooksRun'
import { SandboxFact } from './SandboxFact'
import { TaintLines } from './TaintLine'
import { isOfServer, UndoFact } from './UndoFact'
import { widerShapes } from './wider'

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
  const { preview } = request
  // What these ask is no act on the folder; they say themselves what follows.
  if (preview.kind === 'question' || preview.kind === 'sampling' || preview.kind === 'elicitation' || preview.kind === 'open-address') return null
  // A part of the command says it already.
  const isSaid = preview.kind === 'command' ? asksForMore.has(request.reason.code) || preview.parts.some((part) => say.fact(part.reason) === say.fact(request.reason)) : preview.kind === 'mcp' && preview.change !== null
  const asksAlways = widerShapes(request) === 'never' && !isRewritten
  return (
    <div className="facts">
      <AgainFact request={request} />
      {preview.kind === 'command' && <SandboxFact request={request} facts={sandbox} network={network} />}
      {isOfServer(request) && <Fact icon={Box} tone="t-warn">{say('approval.mcp-no-sandbox')}</Fact>}
      <UndoFact request={request} root={root} />
      {preview.kind === 'command' && !isRewritten && <HookFact paths={hooksRunBy(preview.parts, hooks)} />}
      {!isRewritten && <TaintLines taint={request.taint ?? []} />}
      {!isSaid && !isRewritten && !(request.reason.code === 'guard.nothing-against' && warns(preview)) && <Fact icon={Info} tone="" isWide={preview.kind === 'command' || preview.kind === 'mcp'}><Exact text={say.fact(request.reason)} />{asksAlways && <AsksAlways after={say.fact(request.reason)} />}</Fact>}
      {(isSaid || (request.reason.code === 'guard.nothing-against' && warns(preview))) && asksAlways && <Fact icon={Info} tone="" isWide><AsksAlways after="" /></Fact>}
    </div>
  )
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

/** Something on the card warns already: that the guards have no objection would read as if it did not matter. */
function warns(preview: ApprovalRequest['preview']): boolean {
  if (preview.kind === 'web-search') return preview.notes.length > 0 || countHidden(preview.query) > 0
  if (preview.kind !== 'fetch') return false
  const { host, warnings } = addressFacts(preview.url)
  return preview.notes.length > 0 || warnings.length > 0 || host !== preview.host || countHidden(preview.url) > 0
}
