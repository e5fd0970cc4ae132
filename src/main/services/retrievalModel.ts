import { z } from 'zod'
import type { ModelUse } from '../../shared/domain/budget'
import type { ModelChoice } from '../../shared/domain/model'
import { said, type Said } from '../../shared/domain/result'
import type { CancelSignal } from '../core/ports/cancelSignal'
import type { ModelClient } from '../core/ports/modelClient'
import { makeAssembler } from '../core/stream/assemble'

/** One small question to a model, without tools. */
export interface AskModel {
  readonly choice: ModelChoice
  readonly model: ModelClient
  readonly redact: (text: string) => string
  readonly signal: CancelSignal
}

/** Queries of a question (R99: three), empty when the model's answer could not be used; then `fault` says why. */
export interface Rewritten {
  readonly queries: readonly string[]
  readonly fault: Said | null
  readonly usage: readonly ModelUse[]
}

/** A relevance from 0 to 1 for each passage, or null and the fault. */
export interface ModelScores {
  readonly scores: readonly number[] | null
  readonly fault: Said
  readonly usage: readonly ModelUse[]
}

const answerTokens = 2_000
/** Of one passage, for the reranking model. */
const passageCharacters = 1_500
const queriesSchema = z.array(z.string().trim().min(1).max(500)).min(1)
const scoresSchema = z.array(z.object({ passage: z.number().int(), score: z.number().min(0).max(1) }))

/** Three other ways to ask for the same (R99). */
export async function rewrite(question: string, ask: AskModel, prompt: string): Promise<Rewritten> {
  const answer = await askOnce(filled(prompt, { question }), ask)
  if (answer.fault !== null) return { queries: [], fault: answer.fault, usage: answer.usage }
  const read = queriesSchema.safeParse(jsonIn(answer.text))
  return read.success ? { queries: read.data.slice(0, 3), fault: null, usage: answer.usage } : { queries: [], fault: said('retrieval.no-answer'), usage: answer.usage }
}

/** Scores passages by a model. One it does not name counts as 0; it cannot name one that is not there. */
export async function rerankByModel(question: string, passages: readonly string[], ask: AskModel, prompt: string): Promise<ModelScores> {
  const listed = passages.map((text, at) => `<passage number="${at + 1}">\n${text.slice(0, passageCharacters).replaceAll('</passage', '<\\/passage')}\n</passage>`).join('\n')
  const answer = await askOnce(filled(prompt, { question, passages: listed }), ask)
  const fault = answer.fault ?? said('retrieval.no-answer')
  const read = answer.fault === null ? scoresSchema.safeParse(jsonIn(answer.text)) : null
  if (!read?.success) return { scores: null, fault, usage: answer.usage }
  const byNumber = new Map(read.data.map((one) => [one.passage, one.score]))
  return { scores: passages.map((_, at) => byNumber.get(at + 1) ?? 0), fault, usage: answer.usage }
}

/** Each value goes in once, as it is: what looks like a placeholder in it stays text. */
function filled(prompt: string, values: Readonly<Record<string, string>>): string {
  return prompt.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole)
}

async function askOnce(text: string, { choice, model, redact, signal }: AskModel): Promise<{ readonly text: string; readonly fault: Said | null; readonly usage: readonly ModelUse[] }> {
  const assembler = makeAssembler()
  for await (const part of model.stream({ choice, messages: [{ role: 'user', text: redact(text) }], tools: [], maxOutputTokens: answerTokens }, signal)) assembler.feed(part)
  const reply = assembler.result()
  const usage = reply.usage === null ? [] : [{ choice, usage: reply.usage }]
  if (reply.status !== 'complete') return { text: '', fault: reply.fault?.say ?? said('retrieval.no-answer'), usage }
  return { text: reply.text, fault: null, usage }
}

/** The JSON array of an answer, also inside a fence or between sentences; undefined when there is none. */
function jsonIn(text: string): unknown {
  const from = text.indexOf('[')
  const to = text.lastIndexOf(']')
  if (from === -1 || to < from) return undefined
  try {
    return JSON.parse(text.slice(from, to + 1))
  } catch {
    return undefined
  }
}
