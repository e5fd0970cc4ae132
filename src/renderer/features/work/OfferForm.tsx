import { useState, type FormEvent, type KeyboardEvent } from 'react'
import type { Said } from '../../../shared/domain/result'
import { expandTemplate, templateVariables } from '../../../shared/domain/uriTemplate'
import { Button } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { isComposing } from '../../ui/keys'
import { Note } from '../../ui/parts'
import { SuggestField } from '../../ui/SuggestField'
import { useWords } from '../../ui/words'
import { closeForm, closeSuggestions, nameOf, submitForm, suggest, useOffers, type Offer } from './offerStore'

/** What asks for texts: a resource's address or a command of a server. */
type Asking = Exclude<Offer, { readonly kind: 'skill' | 'own' | 'file' }>

interface Asked {
  readonly name: string
  readonly description: string
  readonly isRequired: boolean
}

function askedOf(offer: Asking): readonly Asked[] {
  if (offer.kind === 'command') return offer.prompt.args
  return templateVariables(offer.resource.uri).map(({ name, isOptional }) => ({ name, description: '', isRequired: !isOptional }))
}

/** Asks for the values of a template or a command. Nothing is read before they are there; an empty value that may be is left out. */
export function OfferForm({ offer, fault }: { readonly offer: Asking; readonly fault: Said | null }) {
  const say = useWords()
  const suggested = useOffers((state) => state.suggested)
  const waitsFor = useOffers((state) => state.waitsFor)
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const [isTried, setIsTried] = useState(false)
  const asked = askedOf(offer)
  const values = Object.fromEntries(asked.flatMap(({ name }) => (valueOf(typed, name) === '' ? [] : [[name, valueOf(typed, name)]]))) as Readonly<Record<string, string>>
  const isMissing = (one: Asked): boolean => one.isRequired && !Object.hasOwn(values, one.name)
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    setIsTried(true)
    if (!asked.some(isMissing) && waitsFor === null) void submitForm(values)
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || isComposing(event)) return
    event.stopPropagation()
    closeForm()
  }
  const change = (name: string, value: string): void => {
    const next = { ...typed, [name]: value }
    setTyped(next)
    suggest(name, value, withoutName(next, name))
  }
  const shownName = offer.kind === 'command' ? `/${nameOf(offer)}` : nameOf(offer)
  const label = say(offer.kind === 'command' ? 'session.form.command' : 'session.form.template', { name: shownName })
  return (
    <form className="offerform" data-esc="own" aria-label={label} onSubmit={onSubmit} onKeyDown={onKey}>
      <p className="med"><Exact text={label} /></p>
      {asked.map((one, at) => (
        <SuggestField
          key={one.name} label={one.name} mark={one.isRequired ? say('session.form.required') : ''} hint={one.description} fault={isTried && isMissing(one) ? say('session.form.missing') : null} listName={say('session.offers.suggestions')}
          value={valueOf(typed, one.name)} suggestions={suggested?.field === one.name ? suggested.values : none} hasFocus={at === 0} onChange={(value) => change(one.name, value)}
          onWish={(isWanted) => (isWanted ? suggest(one.name, valueOf(typed, one.name), withoutName(typed, one.name)) : closeSuggestions())}
        />
      ))}
      {offer.kind === 'resource' && <p className="small dim mono wrap-any"><Exact text={expandTemplate(offer.resource.uri, values)} /></p>}
      {fault && <Note tone="bad" role="alert"><Exact text={say.fact(fault)} /></Note>}
      <div className="row">
        {waitsFor !== null && <span className="small dim" role="status"><Exact text={say('session.form.asking', { server: waitsFor })} /></span>}
        <span className="end row"><Button size="small" look="quiet" onClick={closeForm}>{say('ui.cancel')}</Button><Button size="small" look="primary" type="submit">{say(offer.kind === 'command' ? 'session.form.insert' : 'session.form.attach')}</Button></span>
      </div>
    </form>
  )
}

const none: readonly string[] = []

function valueOf(typed: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(typed, name) ? (typed[name] ?? '') : ''
}

/** The other values that are there: a server completes one with them. */
function withoutName(typed: Readonly<Record<string, string>>, name: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(typed).filter(([one, value]) => one !== name && value !== ''))
}
