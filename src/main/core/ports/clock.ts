/** The time. Core never reads it elsewhere. */
export interface Clock {
  /** Wall-clock time, milliseconds since the Unix epoch. */
  nowMs(): number
}
