import type { Ask } from '../../../shared/ipc/bridge'
import type { Typed } from './drafts'

/** A typed message as it goes to the main process; lists that are empty are left out. */
export function messageOf({ text, attachments, skills }: Typed): Omit<Ask<'session/prompt'>, 'sessionId'> {
  return {
    text,
    ...(attachments.length === 0 ? {} : { attachments: attachments.map(({ server, uri }) => ({ server, uri })) }),
    ...(skills.length === 0 ? {} : { skills: skills.map(({ origin, path, inputs }) => ({ origin, path, inputs: { ...inputs } })) }),
  }
}
