import { Fragment, type ReactNode } from 'react'
import type { SayCode } from '../../../shared/words/codes'
import type { Values } from '../../../shared/domain/result'
import type { Speaker } from '../../ui/words'

// Control characters of their own: no sentence of ours holds one, and what is put in their place is never searched.
const places = ['\u0001', '\u0002', '\u0003'] as const
const placeOf = /([\u0001-\u0003])/u

/** A sentence with parts that are drawn, not only said; it is never put together from pieces. */
export function filled(say: Speaker, code: SayCode, parts: Readonly<Record<string, ReactNode>>, values: Values = {}): ReactNode {
  const names = Object.keys(parts)
  const sentence = say(code, { ...values, ...Object.fromEntries(names.map((name, at) => [name, places[at] ?? ''])) })
  return sentence.split(placeOf).map((piece, at) => {
    const name = names[places.findIndex((place) => place === piece)]
    return <Fragment key={at}>{name === undefined ? piece : parts[name]}</Fragment>
  })
}
