/** Where the process is to end by itself: an event type, before or after its commit, at its n-th time. */
export interface CrashPoint {
  readonly type: string
  readonly moment: 'before' | 'after'
  readonly time: number
}

/**
 * For tests of kill -9 at each journal step: `COUNTERSIGN_CRASH_AT=tool-started`, `before:tool-started` (before the commit),
 * `tool-started#2` (at its second time). Works only beside `COUNTERSIGN_TEST=1`, so that one variable left behind does nothing.
 */
export function crashPointOf(env: Readonly<Record<string, string | undefined>>): CrashPoint | null {
  const at = env['COUNTERSIGN_CRASH_AT']
  if (env['COUNTERSIGN_TEST'] !== '1' || !at) return null
  const [, before, type = '', time] = /^(before:)?([^#]+)(?:#(\d+))?$/.exec(at) ?? []
  return type === '' ? null : { type, moment: before === undefined ? 'after' : 'before', time: Number(time ?? 1) }
}

/** Counts events as they come to the two moments of a commit, and kills the process at its point. */
export function crasher(point: CrashPoint | null, kill: () => void): { reach(moment: CrashPoint['moment'], types: readonly string[]): void } {
  let seen = 0
  return {
    reach(moment, types) {
      if (point === null || point.moment !== moment) return
      seen += types.filter((type) => type === point.type).length
      if (seen >= point.time) kill()
    },
  }
}

/** Ends the whole process at once, as kill -9 from outside does; does not return. */
export function killProcess(): void {
  process.kill(process.pid, 'SIGKILL')
  // The signal arrives within microseconds; nothing may run until then.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000)
}
