/** Writes a file where the person chose, part by part: it appears whole or not at all. Rejects with a `StorageFault` when the place is at fault. */
export type WriteExport = (file: string, parts: AsyncIterable<string>) => Promise<void>
