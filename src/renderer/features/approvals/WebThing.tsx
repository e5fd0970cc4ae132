import type { ApprovalPreview } from '../../../shared/domain/approval'
import { Exact } from '../../ui/Exact'
import { Note } from '../../ui/parts'
import { leading, useWords } from '../../ui/words'
import { addressFacts } from './address'
import type { Reading } from './cardText'
import { HiddenNote } from './HiddenNote'
import { ReadBox } from './ReadBox'

type Preview<Kind extends ApprovalPreview['kind']> = Extract<ApprovalPreview, { readonly kind: Kind }>

/** A page to fetch: the whole address, its host standing out, where that leads, and what of this session goes there. */
export function FetchThing({ preview, onRead }: { readonly preview: Preview<'fetch'>; readonly onRead: (how: Reading) => void }) {
  const say = useWords()
  const { host, pieces, warnings } = addressFacts(preview.url)
  const [before, shown, after] = pieces ?? [preview.url, '', '']
  return (
    <>
      <ReadBox name={say('approval.address.name')} className="code" onRead={onRead}>
        <span className="t-2"><Exact text={before} /></span>{shown !== '' && <strong className="host"><Exact text={shown} /></strong>}<span className="t-2"><Exact text={after} /></span>
      </ReadBox>
      <HiddenNote text={preview.url} />
      <div className="col gap-2" style={{ padding: '8px 14px' }}>
        <p className="small dim">{leading(say('approval.address.host'))}<Exact text={preview.host} className="mono strong" /> · {say(preview.isPrivate ? 'web.card.private' : 'web.card.public')}</p>
        {host !== preview.host && <Note tone="bad">{say('web.card.other-host')}</Note>}
        {warnings.map((warning) => <Note key={warning} tone={warning === 'plain' ? 'warn' : 'bad'}>{say(`approval.address.${warning}`, { host: host ?? '' })}</Note>)}
        <FlowNotes notes={preview.notes} />
        <p className="small dim">{say('web.card.fetches')}</p>
      </div>
    </>
  )
}

/** A question to the search service of the settings: the whole question, and who is asked. */
export function SearchThing({ preview, onRead }: { readonly preview: Preview<'web-search'>; readonly onRead: (how: Reading) => void }) {
  const say = useWords()
  return (
    <>
      <ReadBox name={say('web.card.query')} className="code" onRead={onRead}><Exact text={preview.query} /></ReadBox>
      <HiddenNote text={preview.query} />
      <div className="col gap-2" style={{ padding: '8px 14px' }}>
        <p className="small dim">{leading(say('web.card.service', { service: say(`web.service.${serviceOf(preview.service)}`) }))}<Exact text={preview.host} className="mono strong" /></p>
        <FlowNotes notes={preview.notes} />
        <p className="small dim">{say('web.card.searches')}</p>
      </div>
    </>
  )
}

function serviceOf(service: string): 'searxng' | 'brave' | 'tavily' | 'other' {
  return service === 'searxng' || service === 'brave' || service === 'tavily' ? service : 'other'
}

function FlowNotes({ notes }: { readonly notes: Preview<'fetch'>['notes'] }) {
  const say = useWords()
  return notes.map((note, at) => <Note key={at} tone="warn"><Exact text={say.fact(note)} className="wrap-any" /></Note>)
}
