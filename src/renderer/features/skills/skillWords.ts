import type { SkillFault, SkillIndexEntry, SkillInput } from '../../../shared/domain/skill'
import type { SkillPage } from '../../../shared/ipc/views'
import type { Speaker } from '../../ui/words'
import { brokenOf } from './skillListStore'

const listJoin = { en: ', ', 'zh-CN': '，' } as const

/** “9 take part, 1 off, 1 broken”; what there is none of is not said. */
export function summaryOf(page: SkillPage, say: Speaker): string {
  const count = (fits: (row: SkillPage['rows'][number]) => boolean): number => page.rows.filter(fits).length
  const counts = { on: count((row) => row.isOn && row.hiddenBy === null), hidden: count((row) => row.isOn && row.hiddenBy !== null), off: count((row) => !row.isOn), broken: brokenOf(page).length }
  const said = (['on', 'hidden', 'off', 'broken'] as const).filter((kind) => kind === 'on' || counts[kind] > 0).map((kind) => say(`skill.count.${kind}`, { count: counts[kind] }))
  return said.join(listJoin[say.locale])
}

/** What the index had to leave away, or null. */
export function indexNote(entries: readonly SkillIndexEntry[], say: Speaker): string | null {
  const cut = entries.filter(({ fate }) => fate === 'cut').length
  const out = entries.filter(({ fate }) => fate === 'left-out').length
  return cut + out === 0 ? null : say('skill.index.shortened', { cut, out })
}

/** Where a fault is and what it is: “SKILL.md, line 4, column 14: …”. */
export function faultText({ path, line, column, say: what }: SkillFault, say: Speaker): string {
  const file = path.split('/').at(-1) ?? path
  return say(line === 0 ? 'skill.at-file' : 'skill.at', { file, line, column, problem: what })
}

/** One input: its type, and what it is unless said. */
export function inputText({ type, fallback, options }: SkillInput, say: Speaker): string {
  const kind = type === 'choice' ? options.join(' · ') : say(`skill.input.${type}`)
  if (fallback === null) return say('skill.input.needed', { kind })
  return fallback === '' ? say('skill.input.may-be-empty', { kind }) : say('skill.input.unless', { kind, value: String(fallback) })
}

/** What an answer is checked for: the fields of its schema where it names any. */
export function answerText(schema: Readonly<Record<string, unknown>>, say: Speaker): string {
  const { properties } = schema
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  return names.length === 0 ? say('skill.answer-checked') : say('skill.answer-checked-for', { names })
}

/** “27 Nov”. */
export function dayText(atMs: number, { locale }: Speaker): string {
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }).format(atMs)
}
