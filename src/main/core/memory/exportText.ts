import type { MemoryScope } from '../../../shared/domain/memory'
import type { TaintSource } from '../../../shared/domain/tool'
import { outsideMark } from './outsideMark'

/** An entry as an export holds it. `at` is ISO 8601; `outside` is where it came from, when it is marked as from outside. */
export interface ExportedMemory {
  readonly text: string
  readonly scope: MemoryScope
  readonly isPinned: boolean
  readonly at: string
  readonly outside: TaintSource | null
}

/** The form of an export. */
export type ExportFormat = 'json' | 'markdown'

/** Headings of the two scopes in an export of Markdown. */
export const scopeHeadings: Readonly<Record<MemoryScope, string>> = { project: 'This project', general: 'General' }

/**
 * All entries as one text that `importText` reads back whole (R36). JSON has one entry a line, so that a fault can be found
 * by its line. Markdown has a heading for each scope and a list item for each entry, its further lines indented; date, pin and
 * what marks it as from outside stand in a comment that a reader does not see.
 */
export function exportText(entries: readonly ExportedMemory[], format: ExportFormat): string {
  return format === 'json' ? jsonText(entries) : markdownText(entries)
}

function jsonText(entries: readonly ExportedMemory[]): string {
  const lines = entries.map(({ text, scope, isPinned, at, outside }) => `    ${JSON.stringify({ text, scope, isPinned, at, ...(outside === null ? {} : { outside }) })}`)
  return `{\n  "version": 1,\n  "memories": [${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n  `}]\n}\n`
}

function markdownText(entries: readonly ExportedMemory[]): string {
  const parts = (['project', 'general'] as const).flatMap((scope) => {
    const items = entries.filter((entry) => entry.scope === scope).map(itemOf)
    return items.length === 0 ? [] : [`## ${scopeHeadings[scope]}\n\n${items.join('\n')}`]
  })
  return `${['# Memories', ...parts].join('\n\n')}\n`
}

function itemOf({ text, isPinned, at, outside }: ExportedMemory): string {
  return `- <!-- ${at}${isPinned ? ' pinned' : ''}${outside === null ? '' : ` outside=${outsideMark(outside)}`} --> ${text.split('\n').join('\n  ')}`
}
