import type { SkillInputs, SkillOrigin } from '../../../shared/domain/skill'

/** A resource of a server that goes with a message. */
export interface Attachment {
  readonly server: string
  readonly uri: string
  readonly name: string
}

/** A skill that goes with a message, with the values that were given for it. */
export interface ChosenSkill {
  readonly origin: SkillOrigin
  readonly path: string
  readonly name: string
  readonly inputs: SkillInputs
}

/** A message before it is sent. */
export interface Typed {
  readonly text: string
  readonly attachments: readonly Attachment[]
  readonly skills: readonly ChosenSkill[]
}

const key = (sessionId: string): string => `draft:${sessionId}`
const attachedKey = (sessionId: string): string => `attached:${sessionId}`
const skillsKey = (sessionId: string): string => `skills:${sessionId}`

/** What was typed and not sent, kept over a reload of the window (R109). A browser without storage keeps it for this window only. */
export const drafts = {
  read(sessionId: string): string {
    return localStorage.getItem(key(sessionId)) ?? ''
  },
  readAttached(sessionId: string): readonly Attachment[] {
    return JSON.parse(localStorage.getItem(attachedKey(sessionId)) ?? '[]') as readonly Attachment[]
  },
  readSkills(sessionId: string): readonly ChosenSkill[] {
    return JSON.parse(localStorage.getItem(skillsKey(sessionId)) ?? '[]') as readonly ChosenSkill[]
  },
  write(sessionId: string, { text, attachments, skills }: Typed): void {
    put(key(sessionId), text)
    put(attachedKey(sessionId), attachments.length === 0 ? '' : JSON.stringify(attachments))
    put(skillsKey(sessionId), skills.length === 0 ? '' : JSON.stringify(skills))
  },
}

function put(name: string, text: string): void {
  if (text === '') localStorage.removeItem(name)
  else localStorage.setItem(name, text)
}
