import { contextStates, type ContextBar } from '../../../shared/ipc/contextViews'

/** All kinds together. */
export function sumOfBar(bar: ContextBar): number {
  return contextStates.reduce((sum, state) => sum + bar[state], 0)
}

/** A share in whole hundredths. */
export function percentOf(tokens: number, of: number): number {
  return Math.round((tokens / Math.max(1, of)) * 100)
}

/** A line of a summary without the mark of its turn, and the turns it names, in order. */
export function turnsOfLine(line: string): { readonly text: string; readonly turns: readonly number[] } {
  const [, text = line, marks = ''] = /^(.*?)\s*[(（]((?:turns?|第)\s*\d[^()（）]*)[)）]\s*$/iu.exec(line) ?? []
  return { text, turns: [...marks.matchAll(/\d+/g)].map(([digits]) => Number(digits)) }
}

/** The words of a line that heads others: one of Markdown, or a short one that ends with a colon and is no entry; else null. */
export function headingOf(line: string): string | null {
  const [, marked] = /^\s{0,3}#{1,6}\s+(.+?)\s*#*\s*$/u.exec(line) ?? []
  const [, named] = /^\s*(?:\*\*)?([^\s#*-][^:：*]{0,30})(?:\*\*)?[:：](?:\*\*)?\s*$/u.exec(line) ?? []
  return marked?.replace(/\*\*|__|[:：]$/gu, '').trim() ?? named ?? null
}
