import type { AgentEvent } from '../../../shared/domain/event'
import type { TurnId } from '../../../shared/domain/ids'
import type { LoadedSkill } from '../../../shared/domain/skill'
import { Compactions } from '../context/compactions'
import { HiddenRanges } from '../context/hiddenRanges'

/** A skill's text as it entered a conversation. */
export type SkillLoaded = Extract<AgentEvent, { readonly type: 'skill-loaded' }>

/** What a session and its running turn know of skills. */
export interface SessionSkills {
  /** Everything that was loaded, in order, without what a rollback of the conversation hides and what a summary stands for. */
  readonly loaded: readonly SkillLoaded[]
  /** The turn's answer did not fit and was asked for once more (R59). */
  readonly isAskedAgain: boolean
}

/** Reads a session's events for one turn. Pure over the events, so that a turn taken up after a crash knows the same. */
export function skillsOf(events: readonly AgentEvent[], turnId: TurnId): SessionSkills {
  const hidden = new HiddenRanges()
  const compactions = new Compactions()
  const users: number[] = []
  const loaded: SkillLoaded[] = []
  let isAskedAgain = false
  for (const event of events) {
    hidden.add(event)
    compactions.add(event, () => [])
    if (event.type === 'user-message-added') users.push(event.seq)
    if (event.type === 'skill-loaded') loaded.push(event)
    isAskedAgain ||= event.type === 'note-added' && event.turnId === turnId && event.say.code === 'skill.answer-again'
  }
  const from = compactions.current((seq) => hidden.has(seq))?.compaction.beforeSeq ?? 0
  // One that the person chose stands in the message that follows it. This turn's narrow it, wherever their text is.
  const isThere = (one: SkillLoaded): boolean => one.turnId === turnId || (one.callId === null ? users.find((seq) => seq > one.seq) ?? one.seq : one.seq) >= from
  return { loaded: loaded.filter((one) => !hidden.has(one.seq) && isThere(one)), isAskedAgain }
}

/** Equal for two loads that say the same: then the text stands in the conversation once (R58). */
export function skillKey({ skill, text, inputs }: Pick<LoadedSkill, 'skill' | 'text' | 'inputs'>): string {
  const given = Object.entries(inputs).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([skill.origin, skill.path, text, given])
}

/** The first of loads that say the same. */
export function withoutSame(skills: readonly LoadedSkill[]): readonly LoadedSkill[] {
  return skills.filter((one, at) => skills.findIndex((other) => skillKey(other) === skillKey(one)) === at)
}

/** A skill as it is stored: what the model reads is masked as every result is. */
export function redactedSkill(loaded: LoadedSkill, redact: (text: string) => string): LoadedSkill {
  const inputs = Object.fromEntries(Object.entries(loaded.inputs).map(([name, value]) => [name, typeof value === 'string' ? redact(value) : value]))
  return { skill: loaded.skill, inputs, text: redact(loaded.text), tools: loaded.tools, outputSchema: loaded.outputSchema }
}
