import type { McpLogLine } from '../../shared/domain/mcp'

const lineLimit = 2_000
const characterLimit = 1_000_000
const lineCharacters = 2_000
/** Lines this long may have been cut before they came: a secret in their last part may be half. */
const wholeBelow = 8_000
const margin = 4_096

/** What Node and npm print after the reason: frames of a stack and fields of an error, which are indented, and where to read on. */
const aside = /^(?:\s|[\]})]+;?$|Node\.js v\d|npm (?:error|ERR!) (?:A complete log of this run|\s*\S*-debug-))/u

/** Masks secrets in text that comes in pieces. */
export type LogFilter = () => { push(piece: string): string }

/** The last lines of one server's log, redacted; older ones fall out (R46). */
export interface McpLog {
  add(line: McpLogLine): void
  /** A start: more may be secret from now on. */
  started(): void
  lines(): readonly McpLogLine[]
  /** The last line of its stderr since `sinceMs` that may say why it failed; empty when there is none. */
  lastLine(sinceMs: number): string
}

/** Makes an empty log. Each source is masked as one text, so that a secret of several lines, as a private key, is found. */
export function makeMcpLog(makeFilter: LogFilter): McpLog {
  let lines: McpLogLine[] = []
  let characters = 0
  const sources = new Map<McpLogLine['from'], { readonly filter: ReturnType<LogFilter>; rest: string }>()

  const keep = (line: McpLogLine): void => {
    lines.push(line)
    characters += line.text.length
    // A tenth at once: a server that floods must not cost a copy a line.
    while (lines.length > lineLimit || characters > characterLimit) {
      lines = lines.slice(Math.ceil(lines.length / 10))
      characters = lines.reduce((sum, one) => sum + one.text.length, 0)
    }
  }
  return {
    add(line) {
      const source = sources.get(line.from) ?? { filter: makeFilter(), rest: '' }
      sources.set(line.from, source)
      const certain = `${source.rest}${source.filter.push(`${line.text}\n`)}`.split('\n')
      source.rest = certain.pop() ?? ''
      for (const text of certain) keep({ ...line, text: shown(text, line.text.length < wholeBelow) })
    },
    started: () => sources.clear(),
    lines: () => [...lines],
    lastLine(sinceMs) {
      const told = lines.filter((line) => line.from === 'stderr' && line.atMs >= sinceMs && line.text.trim() !== '')
      return (told.findLast((line) => !aside.test(line.text)) ?? told.at(-1))?.text ?? ''
    },
  }
}

function shown(text: string, isWhole: boolean): string {
  const most = isWhole ? lineCharacters : Math.min(lineCharacters, Math.max(0, text.length - margin))
  return text.length > most ? `${text.slice(0, most)}…` : text
}
