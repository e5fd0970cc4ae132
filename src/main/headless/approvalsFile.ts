import { z } from 'zod'
import type { ApprovalAnswer, ApprovalRequest } from '../../shared/domain/approval'
import { say } from '../../shared/words/say'
import { said } from '../../shared/domain/result'
import { Fault } from './usage'

const word = z.enum(['allow', 'deny', 'skip'])
const fileSchema = z.strictObject({
  default: z.enum(['deny', 'allow']).default('deny'),
  rules: z
    .array(z.strictObject({ tool: z.string(), match: z.string().default(''), answer: word, edit: z.record(z.string(), z.unknown()).optional() }))
    .default([]),
})

/** The answers of a person who is not there, as a file gives them. */
export interface WrittenAnswers {
  answerFor(request: ApprovalRequest): ApprovalAnswer
}

/** Without a file everything that asks is denied. A file that cannot be understood is a fault before anything runs. */
export function writtenAnswers(text: string | null): WrittenAnswers {
  const file = text === null ? fileSchema.parse({}) : parseFile(text)
  const rules = file.rules.map((rule) => ({ ...rule, pattern: patternOf(rule.match) }))
  return {
    answerFor(request) {
      // Nobody is there to make room: the call ends, and the model is told why.
      if (request.notRun !== undefined) return { kind: 'skip' }
      const shown = JSON.stringify(request.args)
      const rule = rules.find((one) => (one.tool === '*' || one.tool === request.tool) && one.pattern.test(shown))
      if (rule) return answerOf(rule.answer, rule.edit, request)
      if (file.default === 'allow') return { kind: 'allow' }
      return { kind: 'deny', reason: request.preview.kind === 'question' ? say('en', said('turn.nobody-answered')) : '' }
    },
  }
}

function answerOf(answer: z.infer<typeof word>, edit: Readonly<Record<string, unknown>> | undefined, request: ApprovalRequest): ApprovalAnswer {
  if (answer === 'deny') return { kind: 'deny', reason: '' }
  if (answer === 'skip') return { kind: 'skip' }
  return edit ? { kind: 'edited', args: { ...request.args, ...edit } } : { kind: 'allow' }
}

function parseFile(text: string): z.infer<typeof fileSchema> {
  try {
    return fileSchema.parse(JSON.parse(text))
  } catch (error) {
    throw new Fault(`the approvals file cannot be read: ${error instanceof Error ? error.message.split('\n').join(' ') : String(error)}`)
  }
}

function patternOf(text: string): RegExp {
  try {
    return new RegExp(text)
  } catch {
    throw new Fault(`the approvals file holds a match that is no regular expression: ${text}`)
  }
}
