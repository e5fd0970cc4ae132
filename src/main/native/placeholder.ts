/**
 * When placeholders were last changed, by their own word: an odd moment of 1970, which no file of anybody claims. (The first
 * seconds of that year are common: archives that are to be the same every time use them.)
 */
export const placeholderSeconds = 12_345_677

/**
 * An empty file or folder that a sandbox put into a project for the time of a command, so that nothing can be created under
 * that name (SECURITY, fourth layer, pitfall 2). It is nobody's work: scans and lists may leave it out. A folder that got
 * content has another time and is none.
 */
export function isPlaceholder(stats: { readonly size: number | bigint; readonly mtimeMs: number | bigint; isFile(): boolean; isDirectory(): boolean }): boolean {
  return Number(stats.mtimeMs) === placeholderSeconds * 1000 && (stats.isDirectory() || (stats.isFile() && Number(stats.size) === 0))
}
