import { Brain, ExternalLink, FileMinus, FilePen, FilePlus, FlaskConical, Globe, MessageCircleQuestion, MessageSquareQuote, MoveRight, Plug, SquareTerminal, Wrench, type LucideIcon } from 'lucide-react'
import type { ApprovalRequest, CommandConfinement } from '../../../shared/domain/approval'
import { formOf } from '../../../shared/domain/changedText'
import type { Values } from '../../../shared/domain/result'
import type { SayCode } from '../../../shared/words/codes'
import { partsOfEdit } from './editChanges'

interface Title {
  readonly icon: LucideIcon
  readonly code: Extract<SayCode, `approval.wants.${string}`>
  readonly values: Values
}

/** What the agent wants, in one line. */
export function titleOf({ preview, tool, baseHashes }: ApprovalRequest): Title {
  switch (preview.kind) {
    case 'command': return { icon: SquareTerminal, code: commandTitle(preview.confinement), values: {} }
    case 'trial': return { icon: FlaskConical, code: 'approval.wants.trial', values: {} }
    case 'question': return { icon: MessageCircleQuestion, code: 'approval.wants.question', values: {} }
    case 'move': return { icon: MoveRight, code: 'approval.wants.move', values: {} }
    case 'mcp': return { icon: Plug, code: 'approval.wants.mcp', values: { ...preview.origin } }
    case 'sampling': return { icon: MessageSquareQuote, code: 'approval.wants.sampling', values: { server: preview.server } }
    case 'elicitation': return { icon: MessageCircleQuestion, code: 'approval.wants.elicitation', values: { server: preview.server } }
    case 'open-address': return { icon: ExternalLink, code: 'approval.wants.open-address', values: { server: preview.server } }
    case 'memory': return { icon: Brain, code: 'approval.wants.memory', values: {} }
    case 'fetch': return { icon: Globe, code: 'approval.wants.fetch', values: {} }
    case 'web-search': return { icon: Globe, code: 'approval.wants.web-search', values: {} }
    case 'arguments': return tool === 'start_server' ? { icon: Plug, code: 'approval.wants.start-server', values: {} } : { icon: Wrench, code: 'approval.wants.tool', values: { tool } }
    case 'binary': return preview.afterBytes === null ? { icon: FileMinus, code: 'approval.wants.delete', values: {} } : { icon: FilePen, code: 'approval.wants.binary', values: {} }
    case 'edit':
      // A file that is no text has no words to compare with, but it is there.
      if (preview.before === null && (baseHashes[preview.path] ?? null) === null) return { icon: FilePlus, code: 'approval.wants.create', values: {} }
      return preview.after === null ? { icon: FileMinus, code: 'approval.wants.delete', values: {} } : { icon: FilePen, code: 'approval.wants.edit', values: {} }
  }
}

/** A second run that asks for more is a question of its own, and says so first. */
function commandTitle(confinement: CommandConfinement | undefined): Title['code'] {
  if (confinement?.outside === true) return confinement.after === null ? 'approval.wants.outside' : 'approval.wants.again-outside'
  if (confinement?.network === true) return confinement.after === null ? 'approval.wants.network' : 'approval.wants.again-network'
  return 'approval.wants.command'
}

/** The outside text a title ends with. */
export function pathOf({ preview }: ApprovalRequest): string {
  if (preview.kind === 'edit' || preview.kind === 'binary') return preview.path
  return preview.kind === 'move' ? `${preview.from} → ${preview.to}` : ''
}

/** Everything the person would sign, as one text: any change of it arms the card anew. `chosen`: what was chosen at the card. */
export function signedText({ nonce, argsHash, preview }: ApprovalRequest, edited: string | null, chosen = ''): string {
  return `${nonce}\n${argsHash}\n${edited ?? ''}\n${chosen}\n${JSON.stringify(preview)}`
}

/** A text of a card that scrolls in itself. */
export type ReadPart = 'command' | 'arguments' | 'change' | 'messages'

/** How the end of a text was reached: it came into view, or somebody scrolled to it. */
export type Reading = 'seen' | 'scrolled'
/** What the boxes of a card tell; other functions once what is signed is another. */
export type Readers = Readonly<Record<ReadPart, (how: Reading) => void>>

/**
 * The texts whose end has to be reached before they can be signed. A long one has to be scrolled through; what goes to a
 * server, and what it changed in its tool, has to have been in view also where it is short.
 */
export function partsToRead({ preview }: ApprovalRequest, isEdited: boolean): readonly { readonly part: ReadPart; readonly how: Reading }[] {
  // Of what is too much to show at once, the numbers come first.
  if (preview.kind === 'edit') return formOf(partsOfEdit(preview)) === 'large' ? [{ part: 'change', how: 'seen' }] : []
  return partsOf(preview).flatMap(([part, text]): readonly { readonly part: ReadPart; readonly how: Reading }[] => {
    if (text.length > longText) return [{ part, how: 'scrolled' }]
    const isShown = part === 'change' ? text !== '' : part === 'arguments' && !isEdited
    return isShown ? [{ part, how: 'seen' }] : []
  })
}

function partsOf(preview: ApprovalRequest['preview']): readonly (readonly [ReadPart, string])[] {
  switch (preview.kind) {
    case 'command':
    case 'trial': return [['command', preview.command]]
    case 'fetch': return [['arguments', preview.url]]
    case 'web-search': return [['arguments', preview.query]]
    case 'mcp': return [['arguments', preview.text], ['change', preview.change === null ? '' : preview.change.before + preview.change.after]]
    case 'memory': return [['arguments', preview.text]]
    case 'sampling': return [['messages', preview.system + preview.messages.map((message) => message.text).join('')]]
    case 'elicitation':
    case 'open-address': return [['messages', preview.message]]
    default: return []
  }
}

/**
 * A word of a command line as it would have to be typed. What the guard shows in the words of the command itself (quotes,
 * variables, redirections) is left alone: quoted once more it would read as something else.
 */
export function quoteWord(word: string): string {
  // Quotes of the source only stay in a word that is not known whole: one with expansions or patterns.
  const isSource = /[`$]|^\(|^\d*[<>&]|["'\\].*[*?[]|[*?[].*["'\\]/s.test(word)
  if (isSource || /^[\w@%+=:,./~-]+$/.test(word)) return word
  if (!word.includes("'")) return `'${word}'`
  return /["\\!]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : `"${word}"`
}

/** A docked change shows all its rows when there are no more than these; a longer one is signed beside its diff only. */
export const dockedRows = 14
/** So many characters go into a row of it, about. */
export const dockedColumns = 80
/** A longer text has to be read to its end before it can be signed. */
const longText = 10_000
