import type { AgentEvent } from '../../../shared/domain/event'
import type { CallId, RollbackId, TurnId } from '../../../shared/domain/ids'
import type { ModelChoice, ModelMessage } from '../../../shared/domain/model'
import { said, type Said } from '../../../shared/domain/result'
import type { ToolContent } from '../../../shared/domain/tool'
import { say } from '../../../shared/words/say'
import type { SkillLoaded } from '../skills/loadedSkills'
import { skillKey } from '../skills/loadedSkills'
import { withAttachments } from './attachments'
import { Compactions, isCovered, type HeldCompaction } from './compactions'
import type { HistoryPart } from './historyPart'
import { summaryMessage } from './summaryMessage'
import { makeTokenRatios } from './tokenRatio'
import { trimmedText } from './trimResult'
import { HiddenRanges } from './hiddenRanges'
import { pictured, withoutOldPictures, type PicturedText } from './pictures'
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
   * entered: in front of the user's words, or behind the results of the step that asked for it (R58). What a compaction
   * covers is left out; its summary stands first, with what was pinned behind it (R25, R29). The first message is always the
   * user's. A message that did not change is the same object as last time, so what was made of it can be kept.
   */
  messages(systemText: string): readonly ModelMessage[]
  /** Results that `messages` had to make up since the last `history-repaired` event; each is given once. */
  takeRepairs(): readonly Said[]
  /** The messages by where they came from, in order, with what a compaction covers; without what a rollback hides. */
  parts(): readonly HistoryPart[]
  /** The compaction that holds now. */
  compaction(): HeldCompaction | null
  /** The newest compaction of all, undone or not. */
  newestCompaction(): { readonly held: HeldCompaction; readonly isUndone: boolean } | null
  /** How many tokens a model counts for each that is estimated (R31). */
  ratio(choice: ModelChoice): number
}

type AssistantEvent = Extract<AgentEvent, { readonly type: 'assistant-message-added' }>

interface Entry {
  readonly seq: number
  /** The number of its turn among those in sight, from 1. */
  readonly turn: number
  readonly kind: HistoryPart['kind']
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
  readonly outputRef: string | null
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
    parts: () => fold.parts(),
    compaction: () => fold.compaction(),
    newestCompaction: () => fold.compactions.newest(),
    ratio: (choice) => fold.ratios.of(choice),
  }
}

/** Stands where the user's first message should. */
const wordless: ModelMessage = { role: 'user', text: say('en', said('model.note', { fact: said('model.no-words') })) }

class Fold {
  readonly compactions = new Compactions()
  readonly ratios = makeTokenRatios()
  private readonly entries: Entry[] = []
  private readonly entryOfCall = new Map<CallId, Entry>()
  private readonly takenIds = new Set<string>()
  private readonly hidden = new HiddenRanges()
  /** Chosen by the person, for the message that comes next. */
  private chosen: SkillLoaded[] = []
  private readonly fileRollbacks = new Map<RollbackId, readonly string[]>()
  private readonly announced = new Set<CallId>()
  /** Where each began. */
  private readonly turns = new Map<TurnId, number>()
  /** How many turns are in sight: the number of the newest, as the screens count. */
  private turnsShown = 0
  private held: HeldCompaction | null = null
  /** Made of `held` and of the names of its skills. */
  private summary: { readonly held: HeldCompaction; readonly skills: string; readonly message: ModelMessage } | null = null

