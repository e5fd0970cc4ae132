import { say } from '../../../shared/words/say'
import type { ExportItem } from './exportItems'
import { factsText, momentText, speaker, type ExportHead } from './exportText'

/** The session as Markdown. What the agent wrote is Markdown already; everything else is quoted so that it cannot be taken for it. */
export function* exportMarkdown(head: ExportHead, items: Iterable<ExportItem>): Generator<string> {
  yield `# ${inLine(head.title)}\n\n${inLine(factsText(head))}\n`
  for (const item of items) yield `\n${textOf(item, head)}\n`
}

function textOf(item: ExportItem, { locale }: ExportHead): string {
  const word = speaker(locale)
  const hidden = item.isHidden ? ` (${word('session.export-rolled-back')})` : ''
  switch (item.kind) {
    case 'user': return [`## ${word('ui.author.you')} · ${momentText(item.atMs)}${hidden}`, ...[...item.names, ...item.pictures.map(({ name }) => name)].map((name) => `- ${inLine(name)}`), ...(item.text === '' ? [] : [fenced(item.text)])].join('\n\n')
    case 'agent': return [`## ${word('ui.author.agent')} (${inLine(item.model)}) · ${momentText(item.atMs)}${hidden}`, ...(item.thinking === '' ? [] : [`**${word('session.thought')}**\n\n${fenced(item.thinking)}`]), ...(item.text === '' ? [] : [belowHeadings(item.text)])].join('\n\n')
    case 'call': {
      const seal = item.seal === null ? '' : ` · ${say(locale, item.seal)}`
      const outcome = item.outcome === null ? [] : [inLine(say(locale, item.outcome))]
      return [`### ${inLine(item.tool)}${seal}${hidden}`, fenced(item.args), ...outcome, ...item.changed.map((path) => `- ${word('session.changed')}: ${inLine(path)}`), ...(item.text === '' ? [] : [fenced(item.text)])].join('\n\n')
    }
    case 'note': return `*${inLine(say(locale, item.say))}*${hidden}`
  }
}

/** A fence longer than any in the text, so that nothing in it ends the block. */
function fenced(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}

/** In one line, without what Markdown or HTML would make of it. */
function inLine(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(/[\\`*_{}[\]<>#|]/g, (sign) => `\\${sign}`)
}

/** The agent's own headings stand below those of the export. */
function belowHeadings(text: string): string {
  let fence: string | null = null
  return text.split('\n').map((line) => {
    const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1] ?? null
    if (mark !== null) fence = fence === null ? mark : mark.startsWith(fence) ? null : fence
    return fence === null && /^#{1,4} /.test(line) ? `##${line}` : line
  }).join('\n')
}
