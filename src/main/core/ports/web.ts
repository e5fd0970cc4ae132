import type { Result } from '../../../shared/domain/result'
import type { CancelSignal } from './cancelSignal'

/** What an address says by itself. */
export interface WebTarget {
  readonly url: string
  readonly host: string
  /** It is a number that is not public, or a name of this machine or of the network around it. Other names may lead there too. */
  readonly saysPrivate: boolean
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
  /**
   * Reads the address and sends nothing anywhere: to look a host up is to send its name out, and nobody may have allowed that yet.
   * A fault for what is no http(s) address, or carries a name and password.
   */
  locate(url: string): Result<WebTarget>
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
