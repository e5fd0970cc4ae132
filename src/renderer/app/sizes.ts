/** Widths of the zones a person can drag. */
export interface Sizes {
  readonly sessions: number
  readonly timeline: number
}

const defaults: Sizes = { sessions: 224, timeline: 308 }

/** Sizes kept for a project; the defaults for anything that is not a size. */
export function readSizes(project: string): Sizes {
  try {
    const kept = JSON.parse(localStorage.getItem(`sizes:${project}`) ?? '{}') as Partial<Record<keyof Sizes, unknown>>
    const size = (value: unknown, otherwise: number): number => (typeof value === 'number' && value >= 160 && value <= 520 ? value : otherwise)
    return { sessions: size(kept.sessions, defaults.sessions), timeline: size(kept.timeline, defaults.timeline) }
  } catch {
    return defaults // written by something else: not worth a word
  }
}

export function writeSizes(project: string, sizes: Sizes): void {
  localStorage.setItem(`sizes:${project}`, JSON.stringify(sizes))
}
