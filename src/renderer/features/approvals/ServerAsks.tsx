import type { ApprovalPreview } from '../../../shared/domain/approval'
import { Exact } from '../../ui/Exact'
import { Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { addressFacts } from './address'
import type { Reading } from './cardText'
import { HiddenNote } from './HiddenNote'
import { ReadBox } from './ReadBox'

type Preview<Kind extends ApprovalPreview['kind']> = Extract<ApprovalPreview, { readonly kind: Kind }>

/** What a server wants a model to answer, whole. */
export function SamplingThing({ preview, onRead }: { readonly preview: Preview<'sampling'>; readonly onRead: (how: Reading) => void }) {
  const say = useWords()
  const texts = [...(preview.system === '' ? [] : [{ role: 'system' as const, text: preview.system }]), ...preview.messages]
  return (
    <>
      <div style={{ padding: '10px 14px' }}><Note tone="info">{say('approval.sampling.goes', { tokens: preview.maxTokens })}</Note></div>
      <ReadBox name={say('approval.sampling.name')} className="quoted" onRead={onRead}>
        {texts.map(({ role, text }, at) => <div key={at}><p className="small faint">{say(`approval.sampling.${role}`)}</p><Exact text={text} /></div>)}
      </ReadBox>
      {preview.attached > 0 && <p className="small dim" style={{ padding: '8px 14px' }}>{say('approval.sampling.attached', { count: preview.attached })}</p>}
      <HiddenNote text={texts.map((one) => one.text).join('')} />
    </>
  )
}

/** An address that a server wants opened: whole, its host standing out, and what makes it look like another. */
export function AddressThing({ preview, onRead }: { readonly preview: Preview<'open-address'>; readonly onRead: (how: Reading) => void }) {
  const say = useWords()
  const { host, pieces, warnings } = addressFacts(preview.url)
  const [before, shown, after] = pieces ?? [preview.url, '', '']
  return (
    <>
      {preview.message !== '' && <ReadBox name={say('approval.sampling.user')} className="quoted" onRead={onRead}><Exact text={preview.message} /></ReadBox>}
      <div className="thing code" tabIndex={0} role="group" aria-label={say('approval.address.name')}>
        <span className="t-2"><Exact text={before} /></span>{shown !== '' && <strong className="host"><Exact text={shown} /></strong>}<span className="t-2"><Exact text={after} /></span>
      </div>
      <HiddenNote text={preview.message + preview.url} />
      <div className="col gap-2" style={{ padding: '8px 14px' }}>
        {host === null ? <Note tone="bad">{say('approval.address.no-web')}</Note> : <p className="small dim">{say('approval.address.host')} <Exact text={host} className="mono strong" /></p>}
        {warnings.map((warning) => <Note key={warning} tone={warning === 'plain' ? 'warn' : 'bad'}>{say(`approval.address.${warning}`, { host: host ?? '' })}</Note>)}
        {host !== null && <p className="small dim">{say('approval.address.opens')}</p>}
      </div>
    </>
  )
}
