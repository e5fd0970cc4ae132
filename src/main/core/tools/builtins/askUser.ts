import { z } from 'zod'
import { said, succeed } from '../../../../shared/domain/result'
import { defineTool } from '../defineTool'

/** Asks the person; the answer comes back as edited arguments, so it passes the same gate as every answer. */
export const askUser = defineTool({
  name: 'ask_user',
  description:
    'Ask the user one question when you cannot go on without their decision. Give 2 to 5 options when the answers are foreseeable. Do not use it to ask for permission: every risky call is approved anyway.',
  params: z.object({
    question: z.string().min(1).max(4000),
    options: z.array(z.string().min(1).max(500)).max(10).default([]),
    answer: z.string().max(100_000).exactOptional().describe('Leave out: the user fills it in.'),
  }),
  effect: 'read',
  verdict: () => ({ kind: 'ask', reason: said('guard.needs-person') }),
  paths: () => [],
  forecast: (args) => Promise.resolve(succeed({ preview: { kind: 'question', question: args.question, options: args.options }, writes: [], base: {} })),
  withEdit: (args, edited) => ({ ...args, answer: edited }),
  run: (args) =>
    Promise.resolve(
      args.answer === undefined
        ? { status: 'failed', say: said('turn.nobody-answered') }
        : { status: 'ok', say: said('tool.answered'), body: args.answer },
    ),
})
