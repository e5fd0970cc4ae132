import type { Result } from '../../shared/domain/result'
import type { LoadedSkill, SkillIndex, SkillInputs, SkillOrigin } from '../../shared/domain/skill'
import type { SkillPage, SkillText } from '../../shared/ipc/views'
import type { SkillDesk } from '../core/ports/skillDesk'

/** A skill by where it lies. */
export interface SkillId {
  readonly origin: SkillOrigin
  readonly path: string
}

/** The skills of the app and the user (R56 to R60). Read at the start and again when their folders change; a bad file is a fault beside the others. */
export interface Skills extends SkillDesk {
  page(): Promise<SkillPage>
  text(id: SkillId): Promise<Result<SkillText>>
  switch(id: SkillId, isOn: boolean): Promise<Result<null>>
  reload(): Promise<SkillPage>
  /** Makes what the person chose ready, in order. A fault names the input that is missing or wrong; then none is loaded. */
  chosen(choices: readonly (SkillId & { readonly inputs: SkillInputs })[]): Promise<Result<readonly LoadedSkill[]>>
  /** The index for the prompt (R57), of the moment; never waits for a disk. */
  index(): SkillIndex
  onChange(listener: (page: SkillPage) => void): () => void
  close(): void
}
