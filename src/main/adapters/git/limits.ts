/** What keeps a snapshot bounded (R80). What lies beyond is left out and said. */
export interface Limits {
  /** Largest file that is held. */
  readonly fileBytes: number
  /** Most files that are held; folders are gone through in name order. */
  readonly files: number
  /** Longest time one scan spends on reading contents; what is left is read by the next. */
  readonly readMs: number
}

export const defaultLimits: Limits = { fileBytes: 50 * 1024 * 1024, files: 300_000, readMs: 120_000 }
