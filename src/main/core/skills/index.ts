import type { Skill, SkillIndex, SkillIndexEntry } from '../../../shared/domain/skill'
import { showHidden } from '../mcp/hiddenText'
import { usedOf } from './choose'
import { cutDescription } from './cutDescription'
import { utf8Length } from './utf8Length'

/** What every prompt holds of skills at most, in bytes of UTF-8 (R57). */
export const indexLimitBytes = 4096

const head = `# Skills
Instructions for particular kinds of work, kept in files. Before you begin work that one of them is for, call load_skill with its name; do not guess what it says. The lines below only name them.
`
/** When the names fill it alone, they stand bare: a name more is worth more than the dash before the others. */
const shortHead = `# Skills
Before work that one of these is for, call load_skill with its name:
`
/** Between name and description. */
const joint = ': '
/** No description is read further than this: whatever is longer is cut anyway. */
const longest = indexLimitBytes

/** A skill as the index sees it. */
export interface IndexedSkill {
  readonly skill: Pick<Skill, 'origin' | 'path' | 'name' | 'version' | 'description'>
  readonly isOn: boolean
  readonly lastUsedAtMs: number | null
}

interface Line {
  readonly of: IndexedSkill
  /** As it begins: a dash where there is room, and the name. */
  readonly name: string
  readonly description: string
  readonly wholeBytes: number
}

/**
 * The index of the skills that are on and of their name the nearest (R57). Every name stays; when there is too much in all,
 * the longest descriptions are cut first, at a sentence where one ends in time, to one length for all. When the names alone
 * do not fit, the least recently used are left out. Entries come in the order they were given, of every skill, with its fate.
 * The same skills give the same text, in whatever order they come.
 */
export function makeIndex(skills: readonly IndexedSkill[]): SkillIndex {
  // One that is off hides no other.
  const used = usedOf(skills.filter(({ isOn }) => isOn).map(({ skill }) => skill))
  const listed = skills.filter(({ skill, isOn }) => isOn && used.get(skill.name) === skill)
  const full = listed.map((one) => lineOf(one, '- ')).sort(byName)
  const isBare = namesLength(full) > roomUnder(head)
  const first = isBare ? shortHead : head
  const kept = isBare ? thatFit(listed.map((one) => lineOf(one, '')).sort(byName), roomUnder(first)) : full
  const length = commonLength(kept, roomUnder(first))
  const shown = new Map(kept.map((line) => [line.of, written(line, length)]))
  const texts = kept.map((line) => shown.get(line.of)?.text ?? '')
  const text = kept.length === 0 ? '' : first + texts.join('\n')
  return { text, bytes: utf8Length(text), entries: skills.map(entryOf) }

  function entryOf(one: IndexedSkill): SkillIndexEntry {
    const { origin, path, name, version } = one.skill
    const { wholeBytes } = descriptionOf(one.skill)
    const line = shown.get(one)
    const fate = !one.isOn ? 'off' : used.get(name) !== one.skill ? 'hidden' : line === undefined ? 'left-out' : line.shownBytes < wholeBytes ? 'cut' : 'whole'
    return { skill: { origin, path, name, version }, bytes: line?.bytes ?? 0, shownBytes: line?.shownBytes ?? 0, wholeBytes, fate }
  }
}

/** One line, nothing hidden, so that a name or a description cannot pass for anything else. */
function flat(text: string): string {
  return showHidden(text.replace(/[\s\u0085]+/gu, ' ').trim())
}

function roomUnder(first: string): number {
  return indexLimitBytes - utf8Length(first)
}

function namesLength(lines: readonly Line[]): number {
  return lines.reduce((sum, { name }) => sum + utf8Length(name) + 1, 0)
}

function lineOf(of: IndexedSkill, dash: string): Line {
  return { of, name: dash + flat(of.skill.name), ...descriptionOf(of.skill) }
}

/** Kept as long as the skill: an index is made anew with every use of one, and descriptions may be long. */
const described = new WeakMap<IndexedSkill['skill'], Pick<Line, 'description' | 'wholeBytes'>>()

function descriptionOf(skill: IndexedSkill['skill']): Pick<Line, 'description' | 'wholeBytes'> {
  const known = described.get(skill)
  if (known !== undefined) return known
  const whole = flat(skill.description)
  const made = { description: whole.slice(0, longest), wholeBytes: utf8Length(whole) }
  described.set(skill, made)
  return made
}

function byName(a: Line, b: Line): number {
  return a.of.skill.name < b.of.skill.name ? -1 : 1
}

/** Those whose names fit, the most recently used first; in the order they came. */
function thatFit(lines: readonly Line[], room: number): readonly Line[] {
  const ranked = [...lines].sort((a, b) => (b.of.lastUsedAtMs ?? 0) - (a.of.lastUsedAtMs ?? 0) || byName(a, b))
  const kept = new Set<Line>()
  let left = room
  for (const line of ranked) {
    left -= utf8Length(line.name) + 1
    if (left < 0) break
    kept.add(line)
  }
  return lines.filter((line) => kept.has(line))
}

/** The greatest length in bytes to which all descriptions may go. */
function commonLength(lines: readonly Line[], room: number): number {
  let fits = 0
  let over = longest + 1
  while (over - fits > 1) {
    const length = Math.floor((fits + over) / 2)
    if (fit(lines, length, room)) fits = length
    else over = length
  }
  return fits
}

/** Ends with the first line that is too much: most lengths that are tried are far too long. */
function fit(lines: readonly Line[], length: number, room: number): boolean {
  let left = room
  for (const line of lines) {
    left -= written(line, length).bytes
    if (left < 0) return false
  }
  return true
}

/** A line with its description at most so long; `bytes` has its line feed. */
function written({ name, description, wholeBytes }: Line, length: number): { readonly text: string; readonly bytes: number; readonly shownBytes: number } {
  const isWhole = wholeBytes <= length
  const shown = isWhole ? description : cutDescription(description, length)
  const text = shown === '' ? name : name + joint + shown
  return { text, bytes: utf8Length(text) + 1, shownBytes: isWhole ? wholeBytes : utf8Length(shown) }
}
