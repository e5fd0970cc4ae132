import type { McpLogLine } from '../../../shared/domain/mcp'

/** Escape sequences of a terminal: colours, cursor moves, titles. */
const sequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][\s\S]*?(?:\u0007|\u001b\\|$)|[ -/]*[0-~])|\u009b[0-?]*[ -/]*[@-~]/g

/** A line without what only a terminal understands; of a line that was overwritten, what stood last. */
export function plainText(text: string): string {
  return text.replace(sequences, '').replace(/[^\n]*\r(?=[^\n\r])/g, '').replaceAll('\r', '')
}

/** The lines that hold every word typed, of the sources that are wanted. */
export function filterLog(lines: readonly McpLogLine[], wanted: string): readonly McpLogLine[] {
  const words = wanted.toLowerCase().split(/\s+/).filter((word) => word !== '')
  return words.length === 0 ? lines : lines.filter((line) => { const text = `${line.from} ${line.text}`.toLowerCase(); return words.every((word) => text.includes(word)) })
}
