import { host } from '../../bridge/host'
import type { AttachedFile } from '../../../shared/domain/event'
import { keptTypes, type FoundPath, type TakenFile } from '../../../shared/ipc/attachViews'
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

/** A place in the project, or a picture or text from elsewhere that is kept already. */
export type MessageFile = ({ readonly kind: 'project' } & FoundPath) | ({ readonly kind: 'kept' } & TakenFile)

/** Files of a message together; one that is there already stays once. */
export function withFiles(first: readonly MessageFile[], more: readonly MessageFile[]): readonly MessageFile[] {
  const key = (file: MessageFile): string => (file.kind === 'project' ? `project ${file.path}` : `kept ${file.ref}`)
  return [...new Map([...first, ...more].map((file) => [key(file), file])).values()]
}

/** What went with an earlier message, to go with another one: files of the project are read anew, the rest is kept still. */
export function againOf(files: readonly AttachedFile[]): readonly MessageFile[] {
  return files.flatMap(({ path, name, hash, content }): readonly MessageFile[] => {
    if (path !== null) return [{ kind: 'project', path, isFolder: hash === undefined }]
    return content.flatMap((one) => {
      const mimeType = keptTypes.find((type) => one.kind !== 'link' && type === one.mimeType)
      return one.kind === 'link' || mimeType === undefined ? [] : [{ kind: 'kept' as const, ref: one.ref, name, mimeType, sizeBytes: one.sizeBytes, pixels: null, notes: [] }]
    })
  })
}

/** A message that was said or waits, as it stands in a box to be said again. */
export function sayable({ text, attachments = [], files = [] }: { readonly text: string; readonly attachments?: readonly Attachment[] | undefined; readonly files?: readonly AttachedFile[] | undefined }): Pick<Typed, 'text' | 'attachments' | 'files'> {
  return { text, attachments: attachments.map(({ server, uri, name }) => ({ server, uri, name })), files: againOf(files) }
}

/** A message before it is sent. */
export interface Typed {
  readonly text: string
  readonly attachments: readonly Attachment[]
  readonly files: readonly MessageFile[]
  readonly skills: readonly ChosenSkill[]
  /** An earlier message that this one takes the place of. */
  readonly editing?: Editing
}

/** The number of the earlier message, and what stood in the box before. */
export interface Editing {
  readonly messageSeq: number
  readonly aside: string
}

const empty: Typed = { text: '', attachments: [], files: [], skills: [] }

/** As the main process keeps them, for the folder that is open. */
let kept = new Map<string, Typed>()
/** What has changed since the last writing; null: gone. */
const unwritten = new Map<string, Typed | null>()
let isWriting = false

/** What was typed and not sent. The main process keeps it in the database, so a reload, a crash or a restart loses none (R109). */
export const drafts = {
  /** Reads all of the folder that was opened. */
  async load(): Promise<void> {
    const rows = await host().draftList({})
    kept = new Map(rows.map(({ sessionId, payload }) => [sessionId, { ...empty, ...(JSON.parse(payload) as Partial<Typed>) }]))
    for (const [sessionId, typed] of unwritten) if (typed !== null) kept.set(sessionId, typed)
  },
  read: (sessionId: string): Typed => kept.get(sessionId) ?? empty,
  write(sessionId: string, typed: Typed): void {
    const isEmpty = typed.text === '' && typed.attachments.length === 0 && typed.files.length === 0 && typed.skills.length === 0 && typed.editing === undefined
    if (isEmpty && !kept.has(sessionId) && !unwritten.has(sessionId)) return
    if (isEmpty) kept.delete(sessionId)
    else kept.set(sessionId, typed)
    unwritten.set(sessionId, isEmpty ? null : typed)
    void writeAll()
  },
}

/** One after the other, the newest of each: a fast typist waits for nothing and is behind the disk by one writing. */
async function writeAll(): Promise<void> {
  if (isWriting) return
  isWriting = true
  try {
    for (let next = unwritten.entries().next(); !next.done; next = unwritten.entries().next()) {
      const [sessionId, typed] = next.value
      unwritten.delete(sessionId)
      await host().draftSave({ sessionId, payload: typed === null ? '' : JSON.stringify(typed) })
    }
  } finally {
    isWriting = false
  }
}
