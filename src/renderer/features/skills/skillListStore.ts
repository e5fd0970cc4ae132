import { create } from 'zustand'
import type { Said } from '../../../shared/domain/result'
import type { SkillFault, SkillOrigin } from '../../../shared/domain/skill'
import type { SkillPage, SkillRow, SkillText } from '../../../shared/ipc/views'
import { host } from '../../bridge/host'

/** A skill's file by where it lies; a broken one too. */
export interface SkillPlace {
  readonly origin: SkillOrigin
  readonly path: string
}

export interface SkillListState {
  /** Null until the first answer. */
  readonly page: SkillPage | null
  readonly chosen: SkillPlace | null
  /** The file of the chosen one; null until it is read. */
  readonly text: SkillText | null
  readonly fault: Said | null
  readonly isReading: boolean
}

export const useSkillList = create<SkillListState>(() => ({ page: null, chosen: null, text: null, fault: null, isReading: false }))

const { getState: get, setState: set } = useSkillList

export const keyOf = ({ origin, path }: SkillPlace): string => `${origin} ${path}`
export const isSame = (a: SkillPlace | null, b: SkillPlace | null): boolean => a !== null && b !== null && keyOf(a) === keyOf(b)

/** Follows the skills; returns a stop. */
export function connectSkillList(): () => void {
  return host().on('skill/changed', (page) => {
    take(page)
    void readText()
  })
}

/** Reads the page. */
export async function loadSkillList(): Promise<void> {
  take(await host().skillRead({}))
}

/** What was chosen stays chosen while its file is there. */
function take(page: SkillPage): void {
  const { chosen } = get()
  const isThere = chosen !== null && placesOf(page).some((place) => isSame(place, chosen))
  set({ page, ...(isThere ? {} : { chosen: null, text: null }) })
}

function placesOf({ rows, faults }: SkillPage): readonly SkillPlace[] {
  return [...rows.map(({ skill }) => skill), ...faults]
}

export function chooseSkillFile(place: SkillPlace | null): void {
  set({ chosen: place, text: null, fault: null })
  void readText()
}

async function readText(): Promise<void> {
  const { chosen } = get()
  if (chosen === null) return
  const result = await host().skillText({ origin: chosen.origin, path: chosen.path })
  if (!isSame(get().chosen, chosen)) return
  set(result.ok ? { text: result.value } : { fault: result.fault })
}

/** Shown at once, and put back when it could not be kept. */
export async function switchSkill({ skill }: SkillRow, isOn: boolean): Promise<void> {
  mark(skill, isOn)
  const result = await host().skillSwitch({ origin: skill.origin, path: skill.path, isOn })
  if (result.ok) return
  mark(skill, !isOn)
  set({ fault: result.fault })
}

function mark(place: SkillPlace, isOn: boolean): void {
  set(({ page }) => (page === null ? {} : { page: { ...page, rows: page.rows.map((row) => (isSame(row.skill, place) ? { ...row, isOn } : row)) } }))
}

export async function reloadSkills(): Promise<void> {
  set({ isReading: true, fault: null })
  try {
    take(await host().skillReload({}))
    await readText()
  } finally {
    set({ isReading: false })
  }
}

export async function openSkillFolder(): Promise<void> {
  const result = await host().skillOpenFolder({})
  set({ fault: result.ok ? null : result.fault })
}

/** The files that do not load, each with everything that is wrong in it. */
export function brokenOf({ faults }: SkillPage): readonly (readonly [SkillFault, ...SkillFault[]])[] {
  const byFile = new Map<string, [SkillFault, ...SkillFault[]]>()
  for (const fault of faults.filter(({ isFatal }) => isFatal)) {
    const known = byFile.get(keyOf(fault))
    if (known) known.push(fault)
    else byFile.set(keyOf(fault), [fault])
  }
  return [...byFile.values()]
}

/** What was passed over: in a skill's own file, or at a place that is no skill. */
export function noticesOf(page: SkillPage, place: SkillPlace): readonly SkillFault[] {
  return page.faults.filter((fault) => !fault.isFatal && isSame(fault, place))
}

export function looseNotices(page: SkillPage): readonly SkillFault[] {
  const files = new Set([...page.rows.map(({ skill }) => keyOf(skill)), ...page.faults.filter(({ isFatal }) => isFatal).map(keyOf)])
  return page.faults.filter((fault) => !fault.isFatal && !files.has(keyOf(fault)))
}
