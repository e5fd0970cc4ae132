import { create } from 'zustand'
import type { SessionId } from '../../../shared/domain/ids'
import type { SkillInputs, SkillOrigin } from '../../../shared/domain/skill'
import type { SkillRow } from '../../../shared/ipc/views'
import { host } from '../../bridge/host'
import type { ChosenSkill } from './drafts'
import { findTrigger } from './skillTriggers'
import { changeDraft, draftKey, draftOf, useWork } from './workStore'

/** A skill by where it lies. */
export interface SkillPlace {
  readonly origin: SkillOrigin
  readonly path: string
}

interface SkillState {
  /** The skills that can be used: switched on, and of one name the one that counts. */
  readonly rows: readonly SkillRow[]
  /** Offers that were declined for what stands in a box; forgotten when that box is empty. */
  readonly declined: Readonly<Record<SessionId, readonly string[]>>
}

export const useSkills = create<SkillState>(() => ({ rows: [], declined: {} }))

const { getState: get, setState: set } = useSkills

useWork.subscribe((now, before) => {
  if (now.drafts === before.drafts) return
  const still = Object.entries(get().declined).filter(([sessionId]) => (now.drafts[sessionId as SessionId] ?? '') !== '')
  if (still.length !== Object.keys(get().declined).length) set({ declined: Object.fromEntries(still) })
})

/** Hears of skills from now on; returns a stop. */
export function connectSkills(): () => void {
  return host().on('skill/changed', ({ rows }) => set({ rows: rows.filter(isUsable) }))
}

/** Reads the skills there are. */
export async function loadSkills(): Promise<void> {
  const { rows } = await host().skillRead({})
  set({ rows: rows.filter(isUsable) })
}

function isUsable({ isOn, hiddenBy }: SkillRow): boolean {
  return isOn && hiddenBy === null
}

export function isSamePlace(a: SkillPlace, b: SkillPlace): boolean {
  return a.origin === b.origin && a.path === b.path
}

export function skillAt(place: SkillPlace): SkillRow | undefined {
  return get().rows.find(({ skill }) => isSamePlace(skill, place))
}

/** Puts a skill with its values to what stands in a box; chosen before, it gets the new values where it is. */
export function addSkill(sessionId: SessionId, { skill }: SkillRow, inputs: SkillInputs): void {
  const { skills } = draftOf(sessionId)
  const chosen: ChosenSkill = { origin: skill.origin, path: skill.path, name: skill.name, inputs }
  const isThere = skills.some((one) => isSamePlace(one, chosen))
  changeDraft(sessionId, { skills: isThere ? skills.map((one) => (isSamePlace(one, chosen) ? chosen : one)) : [...skills, chosen] })
}

export function dropSkill(place: SkillPlace): void {
  const sessionId = draftKey()
  changeDraft(sessionId, { skills: draftOf(sessionId).skills.filter((one) => !isSamePlace(one, place)) })
}

const placeKey = ({ origin, path }: SkillPlace): string => `${origin} ${path}`

/** The first skill whose trigger stands in a text, unless it is chosen or was declined; it is offered, never taken by itself. */
export function offeredSkill(rows: readonly SkillRow[], text: string, chosen: readonly SkillPlace[], declined: readonly string[]): SkillRow | null {
  const open = rows.filter(({ skill }) => !chosen.some((one) => isSamePlace(one, skill)) && !declined.includes(placeKey(skill)))
  return findTrigger(text, open)
}

/** Does not offer the skill again for what stands in the box. */
export function declineSkill(place: SkillPlace): void {
  const sessionId = draftKey()
  set(({ declined }) => ({ declined: { ...declined, [sessionId]: [...(declined[sessionId] ?? []), placeKey(place)] } }))
}
