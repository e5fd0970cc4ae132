import type { AgentEvent } from '../../../shared/domain/event'
import type { CallId, RollbackId } from '../../../shared/domain/ids'
import type { ModelImage, ModelMessage } from '../../../shared/domain/model'
import { said, type Said } from '../../../shared/domain/result'
import type { ToolContent } from '../../../shared/domain/tool'
import { say } from '../../../shared/words/say'
import type { SkillLoaded } from '../skills/loadedSkills'
import { skillKey } from '../skills/loadedSkills'
import { withAttachments } from './attachments'
import { HiddenRanges } from './hiddenRanges'
import { picturesOf, withoutOldPictures } from './pictures'
import { namelessTool, sendableArguments } from './sendable'

/** A session's history as the model is sent it, kept up as events come. */
export interface History {
  /** Takes the next event of the session, in order. */
  add(event: AgentEvent): void
  /**
   * The messages of the next request, the system prompt first. Pairing always holds: every call has exactly one result,
   * in call order, right behind its message (R5, R32). Only complete replies carry calls; a reply that broke off is text,
   * and is left out when a new one replaced it (R20). Ranges taken back by a rollback are left out. Attached resources stand
   * framed behind the user's words; pictures are named in `images`, the newest only. The text of a skill stands once, where it
   * entered: in front of the user's words, or behind the results of the step that asked for it (R58). A message that did not
   * change is the same object as last time, so what was made of it can be kept.
   */
  messages(systemText: string): readonly ModelMessage[]
  /** Results that `messages` had to make up since the last `history-repaired` event; each is given once. */
  takeRepairs(): readonly Said[]
}

type AssistantEvent = Extract<AgentEvent, { readonly type: 'assistant-message-added' }>

interface Entry {
  readonly seq: number
  /** Null for a message of the user, a note or a skill. */
  readonly reply: Reply | null
  /** The skills whose text the entry begins with, and what follows them. */
  readonly told: Told | null
  isHidden: boolean
  /** What the entry is on the wire; null when it has to be made again. */
  sent: readonly ModelMessage[] | null
}

interface Told {
  readonly skills: readonly SkillLoaded[]
  readonly rest: PicturedText | null
  /** Which of the skills were in `sent`. */
  shown: string
}

interface Reply {
  readonly event: AssistantEvent
  readonly calls: readonly WireCall[]
  readonly results: Map<CallId, Result>
}

interface Result {
  readonly seq: number
  readonly text: string
  readonly content: readonly ToolContent[]
}

interface WireCall {
  readonly callId: CallId
  readonly wireId: string
  readonly name: string
}

/** The messages of a whole session at once. */
export function historyFor(events: readonly AgentEvent[], systemText: string): readonly ModelMessage[] {
  const history = makeHistory()
  for (const event of events) history.add(event)
  return history.messages(systemText)
}

/** An empty history. Adding an event costs its own length; asking for messages copies references. */
export function makeHistory(): History {
  const fold = new Fold()
  let system: ModelMessage = { role: 'system', text: '' }
  return {
    add: (event) => fold.add(event),
    messages(systemText) {
      if (system.text !== systemText) system = { role: 'system', text: systemText }
      return systemText === '' ? fold.messages() : [system, ...fold.messages()]
    },
    takeRepairs: () => fold.takeRepairs(),
  }
}

class Fold {
  private readonly entries: Entry[] = []
  private readonly entryOfCall = new Map<CallId, Entry>()
  private readonly takenIds = new Set<string>()
  private readonly hidden = new HiddenRanges()
  /** Chosen by the person, for the message that comes next. */
  private chosen: SkillLoaded[] = []
  private readonly fileRollbacks = new Map<RollbackId, readonly string[]>()
  private readonly announced = new Set<CallId>()

  add(event: AgentEvent): void {
    if (this.hidden.add(event)) return this.hide()
    switch (event.type) {
      case 'user-message-added':
        return this.addUser(event)
      case 'skill-loaded':
        return event.callId === null ? void this.chosen.push(event) : this.addTold(event.seq, [event], null)
      case 'note-added':
        return event.isForModel ? this.addNote(event.seq, event.say) : undefined
      case 'assistant-message-added':
        return this.addReply(event)
      case 'tool-finished':
        return this.addResult(event.callId, { seq: event.seq, text: event.text, content: event.content ?? [] })
      case 'history-repaired':
        for (const [callId] of this.missing()) this.announced.add(callId)
        return
      case 'rolled-back':
        return this.rollBack(event)
      case 'rollback-undone':
        return this.undo(event)
      default:
        return
    }
  }

  messages(): readonly ModelMessage[] {
    const messages: ModelMessage[] = []
    const visible = this.entries.filter((entry) => !entry.isHidden)
    const told = new Set<string>()
    visible.forEach((entry, at) => {
      if (entry.reply && !entry.reply.event.isComplete && visible[at + 1]?.reply) return
      if (entry.told) tellOnce(entry, entry.told, told)
      messages.push(...(entry.sent ??= this.write(entry.reply)))
    })
    return withoutOldPictures(messages)
  }

  takeRepairs(): readonly Said[] {
    return this.missing().map(([callId, call]) => {
      this.announced.add(callId)
      return said('model.repaired-missing', { id: call.wireId, tool: call.name })
    })
  }

