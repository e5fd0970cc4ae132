import type { Said } from '../../../shared/domain/result'
import type { TaintSource } from '../../../shared/domain/tool'
import type { WebHit, WebPage } from '../ports/web'
import type { ResultPorts } from '../mcp/results'
import { oneLine } from '../mcp/hiddenText'

/** What the tools of the web need beside the port that reaches it. */
export interface WebToolPorts {
  readonly results: ResultPorts
  /** What of this session's text stands in what is sent to a host, for the card. */
  notes(sent: string, host: string): readonly Said[]
}

/** The mark of text that came from an address. */
export function webTaint(url: string, host: string): TaintSource {
  return { kind: 'web', host: oneLine(host, 255), url: oneLine(url, 2048) }
}

/** A page as the model reads it: its title, and its text. */
export function pageText({ title, text }: Pick<WebPage, 'title' | 'text'>): string {
  const line = oneLine(title, 300)
  return line === '' || text.trimStart().startsWith(`# ${line}\n`) ? text : `Title: ${line}\n\n${text}`
}

/** Results of a search as a numbered list. */
export function hitsText(hits: readonly WebHit[]): string {
  return hits.map(({ url, title, snippet }, index) => `${index + 1}. ${oneLine(title, 300) || '(no title)'}\n   ${oneLine(url, 2048)}${snippet === '' ? '' : `\n   ${oneLine(snippet, 1000)}`}`).join('\n')
}
