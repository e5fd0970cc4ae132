/** When placeholders were last changed, by their own word: one second after the beginning of time, which no other file claims. */
export const placeholderSeconds = 1

/**
 * An empty file or folder that a sandbox put into a project for the time of a command, so that nothing can be created under
 * that name (SECURITY, fourth layer, pitfall 2). It is nobody's work: scans and lists may leave it out. A folder that got
 * content has another time and is none.
 */
export function isPlaceholder(stats: { readonly size: number | bigint; readonly mtimeMs: number | bigint; isFile(): boolean; isDirectory(): boolean }): boolean {
  return Number(stats.mtimeMs) === placeholderSeconds * 1000 && (stats.isDirectory() || (stats.isFile() && Number(stats.size) === 0))
}
