import type { Result } from '../../../shared/domain/result'
import type { CancelSignal } from './cancelSignal'

/** Where an address leads, before anything is sent. */
export interface WebTarget {
  readonly url: string
  readonly host: string
  /** The host resolves to a private, loopback, link-local or otherwise not public address. */
  readonly isPrivate: boolean
}

/** A page as text. `text` is the main text as Markdown for HTML, the text itself for other text. */
export interface WebPage {
  /** The address in the end, after redirects within the host. */
  readonly url: string
  readonly host: string
  readonly status: number
  readonly mimeType: string
  readonly title: string
  readonly text: string
  readonly sizeBytes: number
  /** False: it is a picture, a program or the like. It was not read, `text` is empty, and `sizeBytes` is what its server says, 0 where it does not. */
  readonly isText: boolean
  /** The page was longer than the cap, and its end is missing. */
  readonly isCut: boolean
}

/** A redirect to another host, which is another question to the person. */
export interface WebRedirect {
  readonly to: string
}

/** Fetches pages (R102). */
export interface WebFetch {
  /** Reads the address and looks its host up; sends nothing to it. A fault for what is no http(s) address, carries a name and password, or does not resolve. */
  locate(url: string): Promise<Result<WebTarget>>
  /** Whether the address's host, with its port where that is not the scheme's own, is one of these. */
  isAllowed(url: string, privateHosts: readonly string[]): boolean
  /**
   * Fetches the page: at most 5 MB and 30 s in all, no cookies, no script, redirects within the host followed and checked
   * again. It connects to the very address that was looked up; a private one only when its host is in `privateHosts`.
   */
  fetch(url: string, privateHosts: readonly string[], signal: CancelSignal): Promise<Result<WebPage | WebRedirect>>
}

/** One result of a web search. */
export interface WebHit {
  readonly url: string
  readonly title: string
  readonly snippet: string
}

/** A configured search service. */
export interface WebSearchEndpoint {
  readonly kind: 'searxng' | 'brave' | 'tavily'
  readonly url: string
  readonly key: string | null
}

/** Searches the web through one endpoint. */
export interface WebSearch {
  search(endpoint: WebSearchEndpoint, query: string, limit: number, signal: CancelSignal): Promise<Result<readonly WebHit[]>>
}
