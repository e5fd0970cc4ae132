import type { AgentEvent } from '../../../shared/domain/event'
import type { CallId, RollbackId } from '../../../shared/domain/ids'
import type { ModelImage, ModelMessage } from '../../../shared/domain/model'
import { said, type Said } from '../../../shared/domain/result'
import type { ToolContent } from '../../../shared/domain/tool'
import { say } from '../../../shared/words/say'
import { withAttachments } from './attachments'
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
   * framed behind the user's words; pictures are named in `images`, the newest only. A message that did not change is the
   * same object as last time, so what was made of it can be kept.
   */
  messages(systemText: string): readonly ModelMessage[]
  /** Results that `messages` had to make up since the last `history-repaired` event; each is given once. */
  takeRepairs(): readonly Said[]
}

type AssistantEvent = Extract<AgentEvent, { readonly type: 'assistant-message-added' }>

interface Entry {
  readonly seq: number
  /** Null for a message of the user or a note. */
  readonly reply: Reply | null
  isHidden: boolean
  /** What the entry is on the wire; null when it has to be made again. */
  sent: readonly ModelMessage[] | null
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

interface HiddenRange {
  readonly fromSeq: number
  readonly toSeq: number
  isOn: boolean
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
  private readonly ranges = new Map<RollbackId, HiddenRange>()
  private readonly fileRollbacks = new Map<RollbackId, readonly string[]>()
  private readonly announced = new Set<CallId>()

  add(event: AgentEvent): void {
    switch (event.type) {
      case 'user-message-added':
        return this.addText(event.seq, withAttachments(event.text, event.attachments ?? []), (event.attachments ?? []).flatMap((one) => one.content))
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
    visible.forEach((entry, at) => {
      if (entry.reply && !entry.reply.event.isComplete && visible[at + 1]?.reply) return
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
    if (text.trim() !== '') this.entries.push({ seq, reply: null, isHidden: false, sent: [{ role: 'user', ...pictured(text, content) }] })
  }

  private addNote(seq: number, fact: Said): void {
    this.addText(seq, say('en', said('model.note', { fact })))
  }

  private addReply(event: AssistantEvent): void {
    const calls = event.isComplete ? event.calls.map((call) => ({ callId: call.callId, wireId: this.uniqueId(call.providerCallId || call.callId), name: call.name || namelessTool })) : []
    const entry: Entry = { seq: event.seq, reply: { event, calls, results: new Map() }, isHidden: false, sent: null }
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
    if (event.hidden) {
      this.ranges.set(event.rollbackId, { ...event.hidden, isOn: true })
      return this.hide()
    }
    this.fileRollbacks.set(event.rollbackId, event.paths)
    if (event.paths.length > 0) this.addNote(event.seq, said('model.files-rolled-back', { paths: event.paths }))
  }

  private undo(event: Extract<AgentEvent, { readonly type: 'rollback-undone' }>): void {
    const range = this.ranges.get(event.undoneId)
    if (range) {
      range.isOn = !range.isOn
      // Undoing the undo hides the range again.
      this.ranges.set(event.rollbackId, range)
      return this.hide()
    }
    const paths = this.fileRollbacks.get(event.undoneId)
    if (paths && paths.length > 0) this.addNote(event.seq, said('model.files-restored', { paths }))
  }

  private hide(): void {
    for (const entry of this.entries) {
      entry.isHidden = this.isHidden(entry.seq)
      if (entry.reply && entry.reply.calls.length > 0) entry.sent = null
    }
  }

  private isHidden(seq: number): boolean {
    for (const range of this.ranges.values()) if (range.isOn && seq >= range.fromSeq && seq <= range.toSeq) return true
    return false
  }

  private write(reply: Reply | null): readonly ModelMessage[] {
    if (!reply) return []
    const { event, calls } = reply
    if (event.text.trim() === '' && calls.length === 0) return []
    const message: ModelMessage = {
      role: 'assistant',
      text: event.text,
      ...(event.reasoning === '' ? {} : { reasoning: event.reasoning }),
      calls: calls.map((call, at) => ({ providerCallId: call.wireId, name: call.name, argumentsText: sendableArguments(event.calls[at]?.argumentsText ?? '') })),
    }
    return [message, ...calls.map((call): ModelMessage => ({ role: 'tool', providerCallId: call.wireId, name: call.name, ...this.resultOf(reply, call.callId) }))]
  }

  private resultOf(reply: Reply, callId: CallId): PicturedText {
    const result = reply.results.get(callId)
    if (!result) return { text: say('en', said('tool.interrupted')) }
    return this.isHidden(result.seq) ? { text: say('en', said('model.call-rolled-back')) } : pictured(result.text, result.content)
  }
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
