import type { SkillOrigin } from '../../../shared/domain/skill'

/** A skill that was switched by the person; one without a switch is on. */
export interface SkillSwitch {
  readonly origin: SkillOrigin
  readonly path: string
  readonly isOn: boolean
}

/** How a skill was used: the last time, and how often since a moment. */
export interface SkillUses {
  readonly origin: SkillOrigin
  readonly path: string
  readonly lastAtMs: number
  readonly times: number
}

/** What is kept of skills beside their files, in the database. Rejects with a `StorageFault`. */
export interface SkillRecord {
  switches(): Promise<readonly SkillSwitch[]>
  set(change: SkillSwitch): Promise<void>
  uses(sinceMs: number): Promise<readonly SkillUses[]>
  used(skills: readonly { readonly origin: SkillOrigin; readonly path: string }[], atMs: number): Promise<void>
}
