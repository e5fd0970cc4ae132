import { said } from '../../../shared/domain/result'
import type { SayCode } from '../../../shared/words/codes'
import { say } from '../../../shared/words/say'
import type { PracticeScript, StepName } from './script'

/** What came of a step, as far as the text of its result tells. */
export type Outcome = 'worked' | 'already-done' | 'denied' | 'denied-policy' | 'skipped' | 'stopped' | 'no-program' | 'other-result'

/** Where the talk stands, read from the request alone: the tutor remembers nothing. */
export interface Standing {
  /** The step called last, with what came of it; null before the first. */
  readonly last: { readonly step: StepName; readonly outcome: Outcome; readonly told: string } | null
  /** What the person wrote last; null when the request only brings a result. */
  readonly asked: string | null
  /** Calls so far, so that each gets an id of its own. */
  readonly calls: number
  /** Names of the tools on offer. */
  readonly tools: readonly string[]
}

type Fields = Readonly<Record<string, unknown>>

const callId = /^practice-([a-z]+)-\d+/

/** The id of the n-th call; the step is in it, so that it can be read back. */
export function idOfCall(step: StepName, n: number): string {
  return `practice-${step}-${n}`
}

/** Reads the standing from the body of a chat request. */
export function standingOf(body: unknown, script: PracticeScript): Standing {
  const fields = asFields(body)
  const messages = asList(fields['messages']).map(asFields).filter((message) => !isNote(message))
  const results = messages.flatMap((message) => {
    const step = message['role'] === 'tool' ? callId.exec(textOf(message['tool_call_id']))?.[1] : undefined
    return step !== undefined && Object.hasOwn(script.steps, step) ? [{ step: step as StepName, text: textOf(message['content']) }] : []
  })
  const result = results.at(-1)
  const last = messages.at(-1)
  return {
    last: result ? { step: result.step, outcome: outcomeOf(result.text, script.steps[result.step]), told: firstLine(result.text) } : null,
    asked: last?.['role'] === 'user' ? textOf(last['content']) : null,
    calls: results.length,
    tools: asList(fields['tools']).map((tool) => textOf(asFields(asFields(tool)['function'])['name'])),
  }
}

function outcomeOf(text: string, step: PracticeScript['steps'][StepName]): Outcome {
  if (isSaid(text, 'tool.denied-policy')) return 'denied-policy'
  if (isSaid(text, 'tool.denied-reason') || isSaid(text, 'tool.denied')) return 'denied'
  if (isSaid(text, 'tool.skipped')) return 'skipped'
  if (isSaid(text, 'tool.cancelled') || isSaid(text, 'tool.interrupted')) return 'stopped'
  if (step.alreadyDone !== undefined && text.includes(step.alreadyDone)) return 'already-done'
  if (step.worked === undefined ? isSaid(text, 'file.edited') : text.includes(step.worked)) return 'worked'
  return /command not found|not found: node|node: not found/.test(text) ? 'no-program' : 'other-result'
}

/** True when the text begins with the sentence of that code, whatever its values. Results are English: it is the tools' language. */
function isSaid(text: string, code: SayCode): boolean {
  const pattern = say('en', said(code)).split(/\{[^}]*\}/).map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${pattern.join('[^]*?')}`).test(text)
}

/** Notes of the app to the model are not the person speaking. */
function isNote(message: Fields): boolean {
  return message['role'] === 'user' && isSaid(textOf(message['content']), 'model.note')
}

function firstLine(text: string): string {
  const line = text.split('\n')[0]?.trim() ?? ''
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}

function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
