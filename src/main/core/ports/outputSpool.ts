/**
 * Where a long output goes while it grows, so that memory stays bounded and a crash loses none of what was shown. One writer
 * a name; names are call ids.
 */
export interface OutputSpool {
  begin(name: string): SpoolWriter
  /** Makes a blob of what a writer of that name had written when the app was killed; its name in the outputs store, or null. */
  recover(name: string): Promise<string | null>
  /** The end of it while it was not recovered yet, and when the last of it was written; null when there is none. */
  peek(name: string, maxBytes: number): Promise<{ readonly bytes: Uint8Array; readonly atMs: number } | null>
}

/** Never throws for what the disk does: an output that cannot be kept must not end the command that makes it. */
export interface SpoolWriter {
  /** Takes a copy. */
  write(bytes: Uint8Array): void
  /** Bytes taken that are not on the disk yet. Above a limit of its own the caller should stop its source for a while. */
  waitingBytes(): number
  /** Called each time bytes have reached the disk. */
  onWritten(listener: () => void): void
  /** Ends the writing and makes a blob of it; its name in the outputs store, or null when the disk refused some of it. */
  keep(): Promise<string | null>
  /** Ends the writing and removes what was written. */
  drop(): Promise<void>
}
