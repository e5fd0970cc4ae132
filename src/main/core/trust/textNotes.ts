import { said } from '../../../shared/domain/result'
import type { TrustItem } from '../../../shared/domain/trust'
import { foldLookalikes } from '../mcp/confusables'
import { showHidden } from '../mcp/hiddenText'
import { warningsOfText } from '../mcp/scanText'

/** What to look at in one item. */
export type TrustNotes = TrustItem['notes']

/** A line that tells somebody to run something, in English or Chinese; what it names looks like a command. */
const asksFor = /(?:^|[^\p{L}])(?:run|runs|execute|exec|invoke|launch|eval|source|install)\b[^\n]{0,80}?(?:`[^`\n]+`|\.{0,2}\/[\w.-]|\b[\w-]+\.(?:sh|py|js|mjs|ts|rb|pl|ps1|bat|exe)\b|\b(?:npm|npx|pnpm|yarn|bun|uvx|pipx?|curl|wget|bash|sh|node|python3?|docker|sudo|make|git|cargo|go)\b)/iu
const asksForChinese = /(?:运行|执行|安装|启动)[^\n]{0,60}?(?:`[^`\n]+`|\.{0,2}\/[\w.-]|[\w-]+\.(?:sh|py|js|ts)(?!\w)|\b(?:npm|npx|pnpm|yarn|pip|curl|wget|bash|sh|node|python3?|docker|sudo|git)\b)/iu
/** A program fetched and run in one go. */
const piped = /\b(?:curl|wget|fetch|iwr|irm)\b[^\n|]*\|\s*(?:sudo\s+)?(?:\w*sh|python3?|node|perl|ruby|iex)\b/iu
/** Words that want the person left out. */
const without = /\b(?:without|do(?: not|n't)|never|no need to)\s+(?:ask|asking|prompt|prompting|confirm|confirming|confirmation|approval|permission)|(?:不要|无需|不用|别)(?:询问|确认|请求批准|征求)/iu

const mostLines = 20
/** Beyond this only the whole is looked at, not each line. */
const byLineCharacters = 64 * 1024

/**
 * What to look at before trusting a text: hidden characters and lines that ask for a command, each with its line; and what
 * the scan of servers' texts finds. They only point; that there are none says nothing.
 */
export function notesOfText(text: string): TrustNotes {
  const notes: TrustNotes[number][] = []
  const lines = text.split('\n')
  lines.forEach((line, at) => {
    const count = hiddenIn(line)
    if (count > 0) notes.push({ line: at + 1, tone: 'bad', say: said('trust.hidden', { count }) })
    const plain = foldLookalikes(line)
    if (asksFor.test(plain) || asksForChinese.test(line) || piped.test(plain) || without.test(plain)) notes.push({ line: at + 1, tone: 'warn', say: said('trust.asks-command') })
  })
  const isLong = notes.length > mostLines
  return [...notes.slice(0, mostLines), ...(isLong ? [{ line: null, tone: 'warn', say: said('trust.more-notes', { count: notes.length - mostLines }) } as const] : []), ...scanned(text, lines)]
}

/** Hidden characters are counted above; a long text is no news here. */
const counted: ReadonlySet<string> = new Set(['mcp.warn-zero-width', 'mcp.warn-bidi', 'mcp.warn-control', 'mcp.warn-long'])

function scanned(text: string, lines: readonly string[]): TrustNotes {
  const placed = new Map<string, number>()
  if (text.length <= byLineCharacters) lines.forEach((line, at) => warningsOfText(line).forEach(({ code }) => placed.has(code) || placed.set(code, at + 1)))
  return warningsOfText(text).filter(({ code }) => !counted.has(code)).map((say) => ({ line: placed.get(say.code) ?? null, tone: 'bad', say }))
}

function hiddenIn(line: string): number {
  const shown = showHidden(line)
  return shown === line ? 0 : (shown.match(/\\u\{[0-9a-f]+\}/gu)?.length ?? 0) - (line.match(/\\u\{[0-9a-f]+\}/gu)?.length ?? 0)
}
