import { z } from 'zod'
import { redact } from '../../src/main/core/policy/redaction'
import { StreamRedactor } from '../../src/main/core/policy/redactionStream'
import type { LabInput, Print } from './index'

const redactCase = z.object({
  id: z.unknown(),
  kind: z.enum(['text', 'args', 'json', 'url', 'output']).default('text'),
  known: z.array(z.string()).default([]),
  input: z.string().optional(),
  chunks: z.array(z.string()).optional(),
})

/** `redact`: each case of stdin through the redactor of the audit log and the screen; `chunks` as a stream, in order. */
export async function redactLab(args: readonly string[], input: Pick<LabInput, 'lines'>, print: Print): Promise<void> {
  const [unexpected] = args.filter((arg, at) => arg !== '--data' && args[at - 1] !== '--data')
  if (unexpected !== undefined) throw Object.assign(new Error('usage: redact'), { name: 'LabUsage' })
  for (const line of input.lines()) {
    const { id, kind, known, input: text, chunks } = redactCase.parse(JSON.parse(line))
    print({ id, output: chunks === undefined ? redact(text ?? '', { kind, known }) : streamed(chunks, { kind, known }) })
  }
  return Promise.resolve()
}

function streamed(chunks: readonly string[], how: ConstructorParameters<typeof StreamRedactor>[0]): string {
  const redactor = new StreamRedactor(how)
  return chunks.map((chunk) => redactor.push(chunk)).join('') + redactor.end()
}
