import { Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ApprovalRequest } from '../../../shared/domain/approval'
import type { SkippedPath } from '../../../shared/domain/snapshot'
import { Exact } from '../../ui/Exact'
import { leading, useWords, type Speaker } from '../../ui/words'
import { Fact } from './Fact'
import { filled } from './filled'
import { Listed } from './Listed'
import { undoShare, unheldThatMatter, type UndoShare } from './partLook'

/** So many paths stand in the sentence; all of them, with reasons, below it. */
const namedPaths = 3
const listedPaths = 50

/** How much of the call can be taken back: in full, except for what no snapshot holds, or not at all (R80). */
export function UndoFact({ request, root }: { readonly request: ApprovalRequest; readonly root: string }) {
  const say = useWords()
  const { tone, text, share, unheld = [] } = undoOf(request, root, say)
  return (
    <Fact icon={Undo2} tone={tone}>
      {text}
      {share && <UndoBar share={share} />}
      {unheld.length > 0 && <UnheldList paths={unheld} />}
    </Fact>
  )
}

/** How many parts can be taken back, in part, or not: the words beside it say the same. */
function UndoBar({ share }: { readonly share: UndoShare }) {
  const total = share.covered + share.partly + share.lost
  return <span className="undobar" aria-hidden>{(['covered', 'partly', 'lost'] as const).map((kind) => share[kind] > 0 && <span key={kind} className={kind} style={{ flex: share[kind] / total }} />)}</span>
}

/** Paths that no snapshot holds, each with its reason, behind their number. */
export function UnheldList({ paths }: { readonly paths: readonly SkippedPath[] }) {
  const say = useWords()
  return (
    <details>
      <summary className="small">{say('approval.not-held', { count: paths.length })}</summary>
      <ul className="small">
        {paths.slice(0, listedPaths).map(({ path, reason }) => <li key={path}><Exact text={path} className="mono wrap-any" /> <span className="dim">{say(`snapshot.skip-${reason}`)}</span></li>)}
        {paths.length > listedPaths && <li className="dim">{say('approval.not-held-more', { count: paths.length - listedPaths })}</li>}
      </ul>
    </details>
  )
}

interface Undo {
  readonly tone: string
  readonly text: ReactNode
  readonly share?: UndoShare
  /** Each with its reason. */
  readonly unheld?: readonly SkippedPath[]
}

function undoOf(request: ApprovalRequest, root: string, say: Speaker): Undo {
  const { preview, coverage } = request
  if (preview.kind === 'memory') return { tone: 't-ok', text: say('approval.memory.undo') }
  if (preview.kind === 'fetch' || preview.kind === 'web-search') return { tone: 't-warn', text: say('web.card.undo') }
  // That it was not run for this very reason is said above.
  if (coverage.fault !== undefined && request.notRun === undefined) return { tone: 't-warn', text: <Exact text={say('approval.undo-stopped', { why: coverage.fault })} className="wrap-any" /> }
  if (preview.kind === 'command') return commandUndo(preview.parts, request, root, say)
  if (isOfServer(request)) return serverUndo(request, say)
  return fileUndo(request, say)
}

/** A program or address beside the app does it: outside of the sandbox, and what it does elsewhere stays done. */
export function isOfServer({ preview, tool }: ApprovalRequest): boolean {
  return preview.kind === 'mcp' || tool === 'start_server'
}

function commandUndo(parts: Extract<ApprovalRequest['preview'], { readonly kind: 'command' }>['parts'], { coverage }: ApprovalRequest, root: string, say: Speaker): Undo {
  const unheld = unheldThatMatter(parts, coverage, root)
  if (parts.length === 0) return { tone: 't-warn', text: say('approval.undo-unknown'), unheld }
  const share = undoShare(parts, coverage, root)
  if (share.lost > 0) {
    const text = <>{leading(say('approval.undo-parts', { covered: share.covered, total: parts.length }))}<Listed of={share.missing} /></>
    return { tone: 't-bad', text, share, unheld: unheld.filter(({ path }) => !share.missing.includes(path)) }
  }
  if (coverage.kind === 'none') return { tone: 't-bad', text: say('approval.undo-none') }
  if (unheld.length === 0) return { tone: 't-ok', text: say('approval.undo-full-command'), share }
  const covered = parts.filter((part) => unheldThatMatter([part], coverage, root).length === 0).length
  return { tone: 't-warn', text: <Except paths={unheld} say={say} />, share: { ...share, covered, partly: parts.length - covered }, unheld }
}

/** A server's program is not held by the folder: only what it does there comes back. */
function serverUndo({ coverage }: ApprovalRequest, say: Speaker): Undo {
  if (coverage.kind === 'none') return { tone: 't-bad', text: say('approval.mcp-undo-none') }
  const unheld = unheldThatMatter([], coverage, '')
  return unheld.length === 0 ? { tone: 't-warn', text: say('approval.mcp-undo') } : { tone: 't-warn', text: say('approval.mcp-undo-part'), unheld }
}

/** Of what a file tool changes, the paths are known. */
function fileUndo({ coverage: { kind, skipped } }: ApprovalRequest, say: Speaker): Undo {
  if (kind === 'full') return { tone: 't-ok', text: say('approval.undo-full-before') }
  const [first, ...others] = skipped
  if (kind === 'partial' && first !== undefined) return { tone: 't-warn', text: <Except paths={skipped} say={say} />, unheld: skipped }
  if (first === undefined || others.length > 0) return { tone: 't-bad', text: say('approval.undo-none'), unheld: skipped }
  return { tone: 't-bad', text: filled(say, 'approval.undo-none-why', { path: <Exact text={first.path} className="mono wrap-any" /> }, { why: say(`snapshot.skip-${first.reason}`) }) }
}

function Except({ paths, say }: { readonly paths: readonly SkippedPath[]; readonly say: Speaker }) {
  const more = paths.length - namedPaths
  return <>{leading(say('approval.undo-except', { count: paths.length }))}<Listed of={paths.slice(0, namedPaths).map(({ path }) => path)} />{more > 0 && say('approval.undo-except-more', { count: more })}</>
}
