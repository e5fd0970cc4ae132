import path from 'node:path'

/** Larger files are data, not text that somebody reads. */
export const largestFileBytes = 16 * 1024 * 1024

/** Of a longer line the beginning is shown, with ripgrep's remark. */
export const lineCharacters = 400

/** The searched place from the root, with `/`; '' for the root itself. */
export function relativeTo(root: string, under: string): string {
  return path.relative(root, path.resolve(root, under)).split(path.sep).join('/')
}
