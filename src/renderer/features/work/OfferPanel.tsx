import { Brain, FileText, Folder, GraduationCap, LayoutTemplate, Slash, X } from 'lucide-react'
import { IconButton } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { OfferList } from '../../ui/OfferList'
import { Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { OfferForm } from './OfferForm'
import { SkillForm } from './SkillForm'
import { chooseOffer, closeNotes, nameOf, useOffers, type Offer } from './offerStore'

/** What stands over the message box while a word asks for a list, and the form of what was chosen. */
export function OfferPanel({ listId }: { readonly listId: string }) {
  const say = useWords()
  const { trigger, offers, at, progress, form, fault, waitsFor } = useOffers()
  return (
    <>
      {form && (form.offer.kind === 'skill' ? <SkillForm key={`${form.offer.row.skill.origin} ${form.offer.row.skill.path}`} skill={form.offer.row.skill} given={form.given} /> : <OfferForm key={nameOf(form.offer)} offer={form.offer} fault={fault} />)}
      {!form && fault && <div className="pb-2"><Note tone="bad" role="alert" actions={<IconButton icon={X} label={say('ui.close')} onClick={closeNotes} />}><Exact text={say.fact(fault)} /></Note></div>}
      {!form && waitsFor !== null && <p className="small dim pb-2" role="status"><Exact text={say('session.form.asking', { server: waitsFor })} /></p>}
      {trigger && (
        <div className="offerbox" data-esc="own">
          {offers.length > 0
            ? <OfferList id={listId} name={say(trigger.kind === 'resource' ? 'session.offers.resources' : 'session.offers.commands')} at={at} options={offers.map((offer) => ({ key: keyOf(offer), content: <OfferRow offer={offer} /> }))} onChoose={(index) => { const offer = offers[index]; if (offer) void chooseOffer(offer) }} />
            : <p className="small dim" role="status">{say(progress === 'asking' ? 'session.offers.looking' : trigger.kind === 'resource' ? 'session.offers.no-resource' : 'session.offers.no-command')}</p>}
        </div>
      )}
    </>
  )
}

function keyOf(offer: Offer): string {
  if (offer.kind === 'skill') return `skill ${offer.row.skill.origin} ${offer.row.skill.path}`
  if (offer.kind === 'own') return `own ${offer.name}`
  if (offer.kind === 'file') return `file ${offer.found.path}`
  return offer.kind === 'command' ? `/${nameOf(offer)}` : `${offer.resource.server} ${offer.resource.uri}`
}

function OfferRow({ offer }: { readonly offer: Offer }) {
  const say = useWords()
  if (offer.kind === 'command') {
    const { prompt } = offer
    return <><Slash className="i" size={14} aria-hidden /><span className="mono nowrap"><Exact text={`/${nameOf(offer)}`} /></span><span className="cut grow dim">{prompt.title !== '' && <Exact text={prompt.title} />}{prompt.title !== '' && prompt.description !== '' && ' · '}<Exact text={prompt.description} /></span></>
  }
  if (offer.kind === 'skill') {
    const { skill } = offer.row
    return <><GraduationCap className="i" size={14} aria-hidden /><span className="mono nowrap"><Exact text={`/${skill.name}`} /></span><span className="cut grow dim"><Exact text={skill.description} /></span>{skill.inputs.length > 0 && <span className="small faint nowrap">{say('session.offers.asks')}</span>}</>
  }
  if (offer.kind === 'own') return <><Brain className="i" size={14} aria-hidden /><span className="mono nowrap">/{offer.name}</span><span className="cut grow dim">{say(`session.own.${offer.name}`)}</span></>
  if (offer.kind === 'file') {
    const { path, isFolder } = offer.found
    const Mark = isFolder ? Folder : FileText
    const name = path.slice(path.lastIndexOf('/') + 1)
    return <><Mark className="i" size={14} aria-hidden /><span className="nowrap med"><Exact text={name} /></span><span className="mono cut grow faint"><Exact text={path} /></span>{isFolder && <span className="small faint nowrap">{say('attach.folder')}</span>}</>
  }
  const { resource } = offer
  const Icon = resource.isTemplate ? LayoutTemplate : FileText
  return (
    <>
      <Icon className="i" size={14} aria-hidden />
      <span className="nowrap med"><Exact text={nameOf(offer)} /></span>
      <span className="small dim nowrap"><Exact text={resource.server} /></span>
      <span className="mono cut grow faint"><Exact text={resource.uri} /></span>
      {resource.isTemplate && <span className="small faint nowrap">{say('session.offers.asks')}</span>}
    </>
  )
}

/** What is to be known of the text that a command put into the box. */
export function OfferNotes() {
  const say = useWords()
  const notes = useOffers((state) => state.notes)
  if (notes.length === 0) return null
  return (
    <div className="row notes" role="status">
      <ul className="small dim grow">{notes.map((note, at) => <li key={at}><Exact text={say.fact(note)} /></li>)}</ul>
      <IconButton icon={X} label={say('session.notes-close')} onClick={closeNotes} />
    </div>
  )
}
