import { Bot, FileText, Globe, Plug, TriangleAlert, User, Wrench, type LucideIcon } from 'lucide-react'
import type { ApprovalPreview } from '../../../shared/domain/approval'
import { originOutside, type RelatedMemory, type TextOrigin } from '../../../shared/domain/memory'
import { webKind } from '../../../shared/domain/sourceName'
import type { TaintSource } from '../../../shared/domain/tool'
import { Exact } from '../../ui/Exact'
import { leading, useWords, type Speaker } from '../../ui/words'

export type MemoryPreview = Extract<ApprovalPreview, { readonly kind: 'memory' }>

/** It is kept as from outside: its words stand there, or its turn read something from there. */
export function isFromOutside({ origins }: MemoryPreview): boolean {
  return originOutside(origins) !== null
}

/** More than these pages and servers are counted. */
const mostRead = 3

/** What a person should know before they say yes: outside text that was read, or words that are not theirs. */
export function isDoubtful(preview: MemoryPreview): boolean {
  return preview.origins.some(({ kind }) => kind === 'outside' || kind === 'read') || strangersIn(preview).length > 0
}

/** Files and results that hold the words, where no message of the person does. */
function strangersIn({ origins }: MemoryPreview): readonly Stranger[] {
  if (origins.some(({ kind }) => kind === 'user')) return []
  return origins.filter((origin): origin is Stranger => origin.kind === 'file' || origin.kind === 'tool')
}

type Stranger = Extract<TextOrigin, { readonly kind: 'file' | 'tool' }>

/** Where the words of a proposed fact stand already: the wish to remember it came from there (g02). */
export function Origins({ preview }: { readonly preview: MemoryPreview }) {
  const say = useWords()
  const words = preview.origins.filter((origin): origin is WordOrigin => origin.kind !== 'read')
  return (
    <>
      {preview.origins.length === 0 && <p className="small dim row"><Bot className="i" size={14} aria-hidden />{say('approval.memory.no-origin')}</p>}
      {words.length > 0 && (
        <div className="row small" style={{ flexWrap: 'wrap', gap: 6 }}>
          <span className="dim">{say('approval.memory.from')}</span>
          {words.map((origin, at) => <Origin key={at} origin={origin} />)}
        </div>
      )}
      {warningsOf(preview, say).map((warning) => <Warning key={warning}>{warning}</Warning>)}
    </>
  )
}

function Warning({ children }: { readonly children: string }) {
  return <p className="small t-warn row" style={{ alignItems: 'flex-start', gap: 6 }}><TriangleAlert className="i" size={14} aria-hidden /><Exact text={children} className="wrap-any" /></p>
}

function warningsOf(preview: MemoryPreview, say: Speaker): readonly string[] {
  const read = preview.origins.filter((origin): origin is Exclude<TextOrigin, WordOrigin> => origin.kind === 'read')
  const told = read.slice(0, mostRead).map(({ source, isThisTurn }) => {
    const when = isThisTurn ? 'turn' : 'before'
    switch (source.kind) {
      case 'web': return say(`approval.memory.read-${webKind(source)}.${when}`, { host: source.host })
      case 'mcp': return say(`approval.memory.read-mcp.${when}`, { server: source.server })
      case 'file': return say(`approval.memory.read-file.${when}`, { path: source.path })
    }
  })
  const [stranger] = strangersIn(preview)
  return [
    ...(stranger ? [strangerWords(stranger, preview, say)] : []),
    ...told,
    ...(read.length > mostRead ? [say('approval.memory.read-more', { count: read.length - mostRead })] : []),
    ...(isFromOutside(preview) ? [say('approval.memory.outside')] : []),
  ]
}

function strangerWords(origin: Stranger, { scope }: MemoryPreview, say: Speaker): string {
  return origin.kind === 'file' ? say(`approval.memory.not-yours.file.${scope}`, { path: origin.path }) : say(`approval.memory.not-yours.tool.${scope}`, { tool: origin.tool })
}

type WordOrigin = Exclude<TextOrigin, { readonly kind: 'read' }>

function Origin({ origin }: { readonly origin: WordOrigin }) {
  const say = useWords()
  const { icon: Icon, words } = originLook(origin, say)
  return <span className={origin.kind === 'outside' ? 'chip warn' : 'chip'}><Icon className="i" size={14} aria-hidden /><Exact text={words} /></span>
}

function originLook(origin: WordOrigin, say: Speaker): { readonly icon: LucideIcon; readonly words: string } {
  switch (origin.kind) {
    case 'user': return { icon: User, words: say('approval.memory.origin.user') }
    case 'file': return { icon: FileText, words: say('approval.memory.origin.file', { path: origin.path }) }
    case 'tool': return { icon: Wrench, words: say('approval.memory.origin.tool', { tool: origin.tool }) }
    case 'outside': return outsideOrigin(origin.source, say)
  }
}

function outsideOrigin(source: TaintSource, say: Speaker): { readonly icon: LucideIcon; readonly words: string } {
  switch (source.kind) {
    case 'web': return { icon: Globe, words: say(`approval.memory.origin.${webKind(source)}`, { url: source.url }) }
    case 'mcp': return { icon: Plug, words: say('approval.memory.origin.mcp', { server: source.server }) }
    case 'file': return { icon: FileText, words: say('approval.memory.origin.file-outside', { path: source.path }) }
  }
}

/** Entries that say the same or may say the opposite, in full. */
export function Related({ related }: { readonly related: readonly RelatedMemory[] }) {
  const say = useWords()
  return related.map(({ memory, relation }) => (
    <p key={memory.id} className={relation === 'contradicts' ? 'small t-warn' : 'small dim'}>{leading(say(`approval.memory.${relation}`))}<Exact text={memory.text} className="wrap-any" /></p>
  ))
}