  add(event: AgentEvent): void {
    this.ratios.add(event)
    if (this.compactions.add(event, () => this.entries.filter((entry) => entry.isHidden).map(({ seq }) => seq))) return this.hold()
    if (this.hidden.add(event)) return this.hide()
    switch (event.type) {
      case 'user-message-added':
        return this.addUser(event)
      case 'skill-loaded':
        return event.callId === null ? void this.chosen.push(event) : this.addTold(event.seq, 'skill', [event], null)
      case 'note-added':
        return event.isForModel ? this.addNote(event.seq, event.say) : undefined
      case 'assistant-message-added':
        return this.addReply(event)
      case 'tool-finished':
        return this.addResult(event.callId, { seq: event.seq, text: event.text, content: event.content ?? [], outputRef: event.outputRef })
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
    const sent = this.unreplaced().filter((entry) => !this.isCovered(entry))
    const told = new Set<string>()
    const start = this.held !== null && this.held.compaction.beforeSeq > 0 ? this.summaryOf(this.held, sent) : null
    if (start) messages.push(start)
    for (const entry of sent) {
      if (entry.told) tellOnce(entry, entry.told, told)
      messages.push(...(entry.sent ??= this.write(entry.reply)))
    }
    return withoutOldPictures(messages)
  }

  parts(): readonly HistoryPart[] {
    const visible = this.unreplaced()
    const told = new Set<string>()
    for (const entry of visible) if (entry.told && !this.isCovered(entry)) tellOnce(entry, entry.told, told)
    return visible.map((entry): HistoryPart => {
      if (entry.told && entry.sent === null) tellOnce(entry, entry.told, new Set())
      const messages = (entry.sent ??= this.write(entry.reply))
      const { reply } = entry
      const results = !reply ? [] : reply.calls.map((call, index) => {
        const result = reply.results.get(call.callId)
        return { callId: call.callId, tool: call.name, text: result && !this.hidden.has(result.seq) ? result.text : '', outputRef: result?.outputRef ?? null, isTrimmed: this.isTrimmed(entry, call.callId), message: messages[index + 1] ?? wordless }
      })
      return { seq: entry.seq, turn: entry.turn, kind: entry.kind, isCovered: this.isCovered(entry), isPinned: this.compactions.isPinned(entry.seq), messages, results, skills: entry.told?.skills.map(({ skill }) => skill.name) ?? [] }
    })
  }

  compaction(): HeldCompaction | null {
    return this.held
  }

  /** Those in sight, without a reply that broke off where the next thing in the conversation is another reply, covered or not (R20). */
  private unreplaced(): readonly Entry[] {
    const visible = this.entries.filter((entry) => !entry.isHidden)
    return visible.filter(({ reply }, at) => !reply || reply.event.isComplete || !visible[at + 1]?.reply)
  }

  private isCovered({ seq }: Entry): boolean {
    return isCovered(seq, this.held, (of) => this.compactions.staysWhole(of, this.held))
  }

  private isTrimmed({ seq }: Entry, callId: CallId): boolean {
    return this.compactions.trimOf(callId) !== undefined && !this.compactions.staysWhole(seq, this.held)
  }

  /** The summary names the skills whose text it covers, so that they can be loaded again (R58). */
  private summaryOf(held: HeldCompaction, sent: readonly Entry[]): ModelMessage {
    const there = new Set(sent.flatMap((entry) => entry.told?.skills.map(skillKey) ?? []))
    const gone = this.entries.filter((entry) => entry.told && !entry.isHidden && this.isCovered(entry)).flatMap((entry) => entry.told?.skills ?? [])
    const skills = [...new Set(gone.filter((one) => !there.has(skillKey(one))).map(({ skill }) => skill.name))]
    if (this.summary?.held !== held || this.summary.skills !== skills.join('\n')) this.summary = { held, skills: skills.join('\n'), message: summaryMessage(held.compaction, skills) }
    return this.summary.message
  }

  /** What holds may have changed: results that are trimmed otherwise, or are whole again, are written again. */
  private hold(): void {
    const before = this.held
    this.held = this.compactions.current((seq) => this.hidden.has(seq))
    for (const callId of this.compactions.retrim(this.held)) this.rewrite(this.entryOfCall.get(callId))
    const { trimmed = [] } = this.held?.compaction ?? {}
    for (const { callId } of trimmed) this.rewrite(this.entryOfCall.get(callId))
    if (before !== this.held) this.summary = null
  }

  private rewrite(entry: Entry | undefined): void {
    if (entry) entry.sent = null
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

  private addText(seq: number, kind: Entry['kind'], text: string, content: readonly ToolContent[] = []): void {
    if (text.trim() !== '') this.entries.push({ seq, turn: this.turnsShown, kind, reply: null, told: null, isHidden: false, sent: [{ role: 'user', ...pictured(text, content) }] })
  }

  private addUser({ seq, turnId, text, attachments = [], files = [] }: Extract<AgentEvent, { readonly type: 'user-message-added' }>): void {
    if (!this.turns.has(turnId)) {
      this.turns.set(turnId, seq)
      this.turnsShown += 1
    }
    // White space alone is no message, but the first one must be the user's.
    const words = withAttachments(text, attachments, files)
    const whole = words.trim() === '' && this.entries.every((entry) => entry.isHidden) ? wordless.text : words
    const content = [...attachments, ...files].flatMap((one) => one.content)
    if (this.chosen.length === 0) return this.addText(seq, 'user', whole, content)
    this.addTold(seq, 'user', this.chosen, whole.trim() === '' ? null : pictured(whole, content))
    this.chosen = []
  }

  private addTold(seq: number, kind: Entry['kind'], skills: readonly SkillLoaded[], rest: PicturedText | null): void {
    this.entries.push({ seq, turn: this.turnsShown, kind, reply: null, told: { skills, rest, shown: '' }, isHidden: false, sent: null })
  }

  private addNote(seq: number, fact: Said): void {
    this.addText(seq, 'note', say('en', said('model.note', { fact })))
  }

  private addReply(event: AssistantEvent): void {
    const calls = event.isComplete ? event.calls.map((call) => ({ callId: call.callId, wireId: this.uniqueId(call.providerCallId || call.callId), name: call.name || namelessTool })) : []
    const entry: Entry = { seq: event.seq, turn: this.turnsShown, kind: 'reply', reply: { event, calls, results: new Map() }, told: null, isHidden: false, sent: null }
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
    this.turnsShown = [...this.turns.values()].filter((seq) => !this.hidden.has(seq)).length
    for (const entry of this.entries) {
      entry.isHidden = this.hidden.has(entry.seq)
      if (entry.reply && entry.reply.calls.length > 0) entry.sent = null
    }
    this.hold()
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
    if (this.hidden.has(result.seq)) return { text: say('en', said('model.call-rolled-back')) }
    const trim = this.compactions.staysWhole(reply.event.seq, this.held) ? undefined : this.compactions.trimOf(callId)
    return pictured(trim === undefined ? result.text : trimmedText(result.text, trim), result.content)
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
