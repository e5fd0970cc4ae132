/** One figure of `lab perf`. `baseline` is measured in the same run, `ratio` is value by baseline. */
export interface PerfLine {
  readonly goal: string
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly baseline: number | null
  readonly ratio: number | null
  readonly runs: number
}

/** Whether a goal was asked for. */
export type Wanted = (goal: string) => boolean

/** The middle of the measured values; of an even number the lower one. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[(values.length - 1) >> 1] ?? NaN
}
