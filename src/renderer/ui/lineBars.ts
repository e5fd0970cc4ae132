/** Who made a line, as a bar beside it: solid, double, dotted, solid and double, hollow. */
export type LineBar = 'agent' | 'you' | 'cmd' | 'both' | 'unknown'

/** The bars of a comparison, a line of each text after the other; null: nobody changed it. */
export interface LineBars {
  readonly before: readonly (LineBar | null)[]
  readonly after: readonly (LineBar | null)[]
}

/** Neighbouring lines with the same bar. Numbers count from 1. */
export interface BarRun {
  readonly from: number
  readonly to: number
  readonly bar: LineBar
}

/** The stretches of lines that have a bar. */
export function barRuns(bars: readonly (LineBar | null)[]): readonly BarRun[] {
  const runs: { from: number; to: number; bar: LineBar }[] = []
  bars.forEach((bar, index) => {
    if (bar === null) return
    const last = runs.at(-1)
    if (last?.bar === bar && last.to === index) last.to = index + 1
    else runs.push({ from: index + 1, to: index + 1, bar })
  })
  return runs
}
