import { median, type PerfLine } from './perfLine'
import type { Way } from './snapshotWays'

/** Times of our way and of the one beside it. */
export interface Pairs {
  readonly ours: number[]
  readonly base: number[]
}

export function pairs(): Pairs {
  return { ours: [], base: [] }
}

/** Both ways once, the order turned each round. Different trees end the run: a wrong snapshot is not a fast one. */
export async function inTurn(round: number, ours: Pick<Way, 'snap'>, base: Pick<Way, 'snap'>, times: Pairs): Promise<string> {
  const trees: string[] = []
  const take = async (way: Pick<Way, 'snap'>, into: number[]): Promise<void> => {
    const startedAt = performance.now()
    trees.push(await way.snap())
    into.push(performance.now() - startedAt)
  }
  const both = [() => take(ours, times.ours), () => take(base, times.base)]
  for (const one of round % 2 === 0 ? both : both.reverse()) await one()
  if (trees[0] !== trees[1]) throw new Error(`the trees differ: ${trees.join(' and ')}`)
  return trees[0] ?? ''
}

export function line(goal: string, name: string, { ours, base }: Pairs, baseline: string): PerfLine {
  const [value, against] = [median(ours), median(base)]
  return { goal, name: `${name} (beside ${baseline})`, value: round1(value), unit: 'ms', baseline: round1(against), ratio: Math.round((value / against) * 1000) / 1000, runs: ours.length }
}

export function round1(value: number): number {
  return Math.round(value * 10) / 10
}
