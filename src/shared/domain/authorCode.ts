import type { Author } from './snapshot'

/**
 * The name of an author, the same wherever it is read. `wasAway`: the app was not there when it happened, so that what may be the
 * person's may be another program's as well.
 */
export function authorCode(author: Author, wasAway = false): 'recovery.you-or-other' | `ui.author.${Author}` {
  return author === 'you' && wasAway ? 'recovery.you-or-other' : `ui.author.${author}`
}
