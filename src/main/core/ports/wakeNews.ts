/** Tells that the system was asleep and goes on (R112). Returns what ends the telling. */
export type WakeNews = (listener: () => void) => () => void
