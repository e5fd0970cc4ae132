import type { CompactionStrategy } from '../../../shared/domain/compaction'
import { memoryCharacters } from '../../../shared/domain/memory'
import type { ModelChoice, ModelRequest, Usage } from '../../../shared/domain/model'
import { fail, succeed, type Result } from '../../../shared/domain/result'
import type { CancelSignal } from '../ports/cancelSignal'
import type { ModelClient } from '../ports/modelClient'
import { makeAssembler } from '../stream/assemble'
import { estimateTokens } from './estimate'
import type { HistoryPart } from './historyPart'
import { tokensOf } from './messageTokens'
import { earlierPiece, groupsOf, marked, transcriptOf } from './transcript'

/** The prompts of summaries, with `{{words}}` where a person's own wish goes. */
export interface SummaryPrompts {
  readonly summary: string
  readonly merge: string
}

/** What is to be summarised. */
export interface SummaryJob {
  readonly parts: readonly HistoryPart[]
  /** The summary that holds now; it is folded into this one. */
  readonly earlier: string | null
  readonly strategy: CompactionStrategy
  /** What the person wants kept in mind; empty for none. */
  readonly words: string
  readonly choice: ModelChoice
  /** Tokens that one request to that model may have, uncorrected, and most tokens of its answer; null: nobody says. */
  readonly roomTokens: number
  readonly maxOutputTokens: number | null
  readonly prompts: SummaryPrompts
}

/** What summarising needs of the world. */
export interface SummaryPorts {
  readonly model: ModelClient
  /** Takes secrets out. */
  clean(text: string): string
  /** Told of every model call that reported or cost something, before its outcome is looked at. */
  used(usage: Usage, expectedTokens: number): Promise<void>
}

/** A summary, and the sentence of it that is offered as a memory; null when there is none. */
export interface Summary {
  readonly text: string
  readonly proposal: string | null
}

/** Requests that may be sent for one compaction beyond those that go well: then it has failed (R26). */
const spareAttempts = 2
/** About so many messages make a group (R27). */
const groupMessages = 5
const usualAnswer = 6_000
const leastAnswer = 256

/**
 * Summarises old turns (R27): at once, or in groups of whole turns whose summaries are merged; at once also in groups when the
 * model that summarises could not take them. At most two requests are sent again, over the whole work. What comes back blank,
 * broken off or as thinking alone is no summary. Cancelled, it ends at once with a fault that nobody needs to read.
 */
export async function summarise(job: SummaryJob, ports: SummaryPorts, signal: CancelSignal): Promise<Result<Summary>> {
  const attempts = { left: spareAttempts }
  const room = Math.max(800, job.roomTokens - estimateTokens(job.prompts.summary) - Math.min(usualAnswer, Math.floor(job.roomTokens / 6)))
  const pieces = [...(job.earlier === null || job.earlier === '' ? [] : [earlierPiece(job.earlier)]), ...transcriptOf(job.parts)]
  let texts = groupsOf(pieces, job.strategy === 'groups' ? groupMessages : Number.POSITIVE_INFINITY, room)
  let prompt = job.prompts.summary
  for (;;) {
    const made: string[] = []
    for (const text of texts) {
      const summary = await askFor(requestFor(job, prompt, text), attempts, ports, signal)
      if (!summary.ok) return summary
      made.push(summary.value)
    }
    const [only, ...more] = made
    if (only === undefined) return fail('compaction.empty')
    if (more.length === 0) return finished(only, ports)
    const parts = made.map((text, at) => ({ messages: 1, text: `[part ${at + 1}]\n${splitOff(text).text}`, tokens: estimateTokens(text) + 4 }))
    const next = groupsOf(parts, Number.POSITIVE_INFINITY, room)
    // Summaries that would not become fewer are cut until they do.
    texts = next.length < texts.length ? next : [next.map((text) => text.slice(0, Math.floor((room * 3) / next.length))).join('\n\n')]
    prompt = job.prompts.merge
  }
}

function filled(prompt: string, words: string): string {
  return prompt.replace('{{words}}', () => (words === '' ? '' : `\nThe user asks in particular: ${words}`)).trim()
}

function finished(text: string, { clean }: Pick<SummaryPorts, 'clean'>): Result<Summary> {
  const split = splitOff(clean(text))
  if (split.text === '') return fail('compaction.empty')
  return succeed({ text: split.text, proposal: split.proposal })
}

/** The summary without its last line, and what that offers to be remembered; one without that line offers nothing. */
function splitOff(text: string): Summary {
  const [, before = '', after = ''] = /^([\s\S]*?)(?:^|\n)[#*\s]*Remember\s*[:：][*\s]*([\s\S]*)$/iu.exec(text) ?? []
  if (before.trim() === '') return { text: text.trim(), proposal: null }
  const fact = after.trim()
  return { text: before.trim(), proposal: fact === '' || /^[-\s]*(?:nothing|none|无|没有)[.。]?$/iu.test(fact) ? null : fact.slice(0, memoryCharacters) }
}

/** Some providers refuse what would not fit together with the longest answer. */
function requestFor({ choice, words, maxOutputTokens, roomTokens }: SummaryJob, prompt: string, text: string): ModelRequest {
  const messages: ModelRequest['messages'] = [{ role: 'system', text: filled(prompt, words) }, { role: 'user', text: marked(text) }]
  return { choice, messages, tools: [], maxOutputTokens: Math.max(leastAnswer, Math.min(usualAnswer, maxOutputTokens ?? usualAnswer, roomTokens - tokensOf(messages))) }
}

async function askFor(request: ModelRequest, attempts: { left: number }, ports: SummaryPorts, signal: CancelSignal): Promise<Result<string>> {
  for (;;) {
    const answer = await askOnce(request, attempts, ports, signal)
    if (answer.ok || signal.aborted || attempts.left <= 0 || !answer.canRetry) return answer
    attempts.left -= 1
  }
}

type Answer = Result<string> & { readonly canRetry?: boolean }

/** One request; a retry that the model client makes by itself counts as one more, and too many of them end it. */
async function askOnce(request: ModelRequest, attempts: { left: number }, ports: SummaryPorts, signal: CancelSignal): Promise<Answer> {
  const assembler = makeAssembler('summary')
  for await (const part of ports.model.stream(request, signal)) {
    if (part.kind === 'retrying') {
      if (attempts.left <= 0) return { ok: false, fault: part.fault.say }
      attempts.left -= 1
    }
    assembler.feed(part)
  }
  if (signal.aborted) return fail('tool.cancelled')
  const reply = assembler.result()
  const expected = tokensOf(request.messages)
  const usage = reply.usage ?? (reply.text === '' ? null : { inputTokens: expected, outputTokens: estimateTokens(reply.text), estimated: true })
  if (usage !== null) await ports.used(usage, expected)
  if (reply.fault) return { ok: false, fault: reply.fault.say }
  if (reply.stop === 'length') return fail('compaction.cut')
  if (reply.text.trim() === '') return { ...fail('compaction.empty'), canRetry: true }
  return reply.status === 'complete' ? succeed(reply.text) : fail('compaction.cut')
}
