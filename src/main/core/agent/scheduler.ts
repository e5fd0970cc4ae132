/** A job of a step. Jobs that may overlap are reads; `places` are the real paths it touches. */
export interface Job<End> {
  readonly canOverlap: boolean
  places(): Promise<readonly string[]>
  run(): Promise<End>
}

/** Reads of one step that run at the same time, at most; R4. */
const overlapLimit = 4

/**
 * Runs jobs in order. Neighbours that may overlap run together, 4 at most; any other job runs alone. Two jobs that touch the
 * same real path never overlap. `onEnd` is called in the order of the jobs, one at a time, as soon as that order allows.
 */
export async function runInLanes<End>(jobs: readonly Job<End>[], onEnd: (end: End, index: number) => Promise<void>): Promise<readonly End[]> {
  const ends: End[] = []
  let next = 0
  while (next < jobs.length) {
    const first = next
    while (next < jobs.length && jobs[next]?.canOverlap === jobs[first]?.canOverlap && (next === first || jobs[first]?.canOverlap === true)) next++
    const group = jobs.slice(first, next)
    const started = jobs[first]?.canOverlap === true ? startTogether(group) : group.map((job) => job.run())
    for (const [offset, pending] of started.entries()) {
      const end = await pending
      ends.push(end)
      await onEnd(end, first + offset)
    }
  }
  return ends
}

/** Starts each job when one of the four places is free and no earlier job still holds one of its paths. */
function startTogether<End>(jobs: readonly Job<End>[]): readonly Promise<End>[] {
  const places = new Map<string, Promise<unknown>>()
  const slots: Promise<unknown>[] = Array.from({ length: overlapLimit }, () => Promise.resolve())
  let admission: Promise<unknown> = Promise.resolve()
  return jobs.map((job, index) => {
    const slot = slots[index % overlapLimit] ?? Promise.resolve()
    const turn = admission
    const started = (async () => {
      await turn
      const touched = await job.places()
      const holders = touched.map((place) => places.get(place))
      const ended = Promise.all([slot, ...holders]).then(() => job.run())
      const settled = ended.catch(() => undefined)
      for (const place of touched) places.set(place, settled)
      return { ended }
    })()
    admission = started.catch(() => undefined)
    const end = started.then(({ ended }) => ended)
    slots[index % overlapLimit] = end.catch(() => undefined)
    return end
  })
}
