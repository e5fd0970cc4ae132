/** Share of the window above which tools of servers are found by a search instead of being sent whole (issue 3, item 7). */
export const deferralShare = 0.1

/** Taken where the window of a model is not known. */
export const assumedWindowTokens = 128_000

/** True when the tools of the servers are too many to be sent whole. `windowTokens` null: not known. */
export function isDeferred(tokens: number, windowTokens: number | null): boolean {
  return tokens > deferralShare * (windowTokens ?? assumedWindowTokens)
}

/** A tool as the search sees it; names as the server gives them. */
export interface SearchableTool {
  readonly server: string
  readonly name: string
  readonly title: string
  readonly description: string
}

/** The tools that fit a query best, best first, at most `limit`; only those that fit at all. */
export function searchTools<T extends SearchableTool>(query: string, tools: readonly T[], limit: number): readonly T[] {
  const words = query.toLowerCase().split(/\s+/u)
  return tools.filter((tool) => words.some((word) => `${tool.name} ${tool.title} ${tool.description}`.toLowerCase().includes(word))).slice(0, limit)
}
