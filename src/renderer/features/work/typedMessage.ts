import type { Ask } from '../../../shared/ipc/bridge'
import type { MessageFile, Typed } from './drafts'

/** A typed message as it goes to the main process; lists that are empty are left out. */
export function messageOf({ text, attachments, files, skills }: Typed): Omit<Ask<'session/prompt'>, 'sessionId'> {
  return {
    text,
    ...(attachments.length === 0 ? {} : { attachments: attachments.map(({ server, uri }) => ({ server, uri })) }),
    ...(files.length === 0 ? {} : { files: files.map(chosenOf) }),
    ...(skills.length === 0 ? {} : { skills: skills.map(({ origin, path, inputs }) => ({ origin, path, inputs: { ...inputs } })) }),
  }
}

function chosenOf(file: MessageFile): NonNullable<Ask<'session/prompt'>['files']>[number] {
  return file.kind === 'project' ? { kind: 'project', path: file.path } : { kind: 'kept', ref: file.ref, name: file.name, mimeType: file.mimeType }
}
