import type { McpLogLine } from '../../shared/domain/mcp'

const lineLimit = 2_000
const characterLimit = 1_000_000
const lineCharacters = 10_000

/** The last lines of one server's log, redacted; older ones fall out (R46). */
export interface McpLog {
  add(line: McpLogLine): void
  lines(): readonly McpLogLine[]
  /** The last line of its stderr since `sinceMs`, for a failure; empty when there is none. */
  lastLine(sinceMs: number): string
}

/** Makes an empty log. */
export function makeMcpLog(redact: (text: string) => string): McpLog {
  let lines: McpLogLine[] = []
  let characters = 0
  return {
    add(line) {
      const cut = line.text.length > lineCharacters ? `${line.text.slice(0, lineCharacters)}…` : line.text
      const kept = { ...line, text: redact(cut) }
      lines.push(kept)
      characters += kept.text.length
      // A tenth at once: a server that floods must not cost a copy a line.
      while (lines.length > lineLimit || characters > characterLimit) {
        lines = lines.slice(Math.ceil(lines.length / 10))
        characters = lines.reduce((sum, one) => sum + one.text.length, 0)
      }
    },
    lines: () => [...lines],
    lastLine: (sinceMs) => lines.findLast((line) => line.from === 'stderr' && line.atMs >= sinceMs && line.text.trim() !== '')?.text ?? '',
  }
}
