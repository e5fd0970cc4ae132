import { z } from 'zod'

/** Judges arguments by the original schema of a tool (R52). What passes is what was given. */
export function argumentsOf(_inputSchema: unknown): z.ZodType<Readonly<Record<string, unknown>>> {
  return z.custom<Readonly<Record<string, unknown>>>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), { error: 'must be an object' })
}
