import type { AgentEvent, LivePart } from '../../shared/domain/event'

/** Prints one JSON value a line; the only thing that writes to stdout. */
export type Print = (line: object) => void

/** A stored event as a line: its own fields, flat; those that are not there are left out. The tokens of a turn are one number. */
export function eventLine(event: AgentEvent): object {
  if (event.type === 'turn-ended') return { ...event, tokens: event.tokens.input + event.tokens.output }
  return Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null))
}

/** A stream part as a line: it repeats the seq of the last stored event and counts `part` from 1. */
export function partLine({ body, ...at }: LivePart): object {
  const { type, ...rest } = body
  return { type, ...at, ...rest }
}
