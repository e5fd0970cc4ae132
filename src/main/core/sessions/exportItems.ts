import type { AgentEvent } from '../../../shared/domain/event'
import { afterRollback, isHiddenBy, type StandingRollback } from '../../../shared/domain/hiddenRanges'
import { said, type Said } from '../../../shared/domain/result'
import type { ToolContent } from '../../../shared/domain/tool'
import { redactedSaid } from '../policy/redactedSaid'

/** A picture that goes along, by its name in the outputs store. */
export type ExportPicture = Extract<ToolContent, { readonly ref: string }>

/** A part of a session as it is given away: masked already. `isHidden`: a rollback of the conversation took it back. */
export type ExportItem = { readonly atMs: number; readonly isHidden: boolean } & (
  | { readonly kind: 'user'; readonly text: string; readonly names: readonly string[]; readonly pictures: readonly ExportPicture[] }
  | { readonly kind: 'agent'; readonly model: string; readonly text: string; readonly thinking: string }
  | { readonly kind: 'call'; readonly tool: string; readonly args: string; readonly seal: Said | null; readonly outcome: Said | null; readonly text: string; readonly changed: readonly string[]; readonly pictures: readonly ExportPicture[] }
  | { readonly kind: 'note'; readonly say: Said }
)

type Of<Type extends AgentEvent['type']> = Extract<AgentEvent, { readonly type: Type }>
type Redact = (text: string) => string

const noRollbacks: readonly StandingRollback[] = []

/** The parts of a session in order, one after the other, so that a long one is never whole in memory. */
export function* exportItems(events: readonly AgentEvent[], redact: Redact): Generator<ExportItem> {
  const ends = new Map(events.flatMap((event) => (event.type === 'tool-finished' ? [[event.callId, event] as const] : [])))
  const decisions = new Map(events.flatMap((event) => (event.type === 'approval-decided' ? [[event.callId, event] as const] : [])))
  const hidden = events.reduce(afterRollback, noRollbacks)
  for (const event of events) {
    const part = partOf(event, redact, ends, decisions)
    if (part !== null) yield { ...part, atMs: event.atMs, isHidden: isHiddenBy(hidden, event.seq) }
  }
}

/** How many messages a session holds. */
export function countMessages(events: readonly AgentEvent[]): number {
  return events.filter(({ type }) => type === 'user-message-added' || type === 'assistant-message-added').length
}

// Distributed over the kinds, so that each keeps its own fields.
type Part<Item = ExportItem> = Item extends unknown ? Omit<Item, 'atMs' | 'isHidden'> : never

function partOf(event: AgentEvent, redact: Redact, ends: ReadonlyMap<string, Of<'tool-finished'>>, decisions: ReadonlyMap<string, Of<'approval-decided'>>): Part | null {
  switch (event.type) {
    case 'user-message-added': return userPart(event, redact)
    case 'assistant-message-added': return event.text === '' && event.reasoning === '' ? null : { kind: 'agent', model: event.choice.model, text: redact(event.text), thinking: redact(event.reasoning) }
    case 'tool-called': return callPart(event, redact, ends.get(event.callId), decisions.get(event.callId))
    case 'note-added': return { kind: 'note', say: redactedSaid(event.say, redact) }
    case 'turn-ended': return event.reason === 'done' ? null : { kind: 'note', say: redactedSaid(event.say, redact) }
    case 'rolled-back': return { kind: 'note', say: said(`session.rolled-back.${event.scope}`, { files: event.paths.length }) }
    case 'rollback-undone': return { kind: 'note', say: said('session.rollback-undone') }
    default: return null
  }
}

function userPart({ text, attachments = [], files = [] }: Of<'user-message-added'>, redact: Redact): Part {
  const along = [...attachments, ...files]
  return { kind: 'user', text: redact(text), names: along.map(({ name }) => redact(name)), pictures: picturesIn(along.flatMap(({ content }) => content), redact) }
}

function callPart({ tool, argumentsText }: Of<'tool-called'>, redact: Redact, end: Of<'tool-finished'> | undefined, decided: Of<'approval-decided'> | undefined): Part {
  return {
    kind: 'call', tool, args: redact(argumentsText), seal: decided === undefined ? null : sealOf(decided), outcome: end === undefined ? null : redactedSaid(end.say, redact), text: redact(end?.text ?? ''),
    changed: (end?.changed ?? []).map(({ path }) => redact(path)), pictures: picturesIn(end?.content ?? [], redact),
  }
}

function picturesIn(content: readonly ToolContent[], redact: Redact): readonly ExportPicture[] {
  return content.flatMap((one) => (one.kind === 'image' ? [{ ...one, name: redact(one.name) }] : []))
}

function sealOf({ by, decision }: Of<'approval-decided'>): Said {
  if (by !== 'person') return said(`session.seal.${by}`)
  return said(decision === 'deny' ? 'session.seal.denied' : decision === 'skip' ? 'session.seal.skipped' : 'session.seal.signed')
}