  private missing(): readonly (readonly [CallId, WireCall])[] {
    return this.entries.flatMap((entry) =>
      entry.isHidden || !entry.reply ? [] : entry.reply.calls.filter((call) => !entry.reply?.results.has(call.callId) && !this.announced.has(call.callId)).map((call) => [call.callId, call] as const),
    )
  }

  private addText(seq: number, text: string, content: readonly ToolContent[] = []): void {
    if (text.trim() !== '') this.entries.push({ seq, reply: null, told: null, isHidden: false, sent: [{ role: 'user', ...pictured(text, content) }] })
  }

  private addUser({ seq, text, attachments = [] }: Extract<AgentEvent, { readonly type: 'user-message-added' }>): void {
    const whole = withAttachments(text, attachments)
    const content = attachments.flatMap((one) => one.content)
    if (this.chosen.length === 0) return this.addText(seq, whole, content)
    this.addTold(seq, this.chosen, whole.trim() === '' ? null : pictured(whole, content))
    this.chosen = []
  }

  private addTold(seq: number, skills: readonly SkillLoaded[], rest: PicturedText | null): void {
    this.entries.push({ seq, reply: null, told: { skills, rest, shown: '' }, isHidden: false, sent: null })
  }

  private addNote(seq: number, fact: Said): void {
    this.addText(seq, say('en', said('model.note', { fact })))
  }

  private addReply(event: AssistantEvent): void {
    const calls = event.isComplete ? event.calls.map((call) => ({ callId: call.callId, wireId: this.uniqueId(call.providerCallId || call.callId), name: call.name || namelessTool })) : []
    const entry: Entry = { seq: event.seq, reply: { event, calls, results: new Map() }, told: null, isHidden: false, sent: null }
    this.entries.push(entry)
    for (const call of calls) this.entryOfCall.set(call.callId, entry)
  }

  /** Providers number their calls per reply; sent back together, two of one id would take each other's result. */
  private uniqueId(id: string): string {
    let unique = id
    for (let n = 2; this.takenIds.has(unique); n++) unique = `${id}_${n}`
    this.takenIds.add(unique)
    return unique
  }

  private addResult(callId: CallId, result: Result): void {
    const entry = this.entryOfCall.get(callId)
    if (!entry?.reply || entry.reply.results.has(callId)) return
    entry.reply.results.set(callId, result)
    entry.sent = null
  }

  private rollBack(event: Extract<AgentEvent, { readonly type: 'rolled-back' }>): void {
    this.fileRollbacks.set(event.rollbackId, event.paths)
    if (event.paths.length > 0) this.addNote(event.seq, said('model.files-rolled-back', { paths: event.paths }))
  }

  private undo(event: Extract<AgentEvent, { readonly type: 'rollback-undone' }>): void {
    const paths = this.fileRollbacks.get(event.undoneId)
    if (paths && paths.length > 0) this.addNote(event.seq, said('model.files-restored', { paths }))
  }

  private hide(): void {
    for (const entry of this.entries) {
      entry.isHidden = this.hidden.has(entry.seq)
      if (entry.reply && entry.reply.calls.length > 0) entry.sent = null
    }
  }

  private write(reply: Reply | null): readonly ModelMessage[] {
    if (!reply) return []
    const { event, calls } = reply
    if (event.text.trim() === '' && calls.length === 0) return []
    const message: ModelMessage = {
      role: 'assistant',
      text: event.text,
      ...(event.reasoning === '' ? {} : { reasoning: event.reasoning }),
      ...(event.thinking ? { thinking: event.thinking, from: event.choice } : {}),
      calls: calls.map((call, at) => ({ providerCallId: call.wireId, name: call.name, argumentsText: sendableArguments(event.calls[at]?.argumentsText ?? '') })),
    }
    return [message, ...calls.map((call): ModelMessage => ({ role: 'tool', providerCallId: call.wireId, name: call.name, ...this.resultOf(reply, call.callId) }))]
  }

  private resultOf(reply: Reply, callId: CallId): PicturedText {
    const result = reply.results.get(callId)
    if (!result) return { text: say('en', said('tool.interrupted')) }
    return this.hidden.has(result.seq) ? { text: say('en', said('model.call-rolled-back')) } : pictured(result.text, result.content)
  }
}

/**
 * Writes a message with the skills that no earlier message holds. What was loaded again for a later turn narrows it again, but
 * its text stands where it stood first; when a rollback takes that away, the next one holds it.
 */
function tellOnce(entry: Entry, told: Told, before: Set<string>): void {
  const fresh = told.skills.filter((one) => {
    const key = skillKey(one)
    return before.has(key) ? false : Boolean(before.add(key))
  })
  const shown = fresh.map((one) => one.seq).join(' ')
  if (entry.sent !== null && told.shown === shown) return
  told.shown = shown
  const texts = [...fresh.map((one) => one.text), ...(told.rest ? [told.rest.text] : [])]
  entry.sent = texts.length === 0 ? [] : [{ role: 'user', ...told.rest, text: texts.join('\n\n') }]
}

interface PicturedText {
  readonly text: string
  readonly images?: readonly ModelImage[]
}

function pictured(text: string, content: readonly ToolContent[]): PicturedText {
  const { images, notice } = picturesOf(content)
  const whole = notice === '' ? text : `${text}\n${notice}`
  return images.length === 0 ? { text: whole } : { text: whole, images }
}
