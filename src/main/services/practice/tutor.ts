import { said, type Said, type Values } from '../../../shared/domain/result'
import type { SayCode } from '../../../shared/words/codes'
import { say, type Locale } from '../../../shared/words/say'
import { idOfCall, standingOf, type Outcome, type Standing } from './conversation'
import { walk, type PracticeScript, type StepName } from './script'

/** What the tutor answers: words, and one call unless it is the person's turn. */
export interface TutorReply {
  readonly text: string
  readonly call: { readonly id: string; readonly name: string; readonly args: Readonly<Record<string, unknown>> } | null
}

/**
 * Answers one chat request (R108) in the person's language. Pure: all it knows is the request, so it goes on rightly after a
 * restart, a rollback of the conversation, a denial. It says plainly that it is no model.
 */
export function answerAsTutor(body: unknown, script: PracticeScript, locale: Locale): TutorReply {
  const standing = standingOf(body, script)
  const move = standing.asked === null ? afterResult(standing) : afterMessage(standing, standing.asked)
  if (move.kind === 'speak') return { text: say(locale, move.words), call: null }
  const { tool, args } = script.steps[move.step]
  if (standing.tools.length > 0 && !standing.tools.includes(tool)) return { text: say(locale, said('practice.not-offered', { tool })), call: null }
  return { text: say(locale, move.words), call: { id: idOfCall(move.step, standing.calls + 1), name: tool, args } }
}

type Move = { readonly kind: 'speak'; readonly words: Said } | { readonly kind: 'call'; readonly step: StepName; readonly words: Said }

function afterResult({ last }: Standing): Move {
  if (!last) return call('search')
  if (last.step === 'check') return last.outcome === 'already-done' ? speak('practice.check-still') : last.outcome === 'worked' ? speak('practice.check-back') : explain(last.step, last.outcome, last.told)
  if (last.outcome !== 'worked') return explain(last.step, last.outcome, last.told)
  const next = after(last.step)
  return next ? call(next) : speak('practice.done')
}

function afterMessage({ last }: Standing, asked: string): Move {
  if (!last || isAgain(asked)) return call('search')
  if (isQuestion(asked)) return speak('practice.connect-intro')
  const next = last.outcome === 'worked' ? after(last.step) : last.step === 'check' || last.outcome === 'no-program' ? null : last.step
  if (next === null) return call('check')
  // The file is read once more before it is changed: after a restart nothing counts as read.
  return isGoOn(asked) ? call(next === 'edit' ? 'read' : next) : speak('practice.unknown')
}

/** The step that follows in the walk; null at its end. */
function after(step: StepName): StepName | null {
  const at = walk.findIndex((one) => one === step)
  return at === -1 ? null : (walk[at + 1] ?? null)
}

const before: Readonly<Record<StepName, SayCode>> = {
  search: 'practice.hello',
  read: 'practice.read',
  edit: 'practice.edit',
  run: 'practice.run',
  check: 'practice.check',
}

function call(step: StepName): Move {
  return { kind: 'call', step, words: words(before[step]) }
}

function speak(code: SayCode, values: Values = {}): Move {
  return { kind: 'speak', words: words(code, values) }
}

function explain(step: StepName, outcome: Exclude<Outcome, 'worked'> | Outcome, told: string): Move {
  switch (outcome) {
    case 'denied':
      return speak(step === 'edit' ? 'practice.denied-write' : step === 'run' ? 'practice.denied-run' : 'practice.denied-read', { told })
    case 'denied-policy':
      return speak('practice.denied-policy', { told })
    case 'skipped':
      return speak('practice.skipped')
    case 'stopped':
      return speak('practice.stopped')
    case 'already-done':
      return speak('practice.already')
    case 'no-program':
      return speak('practice.no-node')
    case 'worked':
    case 'other-result':
      if (step === 'run') return speak('practice.checks-failed')
      return step === 'edit' ? speak('practice.failed', { told }) : speak('practice.elsewhere')
  }
}

/** A sentence with the names of buttons and its fixed parts filled in, as they stand on screen. */
function words(code: SayCode, values: Values = {}): Said {
  const buttons = {
    allow: said('approval.allow'),
    deny: said('approval.deny'),
    timeline: said('timeline.title'),
    undoCall: said('timeline.undo-call'),
    backToHere: said('timeline.back-to-here'),
    undoRollback: said('timeline.undo-rollback'),
    models: said('ui.page.models'),
    startPractice: said('welcome.start-practice'),
  }
  const connect = said('practice.connect', buttons)
  const parts = { connect, undo: said('practice.undo', buttons), goOn: said('practice.go-on'), more: said('practice.more', { connect }) }
  return said(code, { ...buttons, ...parts, ...values })
}

function isAgain(text: string): boolean {
  return /^\W*(?:again|restart|start over|once more)\b|^[\s"“「]*(?:再来|重来|重新开始|再练|从头)/i.test(text)
}

function isGoOn(text: string): boolean {
  return /^\W*(?:go on|go ahead|continue|next|yes|ok|okay|retry|try again|sure|do it)\b|^[\s"“「]*(?:继续|好|可以|是|行|接着|下一步|重试|再试)/i.test(text)
}

function isQuestion(text: string): boolean {
  return /\b(?:who are you|what are you|are you (?:a|an|real)|connect|api key|real model|help)\b|你是谁|你是什么|真正的模型|接入|连接|密钥|帮助/i.test(text)
}
