/** The tag that opens a block of lines of the record in a page. */
export const recordBlockTag = '<script type="application/json" class="log">'

/** Lines of the record in a page: each as a JSON string on a line of its own, in a block that no browser runs. */
export function logBlock(lines: readonly string[]): string {
  return `${recordBlockTag}\n${lines.map((line) => `${inertJson(line)}\n`).join('')}</script>\n`
}

/** JSON in which nothing can end the block it stands in or begin another: `<` only ever stands inside texts. */
export function inertJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
