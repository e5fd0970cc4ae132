import type { RuleShape, RuleWord } from '../../../shared/domain/rule'
import { patternFits } from './permissionGlob'
import { componentFits, hasMark, UNKNOWN } from './shell/marks'

type CommandShape = Extract<RuleShape, { readonly kind: 'command' }>

/** How a restricting rule meets a command: certainly, perhaps (a word is only known when it runs), or not. */
export type Restriction = 'yes' | 'maybe' | 'no'

type SameWord = (word: RuleWord, text: string) => boolean

/**
 * Whether a rule that asks or denies is about this command. Other than a rule that allows it fits other spellings too: its
 * words must be met in order, with options and their values in between, and an option of the rule (`-rf`) must be given in
 * any form (`-fr`, `-r -f`, `--recursive --force`); other names of one sub-command (`npm run-script`) are that sub-command.
 */
export function restricts(shape: CommandShape, words: readonly string[]): Restriction {
  const [program, ...rest] = shape.words
  const [name, ...given] = words
  if (program === undefined || program.kind === 'any' || name === undefined || !sameExactly(program, name)) return 'no'
  if (fitsWords(shape, words)) return 'yes'
  const own = withoutAliases(name, rest, given)
  const isMetBy = (isSame: SameWord): boolean =>
    own.rule.filter(isOption).every((option) => hasOption(option.text, own.given)) && isMet(own.rule.filter((word) => !isOption(word)), own.given, shape.isOpen, isSame)
  if (isMetBy(sameExactly)) return 'yes'
  return given.some(hasMark) && isMetBy(maySame) ? 'maybe' : 'no'
}

/** Literally from the first word on, to the end or, when it is open, as far as it goes. */
export function fitsWords(shape: CommandShape, words: readonly string[]): boolean {
  if (shape.words.length === 0 || words.length < shape.words.length || (!shape.isOpen && words.length > shape.words.length)) return false
  return shape.words.every((word, at) => sameExactly(word, words[at] ?? UNKNOWN))
}

/** One word of a command rule as it stands. What is not known when it is judged fits nothing. */
function sameExactly(word: RuleWord, text: string): boolean {
  if (text.includes(UNKNOWN)) return false
  if (word.kind === 'any') return true
  return word.kind === 'exact' ? word.text === text : patternFits(word.text, text)
}

/** Whether the word may turn out to be the rule's. */
function maySame(word: RuleWord, text: string): boolean {
  if (word.kind === 'any' || text.includes(UNKNOWN)) return true
  if (!hasMark(text)) return sameExactly(word, text)
  return word.kind === 'pattern' || componentFits(text, word.text)
}

function isOption(word: RuleWord): word is Exclude<RuleWord, { readonly kind: 'any' }> {
  return word.kind !== 'any' && word.text.startsWith('-')
}

/** Leading words, letting options pass, and after an option one word that may be its value. All ways at once: never more than words times words. */
function isMet(plain: readonly RuleWord[], words: readonly string[], isOpen: boolean, isSame: SameWord): boolean {
  // For each number of words met: whether that may be so here, and whether the word before was an option.
  let reached = new Map<number, boolean>([[0, false]])
  for (const word of words) {
    if (isOpen && reached.has(plain.length)) return true
    const next = new Map<number, boolean>()
    for (const [met, isAfterOption] of reached) {
      const wanted = plain[met]
      if (wanted !== undefined && isSame(wanted, word)) next.set(met + 1, next.get(met + 1) ?? false)
      if (word.startsWith('-')) next.set(met, true)
      else if (isAfterOption) next.set(met, next.get(met) ?? false)
    }
    reached = next
  }
  return reached.has(plain.length)
}

/** Names of one sub-command, the first is what all are taken for. */
const aliases: Readonly<Record<string, readonly (readonly string[])[]>> = {
  npm: [['run', 'run-script', 'rum', 'urn'], ['test', 't', 'tst'], ['install', 'i', 'in', 'ins', 'inst', 'isntall', 'add'], ['ci', 'clean-install', 'ic'], ['exec', 'x'], ['uninstall', 'un', 'unlink', 'remove', 'rm', 'r'], ['update', 'up', 'upgrade', 'udpate']],
  pnpm: [['run', 'run-script'], ['test', 't', 'tst'], ['install', 'i'], ['remove', 'rm', 'un', 'uninstall'], ['update', 'up', 'upgrade']],
  bun: [['install', 'i'], ['add', 'a'], ['remove', 'rm'], ['create', 'c']],
  cargo: [['build', 'b'], ['check', 'c'], ['run', 'r'], ['test', 't'], ['doc', 'd'], ['remove', 'rm']],
}
/** With these a script's name alone runs it. */
const runsByName = /^(?:yarn|pnpm|bun)$/u

function withoutAliases(program: string, rule: readonly RuleWord[], given: readonly string[]): { readonly rule: readonly RuleWord[]; readonly given: readonly string[] } {
  const groups = aliases[program] ?? []
  const named = (text: string): string => groups.find((group) => group.includes(text))?.[0] ?? text
  const at = given.findIndex((word) => !word.startsWith('-'))
  const words = at < 0 ? given : [...given.slice(0, at), named(given[at] ?? ''), ...given.slice(at + 1)]
  const [first, ...others] = rule
  const start: readonly RuleWord[] = first?.kind === 'exact' ? [{ kind: 'exact', text: named(first.text) }, ...others] : rule
  if (!runsByName.test(program)) return { rule: start, given: words }
  const isRun = (text: string | undefined): boolean => text === 'run'
  return {
    rule: start[0]?.kind === 'exact' && isRun(start[0].text) && start.length > 1 ? start.slice(1) : start,
    given: at >= 0 && isRun(words[at]) && words.length > at + 1 ? [...words.slice(0, at), ...words.slice(at + 1)] : words,
  }
}

const longNames: Readonly<Record<string, readonly string[]>> = {
  r: ['--recursive'], R: ['--recursive'], f: ['--force'], v: ['--verbose'], q: ['--quiet', '--silent'], a: ['--all'], n: ['--dry-run'], d: ['--delete'], D: ['--delete'], u: ['--set-upstream'], i: ['--interactive', '--in-place'], g: ['--global'],
}

function hasOption(option: string, words: readonly string[]): boolean {
  if (option.startsWith('--')) return words.some((word) => word === option || word.startsWith(`${option}=`) || (word.length > 4 && option.startsWith(word)) || isShortOf(option, word))
  return [...option.slice(1)].every((letter) => words.some((word) => hasLetter(letter, word)))
}

function hasLetter(letter: string, word: string): boolean {
  if (word.startsWith('--')) return (longNames[letter] ?? []).some((name) => word.length > 3 && name.startsWith(word))
  if (!word.startsWith('-')) return false
  return word.includes(letter) || (letter === 'r' && word.includes('R')) || (letter === 'R' && word.includes('r'))
}

function isShortOf(option: string, word: string): boolean {
  return /^-[A-Za-z]+$/u.test(word) && [...word.slice(1)].some((letter) => (longNames[letter] ?? []).includes(option))
}
