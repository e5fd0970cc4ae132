/** Longest line that is shown whole. */
const longestLine = 2000

/** Lines with their numbers, a tab between: `12<tab>text`. Long lines are cut and say so. */
export function numberLines(lines: readonly string[], firstNumber: number): string {
  return lines.map((line, at) => `${firstNumber + at}\t${cutLine(line)}`).join('\n')
}

function cutLine(line: string): string {
  const shown = line.endsWith('\r') ? line.slice(0, -1) : line
  return shown.length <= longestLine ? shown : `${shown.slice(0, longestLine)} … [${shown.length - longestLine} more characters in this line]`
}
