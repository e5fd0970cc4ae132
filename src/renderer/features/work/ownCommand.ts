import type { MemoryScope } from '../../../shared/domain/memory'

/** What a person asks of the app itself in the message box; it never goes to the model. */
export type OwnCommand =
  | { readonly kind: 'save'; readonly text: string; readonly scope: MemoryScope }
  | { readonly kind: 'memory'; readonly query: string }
  | { readonly kind: 'compact'; readonly words: string }

/** The commands by the name they are typed with. */
export const ownNames = ['save', 'memory', 'compact'] as const
export type OwnName = (typeof ownNames)[number]

/**
 * Reads `/save TEXT`, `/save -g TEXT` (for all projects) `/memory [QUERY]` and `/compact [WORDS]` (what the summary is to keep in mind). Anything else that begins with a stroke is
 * plain text: null.
 */
export function readOwnCommand(typed: string): OwnCommand | null {
  const [, name, rest = ''] = /^\s*\/(save|memory|compact)(?:\s+([\s\S]*))?$/.exec(typed) ?? []
  if (name === 'compact') return { kind: 'compact', words: rest.trim() }
  if (name === 'memory') return { kind: 'memory', query: rest.trim() }
  if (name !== 'save') return null
  const [, text] = /^-g(?:\s+([\s\S]*))?$/.exec(rest.trim()) ?? [null, null]
  return text === null ? { kind: 'save', text: rest.trim(), scope: 'project' } : { kind: 'save', text: (text ?? '').trim(), scope: 'general' }
}
