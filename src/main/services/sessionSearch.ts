import type { WorkspaceId } from '../../shared/domain/ids'
import { succeed, type Result } from '../../shared/domain/result'
import { searchParts, searchPlaces, searchSnippet } from '../../shared/domain/searchText'
import type { SessionHit, SessionHits } from '../../shared/ipc/sessionViews'
import type { Clock } from '../core/ports/clock'
import type { FoundMessage, SessionSearch } from '../core/ports/sessionSearch'
import { orFault, StorageFault } from '../core/ports/storageFault'
import { inSlices } from './memoryPlan'
import type { Sessions } from './sessions'

/** Search over what was said in all sessions (R96). */
export interface SessionSearchPages {
  /** `isWhole` false: not all is in the index yet, and asking again finds more. */
  find(query: string, isThisProject: boolean): Promise<Result<SessionHits>>
  close(): void
}

/** What the pages are made from. */
export interface SessionSearchPorts {
  readonly search: SessionSearch
  readonly sessions: Pick<Sessions, 'onEvents'>
  readonly clock: Clock
  /** Masks secrets: the record holds what was written verbatim. */
  redact(text: string): string
  /** The opened folder. */
  workspaceId(): WorkspaceId | null
}

const mostHits = 50

/** A person who types waits no longer than this for what is new; the rest follows. */
const catchUpMs = 400

/** Makes them. What was said in a turn is taken in when it has ended, part by part, behind whatever else the database has to do. */
export function makeSessionSearch(ports: SessionSearchPorts): SessionSearchPages {
  let isCatchingUp = false
  let isClosed = false

  async function catchUp(untilMs: number): Promise<boolean> {
    for (;;) {
      if (await ports.search.catchUp()) return true
      if (isClosed || ports.clock.nowMs() >= untilMs) return false
    }
  }

  const stop = ports.sessions.onEvents((events) => {
    if (isCatchingUp || !events.some(({ type }) => type === 'turn-ended')) return
    isCatchingUp = true
    catchUp(ports.clock.nowMs() + catchUpMs)
      // The next search meets the same fault, and says it.
      .catch((error: unknown) => { if (!(error instanceof StorageFault)) throw error })
      .finally(() => (isCatchingUp = false))
  })

  return {
    find: (query, isThisProject) =>
      orFault(async () => {
        const isWhole = await catchUp(ports.clock.nowMs() + catchUpMs)
        const here = ports.workspaceId()
        const { found, hasMore } = await ports.search.find({ query, workspaceId: isThisProject ? here : null, limit: mostHits })
        return succeed({ hits: await inSlices(hitsOf(found, (one) => hitOf(one, query, here, ports)), ports.clock), hasMore, isWhole })
      }),
    close() {
      isClosed = true
      stop()
    },
  }
}

/** One by one: masking long messages takes a while together (i05). */
function* hitsOf(found: readonly FoundMessage[], hit: (one: FoundMessage) => SessionHit): Generator<undefined, readonly SessionHit[]> {
  const hits: SessionHit[] = []
  for (const one of found) {
    hits.push(hit(one))
    yield
  }
  return hits
}

/** What must not be shown is masked before the line is cut, while all of it can be told. */
function hitOf({ text, workspaceId, ...found }: FoundMessage, query: string, here: WorkspaceId | null, { redact }: Pick<SessionSearchPorts, 'redact'>): SessionHit {
  const shown = redact(text)
  return { ...found, isHere: workspaceId === here, title: redact(found.title), snippet: searchSnippet(shown, searchPlaces(shown, searchParts(query))) }
}
