import { Check, Equal, Plus, TriangleAlert } from 'lucide-react'
import type { McpImportRow } from '../../../shared/ipc/views'
import { Exact } from '../../ui/Exact'
import { Tick } from '../../ui/fields'
import { Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { clashes, nameOf, rename, tick, useImport, type Offer } from './importStore'

const states = { new: { icon: Plus, tone: 't-ok' }, same: { icon: Equal, tone: 'faint' }, taken: { icon: TriangleAlert, tone: 't-warn' } } as const

/** What would come in, source by source; names of variables are shown, values never. */
export function ImportRows({ offers }: { readonly offers: readonly Offer[] }) {
  const say = useWords()
  const fault = useImport((state) => state.fault)
  const added = useImport((state) => state.added)
  const bad = added === null ? clashes(offers) : new Set<string>()
  return (
    <>
      {fault && <Note tone="bad" role="alert"><Exact text={say.fact(fault)} className="wrap-any" /></Note>}
      {added && <Note tone="ok" role="status"><Check className="sr" aria-hidden />{say('servers.imported', { count: added.length })}{added.length > 0 && <> <Exact text={added.join(', ')} className="mono" /></>}</Note>}
      {added === null && offers.map((offer, at) => <OfferPart key={offer.preview.source} offer={offer} at={at} bad={bad} />)}
    </>
  )
}

function OfferPart({ offer, at, bad }: { readonly offer: Offer; readonly at: number; readonly bad: ReadonlySet<string> }) {
  const say = useWords()
  const { preview } = offer
  const name = preview.tool === '' ? say('servers.pasted') : preview.tool
  return (
    <section aria-label={name}>
      <p className="row"><span className="med"><Exact text={name} /></span>{offer.text === null && <span className="small faint mono cut" title={preview.source}><Exact text={preview.source} /></span>}</p>
      {preview.faults.map((fault, index) => <Note key={index} tone="warn"><Exact text={say.fact(fault)} className="wrap-any" /></Note>)}
      {preview.rows.length > 0 && <ul className="card rows" style={{ marginTop: 6 }}>{preview.rows.map((row) => <li key={row.name}><OfferRow offer={offer} at={at} row={row} isBad={offer.ticked.has(row.name) && row.state !== 'same' && bad.has(nameOf(offer, row))} /></li>)}</ul>}
    </section>
  )
}

function OfferRow({ offer, at, row, isBad }: { readonly offer: Offer; readonly at: number; readonly row: McpImportRow; readonly isBad: boolean }) {
  const say = useWords()
  const { icon: Icon, tone } = states[row.state]
  const isTicked = offer.ticked.has(row.name) && row.state !== 'same'
  const wanted = [...row.env, ...row.headers]
  return (
    <div className="row offer">
      <Tick label={say('servers.take', { name: row.name })} isOn={isTicked} isDisabled={row.state === 'same'} onChange={(isOn) => tick(at, row.name, isOn)} />
      <div className="grow col">
        <span className="row"><Exact text={row.name} className="mono med cut" /><span className={`row small nowrap ${tone}`} style={{ gap: 4 }}><Icon className="i" size={12} aria-hidden />{say(`servers.row.${row.state}`)}</span></span>
        <Exact text={row.what} className="mono wrap-any dim" />
        {wanted.length > 0 && <span className="small faint">{say('servers.names-of-values')} <Exact text={wanted.join(', ')} className="mono" /></span>}
        {row.state !== 'same' && (row.state === 'taken' || isBad) && (
          <span className="row small"><span className="faint nowrap">{say('servers.as')}</span><input className="input mono" style={{ maxWidth: 240, height: 26 }} aria-label={say('servers.name-for', { name: row.name })} aria-invalid={isBad} value={offer.names[row.name] ?? row.as} onChange={(event) => rename(at, row.name, event.target.value)} />{isBad && <span className="t-bad">{say('servers.name-clash')}</span>}</span>
        )}
      </div>
    </div>
  )
}
