import { ChevronDown, ChevronRight, TriangleAlert } from 'lucide-react'
import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import { Virtuoso } from 'react-virtuoso'
import type { McpToolRow } from '../../../shared/ipc/views'
import { Exact } from '../../ui/Exact'
import { Choice, Switch } from '../../ui/fields'
import { useWords } from '../../ui/words'
import { setChoice } from './serverStore'

interface ListProps {
  readonly server: string
  readonly tools: readonly McpToolRow[]
  readonly heading: string
  /** Tokens of all tools of the server that are on. */
  readonly sum: number
  readonly scroller: HTMLElement
}

/** From how many tools on there is a search, and from how many only those near the window are drawn. */
const searchFrom = 20
const virtualFrom = 60

/** A server's tools with their switches and what each costs. A thousand of them scroll. */
export function ToolList({ server, tools, heading, sum, scroller }: ListProps) {
  const say = useWords()
  const [wanted, setWanted] = useState('')
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const words = useDeferredValue(wanted)
  const shown = useMemo(() => found(tools, words), [tools, words])
  const toggle = useCallback((name: string) => setOpen((before) => { const next = new Set(before); if (!next.delete(name)) next.add(name); return next }), [])
  const draw = useCallback((_at: number, tool: McpToolRow) => <ToolRow server={server} tool={tool} isOpen={open.has(tool.name)} onToggle={toggle} />, [server, open, toggle])
  if (tools.length === 0) return <><h3 className="med">{heading}</h3><p className="dim">{say('servers.no-tools')}</p></>
  return (
    <>
      <div className="row"><h3 className="med grow">{heading}</h3><span className="small faint">{say('servers.tokens-sum', { tokens: sum })}</span></div>
      {tools.some((tool) => tool.hints.length > 0) && <p className="small faint">{say('servers.hints-note')}</p>}
      {tools.length > searchFrom && <input className="input" aria-label={say('servers.search-tools')} placeholder={say('servers.search-tools')} value={wanted} onChange={(event) => setWanted(event.target.value)} />}
      {shown.length === 0 && <p className="dim">{say('servers.no-match')}</p>}
      {shown.length > virtualFrom
        ? <div className="card tools" role="list" aria-label={heading}><Virtuoso customScrollParent={scroller} data={shown} computeItemKey={(_at, tool) => tool.name} itemContent={draw} increaseViewportBy={400} /></div>
        : shown.length > 0 && <div className="card tools" role="list" aria-label={heading}>{shown.map((tool, at) => <div key={tool.name}>{draw(at, tool)}</div>)}</div>}
    </>
  )
}

function found(tools: readonly McpToolRow[], wanted: string): readonly McpToolRow[] {
  const words = wanted.toLowerCase().split(/\s+/).filter((word) => word !== '')
  return words.length === 0 ? tools : tools.filter((tool) => { const text = `${tool.name} ${tool.title} ${tool.description}`.toLowerCase(); return words.every((word) => text.includes(word)) })
}

interface RowProps {
  readonly server: string
  readonly tool: McpToolRow
  readonly isOpen: boolean
  readonly onToggle: (name: string) => void
}

function ToolRow({ server, tool, isOpen, onToggle }: RowProps) {
  const say = useWords()
  const { name, refusal, warnings } = tool
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <div className="tool" role="listitem">
      <div className="row">
        <button type="button" className="row grow name" aria-expanded={isOpen} onClick={() => onToggle(name)}><Chevron className="i faint" size={14} aria-hidden /><Exact text={name} className="mono cut" />{warnings.length > 0 && <TriangleAlert className="i t-warn" size={14} aria-label={say('servers.has-warnings')} />}</button>
        {refusal === null && <Choice label={say('servers.effect-of', { name })} value={tool.effect} options={[{ value: 'execute', label: say('servers.effect.execute') }, { value: 'network', label: say('servers.effect.network') }]} onChange={(effect) => void setChoice(server, { kind: 'effect', tool: name, effect })} />}
        <span className="time tokens">{say('servers.tokens', { tokens: tool.tokens })}</span>
        <Switch label={say('servers.offer', { name })} hasWord={false} isOn={tool.isOn && refusal === null} isDisabled={refusal !== null} onChange={(isOn) => void setChoice(server, { kind: 'tool', tool: name, isOn })} />
      </div>
      {refusal && <p className="small t-bad under"><Exact text={say.fact(refusal)} className="wrap-any" /></p>}
      {tool.hints.length > 0 && <p className="small faint under">{say('servers.server-says', { what: tool.hints.map((hint) => say.fact(hint)).join(say('servers.joint')) })}</p>}
      {isOpen && <ToolDetail tool={tool} />}
    </div>
  )
}

/** The whole text that the model would read, as it is. */
function ToolDetail({ tool }: { readonly tool: McpToolRow }) {
  const say = useWords()
  return (
    <div className="under tooldetail">
      {tool.warnings.map((warning, at) => <p key={at} className="small t-warn"><Exact text={say.fact(warning)} className="wrap-any" /></p>)}
      {tool.registered !== null && <p className="small faint">{say('servers.registered')} <Exact text={tool.registered} className="mono wrap-any" /></p>}
      {tool.title !== '' && tool.title !== tool.name && <p className="small"><Exact text={tool.title} /></p>}
      <p className="quote small">{tool.description === '' ? <span className="faint">{say('servers.no-description')}</span> : <Exact text={tool.description} />}</p>
    </div>
  )
}
