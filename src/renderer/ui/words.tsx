import { createContext, useContext, useMemo, type ReactNode } from 'react'
import { say, type Locale } from '../../shared/words/say'

type Fact = Parameters<typeof say>[1]

/** Says things in the reader's language. */
export interface Speaker {
  readonly locale: Locale
  (code: Fact['code'], values?: Fact['values']): string
  fact(said: Fact): string
  /** 14:02 */
  time(atMs: number): string
}

const SpeakerContext = createContext<Speaker>(speakerFor('en'))

/** A speaker of one language, also outside React. */
export function speakerFor(locale: Locale): Speaker {
  const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hour12: false })
  const speak = (code: Fact['code'], values: Fact['values'] = {}): string => say(locale, { code, values })
  return Object.assign(speak, { locale, fact: (said: Fact) => say(locale, said), time: (atMs: number) => clock.format(atMs) })
}

const wide = /[\u3000-\u9fff\uff00-\uffef]/
/** Full-width punctuation brings its own space. */
const wideMark = /[、。，：；！？）]/

/** Two pieces side by side: a space between them, none between two wide characters. */
export function joined(first: string, second: string): string {
  return wideMark.test(first.slice(-1)) || (wide.test(first.slice(-1)) && wide.test(second.slice(0, 1))) ? second : ` ${second}`
}

/** A word that something follows: a space between, none after wide punctuation. */
export function leading(label: string): string {
  return wide.test(label.slice(-1)) ? label : `${label} `
}

/** Everything below speaks this language; a change shows at once. */
export function Words({ locale, children }: { readonly locale: Locale; readonly children: ReactNode }) {
  const speaker = useMemo(() => speakerFor(locale), [locale])
  return <SpeakerContext.Provider value={speaker}>{children}</SpeakerContext.Provider>
}

/** The speaker of the language in use. */
export function useWords(): Speaker {
  return useContext(SpeakerContext)
}
