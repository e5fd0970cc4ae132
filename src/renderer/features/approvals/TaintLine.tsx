import { FileText, Globe, Plug } from 'lucide-react'
import type { TaintMark } from '../../../shared/domain/approval'
import { sourceName, webKind } from '../../../shared/domain/sourceName'
import { Exact } from '../../ui/Exact'
import { joined, useWords } from '../../ui/words'
import { filled } from './filled'

const icons = { web: Globe, mcp: Plug, file: FileText } as const

/** More sources than these are counted, those that share words first. */
const mostNamed = 3

/** What from outside the turn has read, and which words of the call stand there too (R71). Then no rule answers. */
export function TaintLines({ taint }: { readonly taint: readonly TaintMark[] }) {
  const say = useWords()
  const [first] = taint
  if (!first) return null
  const marks = [...taint].sort((a, b) => Number(b.shared !== null) - Number(a.shared !== null))
  const named = marks.slice(0, mostNamed)
  return named.map((mark, at) => {
    const Icon = icons[mark.source.kind]
    const isLast = at === named.length - 1
    return (
      <div key={at} className="fact wide">
        <Icon className="i t-warn" size={14} aria-hidden />
        <span>
          <Mark mark={mark} />
          {isLast && marks.length > mostNamed && after(say('approval.taint.more', { count: marks.length - mostNamed }))}
          {isLast && after(say('approval.taint.no-rule'))}
        </span>
      </div>
    )
  })
}

/** A sentence behind another one of the same language. */
function after(sentence: string): string {
  return joined(sentence, sentence)
}

function Mark({ mark: { source, shared } }: { readonly mark: TaintMark }) {
  const say = useWords()
  const parts = { source: <Exact text={sourceName(source)} className="wrap-any" />, ...(shared === null ? {} : { shared: <mark className="shared"><Exact text={shared} className="wrap-any" /></mark> }) }
  const kind = source.kind === 'web' ? webKind(source) : source.kind
  return filled(say, shared === null ? `approval.taint.${kind}` : `approval.taint.${kind}.shared`, parts)
}
