import type { SessionId } from '../../../shared/domain/ids'
import { fail, said, type Result } from '../../../shared/domain/result'
import { takenBytes, type TakenFile } from '../../../shared/ipc/attachViews'
import { host } from '../../bridge/host'
import { withFiles, type MessageFile } from './drafts'
import { beginReading, boxOf, endReading, type ReadingFile } from './readingStore'
import { addToDraft, changeDraft, draftKey, draftOf, tellFault, useWork } from './workStore'

/** Adds files to what stands in a box; one that is there already stays once. */
export function addFile(sessionId: SessionId, file: MessageFile): void {
  changeDraft(sessionId, { files: withFiles(draftOf(sessionId).files, [file]) })
}

export function removeFile(file: MessageFile): void {
  changeDraft(draftKey(), { files: draftOf(draftKey()).files.filter((one) => one !== file) })
}

/**
 * Takes what was pasted, dropped or chosen. A file of the project is named and read when the message is sent; anything else is
 * kept now, pictures made to fit. What cannot be taken is said above the box; the others are taken all the same.
 */
export async function takeFiles(files: readonly File[], nameOf: (file: File, at: number) => string = ({ name }) => name): Promise<void> {
  const sessionId = draftKey()
  forgetFault(sessionId)
  const begun = beginReading(sessionId, files.map((file, at) => nameOf(file, at)))
  for (const [at, one] of begun.entries()) {
    const file = files[at]
    if (file && boxOf(one) !== null) await takeOne(file, one)
  }
}

/** What could not be attached before is not what is attached now. */
function forgetFault(sessionId: SessionId): void {
  const { [sessionId]: fault, ...faults } = useWork.getState().faults
  if (fault?.code.startsWith('attach.')) useWork.setState({ faults })
}

/** What is cancelled while it is read is not attached, and its fault is nobody's any more. */
async function takeOne(file: File, reading: ReadingFile): Promise<void> {
  try {
    const path = host().droppedPath(file)
    const place = path === '' ? null : await host().attachPlace({ path })
    const taken = place ? null : await take(file, reading.name)
    // Its session may have been made meanwhile.
    const sessionId = boxOf(reading)
    if (sessionId === null) return
    if (place) {
      addFile(sessionId, { kind: 'project', ...place })
      if (sessionId === draftKey()) addToDraft(`@${place.path} `)
    } else if (taken?.ok) addFile(sessionId, { kind: 'kept', ...taken.value })
    else if (taken) tellFault(sessionId, taken.fault)
  } finally {
    const sessionId = boxOf(reading)
    if (sessionId !== null) endReading(sessionId, reading)
  }
}

async function take(file: File, name: string): Promise<Result<TakenFile>> {
  if (file.size > takenBytes) return fail('attach.file-bytes', { name, sizeBytes: file.size, limitBytes: takenBytes })
  const base64 = await base64Of(file)
  return base64 === null ? fail('attach.cannot', { name, reason: said('attach.unread') }) : host().attachTake({ name, base64 })
}

/** Null where the system gives no bytes, as for a folder. */
function base64Of(file: File): Promise<string | null> {
  return new Promise((resolve) => {
    const reader = new FileReader()
    reader.onerror = () => resolve(null)
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result.slice(reader.result.indexOf(',') + 1) : null)
    reader.readAsDataURL(file)
  })
}

/**
 * The files of a paste that are to be attached: those that lie somewhere, and a picture that came without words. Office programs
 * put a picture of a text beside the text: there the words are what was meant.
 */
export function pastedFiles(data: Pick<DataTransfer, 'files' | 'getData'>): readonly File[] {
  const files = [...data.files]
  const lying = files.filter((file) => host().droppedPath(file) !== '')
  if (lying.length > 0) return lying
  return data.getData('text/plain').trim() === '' ? files : []
}
