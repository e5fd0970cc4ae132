import { fail, said, succeed, type Result, type Said } from '../../../shared/domain/result'
import type { ToolOutput } from '../../../shared/domain/tool'
import type { FileContent, PathFacts } from '../ports/workspaceFs'
import type { CallForecast, ToolContext } from './defineTool'
import { newMarker } from './redactionMarkers'
import { decodeFile, encodeFile, type Encoding, type TextFile } from './textFile'

/** Largest text file that is read or edited as a whole; core works on it in one go. */
export const textLimitBytes = 4 * 1024 * 1024

/** Largest file that is hashed or shown before it is moved or deleted. */
export const hashLimitBytes = 16 * 1024 * 1024

/** A file as it is now, bound to what the agent has read of it. */
export interface CurrentFile {
  readonly facts: PathFacts
  /** Relative to the root; the key of the read log. */
  readonly relative: string
  /** Null when there is no file. */
  readonly content: FileContent | null
  /** Null when there is no file, or one that is no text. */
  readonly text: TextFile | null
}

/** A change of one file, worked out but not made. */
export interface FileChange {
  readonly file: CurrentFile
  readonly after: TextFile
  readonly bytes: Uint8Array
  readonly hash: string
  readonly notes: readonly Said[]
}

/**
 * Reads the file that a change is for. Refused when it exists and the agent has not read it in this session, or when it
 * changed since (R103).
 */
export async function currentFile(path: string, context: ToolContext): Promise<Result<CurrentFile>> {
  const facts = context.place(path)
  const relative = facts.relative ?? facts.realPath
  if (facts.kind === 'missing') return succeed({ facts, relative, content: null, text: null })
  if (facts.kind === 'folder') return fail('path.is-folder', { path })
  const content = await context.fs.read(facts, textLimitBytes)
  if (!content.ok) return content.fault.code === 'path.too-large' ? fail('file.too-large-to-edit', content.fault.values) : content
  const read = context.readLog.get(relative)
  if (read === undefined) return fail('path.not-read', { path })
  if (read !== content.value.hash) return fail('path.stale', { path })
  return succeed({ facts, relative, content: content.value, text: decodeFile(content.value.bytes) })
}

/** Works out the bytes of a change. Refused when nothing would change, when the encoding cannot hold the text, or when a hidden secret would be overwritten. */
export function changeOf(file: CurrentFile, after: TextFile, notes: readonly Said[], context: ToolContext): Result<FileChange> {
  const path = file.facts.given
  const marker = newMarker(file.text?.text ?? '', after.text)
  if (marker !== null) return fail('file.redaction-marker', { path, marker })
  const bytes = encodeFile(after)
  if (bytes === null) return fail('file.not-encodable', { path, encoding: encodingName(after.encoding) })
  const hash = context.hasher.ofBytes(bytes)
  if (hash === file.content?.hash) return fail('file.same', { path })
  return succeed({ file, after, bytes, hash, notes })
}

/** What the person is shown of a change, and what the approval is bound to. */
export function forecastOf({ file, after, hash, notes }: FileChange): CallForecast {
  const before = file.content?.hash ?? null
  return {
    preview: { kind: 'edit', path: file.relative, before: file.text?.text ?? null, after: after.text, notes },
    writes: [{ path: file.relative, before, after: hash }],
    base: { [file.relative]: before },
  }
}

/** What an approval is bound to for a file: its content, or where that is too large to be hashed, which file it is and when it was last written. */
export function boundTo({ identity }: PathFacts, hash: string | null): string | null {
  return hash ?? (identity && `${identity.dev}:${identity.ino}:${identity.size}:${identity.mtimeNs}`)
}

/** Makes a change; the file must still be what the agent read. The agent knows the new content. */
export async function writeChange({ file, bytes }: FileChange, output: (hash: string) => Pick<ToolOutput, 'say' | 'body'>, context: ToolContext): Promise<ToolOutput> {
  const before = file.content?.hash ?? null
  const written = await context.fs.write(file.facts, bytes, before)
  if (!written.ok) return { status: 'failed', say: written.fault }
  context.readLog.set(file.relative, written.value.hash)
  return { status: 'ok', ...output(written.value.hash), changed: [{ path: file.relative, before, after: written.value.hash }] }
}

/** An encoding as people know it. */
export function encodingName(encoding: Encoding): string {
  return encoding === 'bytes' ? '8-bit' : encoding
}

/** Notes for the person about a file whose text is not what it seems. */
export function notesOn(file: CurrentFile): readonly Said[] {
  return [...(file.facts.isThroughLink ? [said('file.through-link', { given: file.facts.given })] : []), ...contentNotes(file)]
}

function contentNotes(file: CurrentFile): readonly Said[] {
  if (file.content !== null && file.text === null) return [said('file.was-binary', { sizeBytes: file.content.bytes.length })]
  return file.text?.encoding === 'bytes' ? [said('file.was-unknown-encoding')] : []
}

/** How many lines a text has; an unended last line counts, an empty text has none. */
export function countLines(text: string): number {
  if (text === '') return 0
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}
