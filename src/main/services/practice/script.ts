import { z } from 'zod'

const step = z.strictObject({
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  /** Stands in the result when the step did what it was for. */
  worked: z.string().exactOptional(),
  /** Stands in the result when the fault is mended. */
  alreadyDone: z.string().exactOptional(),
})

const schema = z.strictObject({ version: z.literal(1), steps: z.strictObject({ search: step, read: step, edit: step, run: step, check: step }) })

/** What the tutor calls, step by step, and how it knows what came of it. What it says is in the words. */
export type PracticeScript = z.infer<typeof schema>
export type StepName = keyof PracticeScript['steps']

/** The order of the walk; `check` comes after it, as often as the person likes. */
export const walk = ['search', 'read', 'edit', 'run'] as const satisfies readonly StepName[]

/** Takes the parsed script.json of the resources; one that does not fit is a bug of the build: it throws. */
export function practiceScript(parsed: unknown): PracticeScript {
  return schema.parse(parsed)
}
