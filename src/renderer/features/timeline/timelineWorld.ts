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

/** What the page may know and ask of the window. */
export interface TimelineWorld {
  readonly facts: TimelineFacts
  readonly sayCall: (callId: CallId) => CallSaid | null
  /** Opens the plan; nothing is written there before the person says so. */
  readonly onWish: OnWish
  readonly onOpenRecord: (callId: CallId) => void
}

const nowhere: TimelineWorld = { facts: { sessionId: null, turns: [], open: [], commands: new Map() }, sayCall: () => null, onWish: () => undefined, onOpenRecord: () => undefined }

export const TimelineWorldContext = createContext<TimelineWorld>(nowhere)

export function useTimelineWorld(): TimelineWorld {
  return useContext(TimelineWorldContext)
}
