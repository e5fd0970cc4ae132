import { createContext, useContext } from 'react'
import type { CallId } from '../../../shared/domain/ids'
import type { SealKind } from '../../ui/marks'
import type { OnWish, TimelineFacts } from './timelineWishes'

/** What the conversation knows of a call. */
export interface CallSaid {
  readonly turn: number | null
  /** How long it took, in words; null where that is not known. */
  readonly span: string | null
  readonly exitCode: number | null
  readonly seal: { readonly kind: SealKind; readonly word: string } | null
}

/** The answers to a call of which nobody knows how it ended; none goes back where it has no snapshot or changed nothing. */
export interface UnknownAnswers {
  readonly rollBack: { readonly files: number; readonly onChoose: () => void } | null
  readonly onAgain: () => void
  readonly onDone: () => void
}

/** What the page may know and ask of the window. */
export interface TimelineWorld {
  readonly facts: TimelineFacts
  readonly sayCall: (callId: CallId) => CallSaid | null
  /** Null for every other call. */
  readonly choiceOf: (callId: CallId) => UnknownAnswers | null
  /** Opens the plan; nothing is written there before the person says so. */
  readonly onWish: OnWish
  readonly onOpenRecord: (callId: CallId) => void
}

const nowhere: TimelineWorld = { facts: { sessionId: null, turns: [], open: [], commands: new Map() }, sayCall: () => null, choiceOf: () => null, onWish: () => undefined, onOpenRecord: () => undefined }

export const TimelineWorldContext = createContext<TimelineWorld>(nowhere)

export function useTimelineWorld(): TimelineWorld {
  return useContext(TimelineWorldContext)
}
