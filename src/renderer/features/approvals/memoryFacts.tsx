import { Bot, FileText, Globe, Plug, TriangleAlert, User, Wrench, type LucideIcon } from 'lucide-react'
import type { ApprovalPreview } from '../../../shared/domain/approval'
import type { RelatedMemory, TextOrigin } from '../../../shared/domain/memory'
import { Exact } from '../../ui/Exact'
import { leading, useWords, type Speaker } from '../../ui/words'

export type MemoryPreview = Extract<ApprovalPreview, { readonly kind: 'memory' }>

/** Words of it came from outside: a web page or a server. */
export function isFromOutside({ origins }: MemoryPreview): boolean {
  return origins.some((origin) => origin.kind === 'outside')
}

/** Where the words of a proposed fact stand already: the wish to remember it came from there (g02). */
export function Origins({ preview }: { readonly preview: MemoryPreview }) {
  const say = useWords()
  const { origins } = preview
  return (
    <>
      {origins.length === 0
        ? <p className="small dim row"><Bot className="i" size={14} aria-hidden />{say('approval.memory.no-origin')}</p>
        : (
          <div className="row small" style={{ flexWrap: 'wrap', gap: 6 }}>
            <span className="dim">{say('approval.memory.from')}</span>
            {origins.map((origin, at) => <Origin key={at} origin={origin} />)}
          </div>
        )}
      {isFromOutside(preview) && <p className="small t-warn row" style={{ alignItems: 'flex-start', gap: 6 }}><TriangleAlert className="i" size={14} aria-hidden /><span>{say('approval.memory.outside')}</span></p>}
    </>
  )
}

function Origin({ origin }: { readonly origin: TextOrigin }) {
  const say = useWords()
  const { icon: Icon, words } = originLook(origin, say)
  return <span className={origin.kind === 'outside' ? 'chip warn' : 'chip'}><Icon className="i" size={14} aria-hidden /><Exact text={words} /></span>
}

function originLook(origin: TextOrigin, say: Speaker): { readonly icon: LucideIcon; readonly words: string } {
  switch (origin.kind) {
    case 'user': return { icon: User, words: say('approval.memory.origin.user') }
    case 'file': return { icon: FileText, words: say('approval.memory.origin.file', { path: origin.path }) }
    case 'tool': return { icon: Wrench, words: say('approval.memory.origin.tool', { tool: origin.tool }) }
    case 'outside': return origin.source.kind === 'web' ? { icon: Globe, words: say('approval.memory.origin.web', { url: origin.source.url }) } : { icon: Plug, words: say('approval.memory.origin.mcp', { server: origin.source.server }) }
  }
}

/** Entries that say the same or may say the opposite, in full. */
export function Related({ related }: { readonly related: readonly RelatedMemory[] }) {
  const say = useWords()
  return related.map(({ memory, relation }) => (
    <p key={memory.id} className={relation === 'contradicts' ? 'small t-warn' : 'small dim'}>{leading(say(`approval.memory.${relation}`))}<Exact text={memory.text} className="wrap-any" /></p>
  ))
}
