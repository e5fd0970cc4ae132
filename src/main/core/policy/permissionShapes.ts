import type { RuleShape, RuleWord } from '../../../shared/domain/rule'
import { isBuiltinReader } from './commandGuard'
import { canBeAnswered, isFreePlace, pageHost, takesTree } from './permissionFits'
import { fitsWords } from './permissionRestrict'
import { isCommand, type PermissionQuestion } from './permissionQuestion'
import type { PermissionAnswers } from './permissions'
import { leadOf, needsSecondWord } from './subCommands'
import type { JudgedPart } from './shell/call'
import { hasMark, showMarks } from './shell/marks'

type CommandShape = Extract<RuleShape, { readonly kind: 'command' }>

/**
 * The narrowest shapes that would let this very call run: for a command one for each part that neither the readers nor, where
 * `parts` is given, a permission answers already. Null when no rule may answer the call.
 */
export function proposedShapes(question: PermissionQuestion, parts?: PermissionAnswers['parts']): readonly RuleShape[] | null {
  if (question.verdict.kind !== 'allowable') return null
  if (!isCommand(question)) return callShapes(question)?.slice(0, 1) ?? null
  if (question.parts.length === 0) return null
  const waiting = question.parts.filter((part, at) => (parts?.[at] ?? null) === null && !(question.readersAnswer && isReader(part)))
  return waiting.every(canBeRule) ? withoutRepeats(waiting.map(exactShape)) : null
}

/**
 * Shapes to make rules of, from a call: the narrowest of each part in the order of the parts, then wider ones that people
 * mean: any words after the sub-command, any script of a runner, any operand, the files of one folder. Empty when no rule may
 * answer any part of it.
 */
export function draftShapes(question: PermissionQuestion): readonly RuleShape[] {
  if (!isCommand(question)) return question.verdict.kind === 'allowable' ? (callShapes(question) ?? []) : []
  const parts = question.parts.filter((part) => canBeRule(part) && !(question.readersAnswer && isReader(part)))
  return withoutRepeats([...parts.map(exactShape), ...parts.flatMap(widerShapes)])
}

/** What a person would have to read must be short enough to be read; an empty word cannot be shown. */
function canBeRule(part: JudgedPart): boolean {
  return canBeAnswered(part) && part.words.length <= 200 && part.words.every((word) => word.length > 0 && word.length <= 4096)
}

/** One simple command word by word; a glob that the shell fills in stays a pattern. */
export function exactShape(part: JudgedPart): CommandShape {
  return { kind: 'command', words: part.words.map(exactWord), isOpen: false, ...inFolder(part) }
}

function inFolder({ folder }: JudgedPart): Pick<CommandShape, 'folder'> {
  return folder === null ? {} : { folder }
}

function exactWord(text: string): RuleWord {
  return hasMark(text) ? { kind: 'pattern', text: showMarks(text).replaceAll('?', '*') } : { kind: 'exact', text }
}

function widerShapes(part: JudgedPart): readonly CommandShape[] {
  const words = part.words.map(exactWord)
  const { length, script } = leadOf(part.words)
  // Without its sub-command a program would stand for all that it can do.
  if (length === 1 && needsSecondWord(part.words[0] ?? '')) return []
  const lead = words.slice(0, length)
  const operands: CommandShape = { kind: 'command', words: words.map((word, at) => (at < length || isOption(word) ? word : { kind: 'any' })), isOpen: false }
  const scripts: readonly CommandShape[] = script === null ? [] : [false, true].map((isOpen) => ({ kind: 'command', words: words.slice(0, script + 1).map((word, at) => (at === script ? { kind: 'any' } : word)), isOpen }))
  return [...(words.length > length ? [operands] : []), { kind: 'command' as const, words: lead, isOpen: true }, ...scripts].filter((shape) => fitsWords(shape, part.words)).map((shape) => ({ ...shape, ...inFolder(part) }))
}

function isOption(word: RuleWord): boolean {
  return word.kind !== 'any' && word.text.startsWith('-')
}

function isReader(part: JudgedPart): boolean {
  return isBuiltinReader({ kind: part.verdict, reason: part.reason, parts: [part] })
}

/** Of a call that is no command, narrowest first; null when no rule speaks of such calls. */
function callShapes(question: PermissionQuestion): readonly RuleShape[] | null {
  const { tool, places } = question
  if (tool.startsWith('mcp__')) return [{ kind: 'tool', tool }]
  const host = pageHost(question)
  if (host !== null) return [{ kind: 'host', host }]
  if (places.length === 0 || !places.every(isFreePlace)) return null
  const globs = globsOf(places.map((place) => ({ path: place.facts.relative ?? '', isTree: takesTree(place) })))
  return globs.length === 0 ? null : globs.map((glob) => ({ kind: 'files', tool, glob }))
}

/** Globs that cover all places, narrowest first; none when only the whole project would, or a name holds a star itself. */
function globsOf(places: readonly { readonly path: string; readonly isTree: boolean }[]): readonly string[] {
  if (places.some(({ path }) => path.includes('*'))) return []
  const [first] = places
  if (first !== undefined && places.length === 1) {
    if (first.path === '') return ['**']
    const folder = first.path.split('/').slice(0, -1).join('/')
    const wider = folder === '' ? [] : [`${folder}/*`, `${folder}/**`]
    return first.isTree ? [`${first.path}/**`, ...wider.slice(1)] : [first.path, ...wider]
  }
  const folder = sharedFolder(places.map(({ path }) => path.split('/').slice(0, -1)))
  const isFlat = places.every(({ path, isTree }) => !isTree && path.split('/').length === folder.length + 1)
  if (folder.length === 0) return isFlat ? ['*'] : []
  return isFlat ? [`${folder.join('/')}/*`, `${folder.join('/')}/**`] : [`${folder.join('/')}/**`]
}

function sharedFolder(folders: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = folders
  const end = first.findIndex((name, at) => others.some((other) => other[at] !== name))
  return end < 0 ? first : first.slice(0, end)
}

function withoutRepeats<Shape extends RuleShape>(shapes: readonly Shape[]): readonly Shape[] {
  const seen = new Set<string>()
  return shapes.filter((shape) => {
    const key = JSON.stringify(shape)
    return seen.has(key) ? false : Boolean(seen.add(key))
  })
}
