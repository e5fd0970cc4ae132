/** Where the timeline is drawn: beside the conversation, or on its own page. */
export type TimelinePlace = 'pane' | 'page'
export type Scope = 'session' | 'all'
export type Scopes = Readonly<Record<TimelinePlace, Scope>>

/** Beside a conversation its own session is looked at, on the page the folder. */
export const firstScopes: Scopes = { pane: 'session', page: 'all' }

/** Which sessions were shown in a project; the first choice for anything that is none. */
export function readScopes(project: string): Scopes {
  try {
    const kept = JSON.parse(localStorage.getItem(`timeline:${project}`) ?? '{}') as Partial<Record<TimelinePlace, unknown>>
    const scope = (value: unknown, otherwise: Scope): Scope => (value === 'session' || value === 'all' ? value : otherwise)
    return { pane: scope(kept.pane, firstScopes.pane), page: scope(kept.page, firstScopes.page) }
  } catch {
    return firstScopes // written by something else: not worth a word
  }
}

export function writeScopes(project: string, scopes: Scopes): void {
  localStorage.setItem(`timeline:${project}`, JSON.stringify(scopes))
}
