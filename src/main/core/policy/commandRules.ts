import { said } from '../../../shared/domain/result'
import { isBuiltinReader, type JudgedCommand } from './commandGuard'
import type { JudgedPart } from './shell/call'

/**
 * Remembered answers for commands. Each rule is a program with leading words: `git status` means git with the first word
 * status. `builtinReadOnly` lets the built-in list of readers answer too.
 */
export interface CommandRules {
  readonly allow?: readonly string[]
  readonly ask?: readonly string[]
  readonly deny?: readonly string[]
  readonly builtinReadOnly?: boolean
}

/** A verdict after the rules, and which of them let the command run without a person. */
export interface RuledCommand {
  readonly verdict: JudgedCommand
  /** Rules that answer, one for each part; null when a person is needed. */
  readonly allowedBy: readonly string[] | null
}

/** The name under which the built-in list of readers answers. */
const builtinReadersRule = 'built-in readers'

/**
 * Applies rules to a judged command, part by part. A rule to deny beats everything, one to ask beats one to allow, and no
 * rule answers what the guard itself asks about. To allow, every simple command needs a rule of its own, and a rule never
 * covers a redirect, a substitution, an environment prefix outside the short list, or a command inside a wrapper.
 */
export function applyRules(judged: JudgedCommand, rules: CommandRules): RuledCommand {
  const denied = findRule(judged.parts, rules.deny ?? [])
  if (judged.kind === 'deny') return { verdict: judged, allowedBy: null }
  if (denied) return { verdict: { ...judged, kind: 'deny', reason: said('guard.rule-denies', { rule: denied }) }, allowedBy: null }
  const asked = findRule(judged.parts, rules.ask ?? [])
  if (judged.kind === 'ask') return { verdict: judged, allowedBy: null }
  if (asked) return { verdict: { ...judged, kind: 'ask', reason: said('guard.rule-asks', { rule: asked }) }, allowedBy: null }
  return { verdict: judged, allowedBy: answering(judged, rules) }
}

/** The first rule that fits any part, however it is spelled; used to restrict. */
function findRule(parts: readonly JudgedPart[], rules: readonly string[]): string | null {
  return rules.find((rule) => parts.some((part) => restricts(wordsOf(rule), part.words))) ?? null
}

function answering(judged: JudgedCommand, rules: CommandRules): readonly string[] | null {
  const used: string[] = []
  for (const part of judged.parts) {
    const rule = part.fit === 'plain' ? rules.allow?.find((each) => allows(wordsOf(each), part.words)) : undefined
    if (rule !== undefined) used.push(rule)
    else if (rules.builtinReadOnly === true && isBuiltinReader({ ...judged, parts: [part] })) used.push(builtinReadersRule)
    else return null
  }
  return used.length > 0 ? [...new Set(used)] : null
}

function wordsOf(rule: string): readonly string[] {
  return rule.trim().split(/\s+/u)
}

/** To allow, a rule must stand literally at the beginning. */
function allows(rule: readonly string[], words: readonly string[]): boolean {
  return rule.length > 0 && rule[0] !== '' && rule.every((word, at) => words[at] === word)
}

/**
 * To restrict, a rule fits other spellings too: words of the rule must be met in order, with options and their values in
 * between, and an option of the rule (`-rf`) must be given in any form (`-fr`, `-r -f`, `--recursive --force`).
 */
function restricts(rule: readonly string[], words: readonly string[]): boolean {
  const [program, ...rest] = rule
  if (program === undefined || program === '' || words[0] !== program) return false
  const plain = rest.filter((word) => !word.startsWith('-'))
  const options = rest.filter((word) => word.startsWith('-'))
  return options.every((option) => hasOption(option, words.slice(1))) && isMet(plain, words.slice(1))
}

/** Leading words, letting options pass, and after an option without `=` one word that may be its value. */
function isMet(plain: readonly string[], words: readonly string[]): boolean {
  const [first, ...others] = plain
  if (first === undefined) return true
  const [word, ...rest] = words
  if (word === undefined) return false
  if (word === first && isMet(others, rest)) return true
  if (!word.startsWith('-')) return false
  return isMet(plain, rest) || isMet(plain, rest.slice(1))
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
