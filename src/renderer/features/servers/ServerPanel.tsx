import { useState, type ReactNode } from 'react'
import type { McpServerDetail } from '../../../shared/ipc/views'
import { Exact } from '../../ui/Exact'
import { Switch } from '../../ui/fields'
import { Chip } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { ChangeCard } from './ChangeCard'
import { setChoice } from './serverStore'
import { dayOf } from './stateWords'
import { ToolList } from './ToolList'

interface PanelProps {
  readonly detail: McpServerDetail
  /** True where it stands in the form's place. */
  readonly isAlone: boolean
  readonly tabs: ReactNode
}

/** What a server offers: what changed since it was accepted, its tools, and what it may ask for. */
export function ServerPanel({ detail, isAlone, tabs }: PanelProps) {
  const say = useWords()
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const { row, changes, tools } = detail
  const changed = new Set(changes.map((change) => change.tool))
  const others = tools.filter((tool) => !changed.has(tool.name))
  return (
    <section className={isAlone ? 'main' : 'main toolpane'} aria-label={say('servers.offers', { name: row.name })} data-zone="server-tools" tabIndex={-1}>
      <div className="head">
        <h2 className="cut"><Exact text={row.name} /></h2>
        {changes.length > 0 ? <Chip tone="warn">{chipWord()}</Chip> : <span className="small faint cut">{say('servers.counts', { tools: row.tools, resources: row.resources, prompts: row.prompts })}</span>}
      </div>
      {isAlone && tabs && <div className="row" style={{ padding: '8px 20px 0' }}>{tabs}</div>}
      <div ref={setScroller} className="panelbody">
        <Changes detail={detail} />
        {scroller && <ToolList server={row.name} tools={others} heading={say(changes.length > 0 ? 'servers.other-tools' : 'servers.tools')} sum={row.tokens} scroller={scroller} />}
        <Permissions detail={detail} />
        <About detail={detail} />
      </div>
    </section>
  )

  function chipWord(): string {
    const count = changes.filter((change) => change.subject === 'tool').length
    return count === 0 ? say('servers.start-changed') : say('servers.tools-changed', { count })
  }
}

function Changes({ detail }: { readonly detail: McpServerDetail }) {
  const say = useWords()
  const start = detail.changes.find((change) => change.subject === 'start')
  const ofTools = detail.changes.filter((change) => change.subject === 'tool')
  const [first] = ofTools
  return (
    <>
      {start && <><p className="dim">{say('servers.start-change-about', { day: dayOf(start.acceptedAtMs, say) })}</p><ChangeCard key={start.hash} server={detail.row.name} change={start} registered={null} /></>}
      {first && <p className="dim">{say(ofTools.length === 1 ? 'servers.tool-change-about' : 'servers.tool-changes-about', { day: dayOf(first.acceptedAtMs, say), count: ofTools.length })}</p>}
      {ofTools.map((change) => {
        const tool = detail.tools.find((one) => one.name === change.tool)
        return <ChangeCard key={change.hash} server={detail.row.name} change={change} registered={tool?.registered ?? null} isOff={tool?.isOn === false} />
      })}
    </>
  )
}

const permissions = [
  { kind: 'sampling', field: 'maySample' },
  { kind: 'elicitation', field: 'mayAsk' },
  { kind: 'project-text', field: 'mayGetProjectText' },
] as const

/** What a server may do beside answering calls; each use is still asked. */
function Permissions({ detail }: { readonly detail: McpServerDetail }) {
  const say = useWords()
  return (
    <>
      <h3 className="med">{say('servers.may')}</h3>
      <ul className="card rows">
        {permissions.map(({ kind, field }) => (
          <li key={kind} className="row">
            <span className="grow"><span>{say(`servers.may.${kind}`)}</span><span className="small faint block">{say(`servers.may-about.${kind}`)}</span></span>
            <Switch label={say(`servers.may.${kind}`)} hasWord={false} isOn={detail[field]} onChange={(isOn) => void setChoice(detail.row.name, { kind, isOn })} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** What the server says of itself: outside text, never an instruction to the app. */
function About({ detail: { about, row } }: { readonly detail: McpServerDetail }) {
  const say = useWords()
  if (about.protocol === '') return null
  return (
    <>
      <h3 className="med">{say('servers.about')}</h3>
      <div className="card" style={{ padding: '10px 14px' }}>
        <p className="small dim"><Exact text={`${about.title} ${about.version}`} /> · {say('servers.protocol', { version: about.protocol })} · {say('servers.counts', { tools: row.tools, resources: row.resources, prompts: row.prompts })}</p>
        {about.instructions !== '' && <><p className="small faint" style={{ paddingTop: 8 }}>{say('servers.instructions')}</p><p className="quote small"><Exact text={about.instructions} /></p></>}
      </div>
    </>
  )
}
