import type { AttachedFile } from '../../shared/domain/event'
import { fail, said, succeed, type Result, type Said } from '../../shared/domain/result'
import type { ToolOutput } from '../../shared/domain/tool'
import type { Verdict } from '../../shared/domain/verdict'
import { say } from '../../shared/words/say'
import type { ResultPorts } from '../core/mcp/results'
import type { Redact } from '../core/policy/redaction'
import { neverCancelled, type CancelSignal } from '../core/ports/cancelSignal'
import { pictureLimits, type ScaledPicture } from '../core/ports/imageScaler'
import type { PathFacts, PathUse, WorkspaceFs } from '../core/ports/workspaceFs'
import { listShown } from '../core/tools/builtins/listFiles'
import { readShown } from '../core/tools/builtins/readFile'
import { decodeFile } from '../core/tools/textFile'

/** How files of the opened folder are looked at, by the guards that tools go through. */
export interface AttachSight {
  readonly root: string
  readonly fs: WorkspaceFs
  readonly judgePath: (facts: PathFacts, use: PathUse) => Verdict
}

export interface ProjectFilePorts {
  readonly redact: Redact
  readonly results: ResultPorts
  readonly scaler: { scale(bytes: Uint8Array, signal: CancelSignal): Promise<Result<Pick<ScaledPicture, 'bytes' | 'mimeType'>>> }
}

/** A list of a folder goes so deep. */
const listedLevels = 2

/**
 * Reads a file or folder of the project that the person attached (R90), as `read_file` and `list_files` give it: guarded,
 * redacted, cut when long, with the whole in the outputs store. What the guards deny stays denied; what they would ask about
 * the person has answered by attaching it. A picture is scaled and goes as a picture.
 */
export async function attachedFromProject(path: string, { fs, judgePath }: AttachSight, ports: ProjectFilePorts): Promise<Result<AttachedFile>> {
  const facts = await fs.locate(path, 'read')
  const use = facts.kind === 'folder' ? 'list' : 'read'
  const verdict = judgePath(facts, use)
  if (verdict.kind === 'deny') return fail('attach.cannot', { name: path, reason: verdict.reason })
  const relative = facts.relative ?? path
  const named = { path: relative, name: relative, outputRef: null, content: [] }
  const place = (): PathFacts => facts
  if (facts.kind === 'folder') {
    const list = await listShown({ path: relative === '' ? '.' : relative, depth: listedLevels }, { place, fs, judgePath, signal: neverCancelled })
    return list.status === 'ok' ? succeed({ ...named, path: relative === '' ? '.' : relative, text: textOf(list) }) : cannot(path, list.say)
  }
  let hash: string | undefined
  const shown = await readShown({ path: relative }, { place, fs, redact: ports.redact, readLog: { get: () => undefined, set: (_path, seen) => { hash = seen }, forget: () => undefined } })
  if (shown.status !== 'ok') return cannot(path, shown.say)
  const read: AttachedFile = { ...named, text: textOf(shown), ...(hash === undefined ? {} : { hash }) }
  if (shown.say.code === 'file.binary') return pictureOr(read, facts, fs, ports)
  if (shown.say.code !== 'file.read-part') return succeed(read)
  const whole = await fs.read(facts, pictureLimits.inputBytes)
  if (!whole.ok) return cannot(path, whole.fault)
  return succeed({ ...read, outputRef: await ports.results.keepText(decodeFile(whole.value.bytes)?.text ?? '') })
}

/** A picture of the project as a picture; anything else that is no text says so in its place. */
async function pictureOr(read: AttachedFile, facts: PathFacts, fs: WorkspaceFs, { scaler, results }: ProjectFilePorts): Promise<Result<AttachedFile>> {
  const file = await fs.read(facts, pictureLimits.inputBytes)
  if (!file.ok) return cannot(read.name, file.fault)
  const scaled = await scaler.scale(file.value.bytes, neverCancelled)
  if (!scaled.ok) return scaled.fault.code === 'attach.no-picture' ? succeed(read) : cannot(read.name, scaled.fault)
  const { bytes, mimeType } = scaled.value
  return succeed({ ...read, text: '', content: [{ kind: 'image', mimeType, ref: await results.keep(bytes), sizeBytes: bytes.length, name: read.name }] })
}

function cannot(name: string, reason: Said): Result<never> {
  return { ok: false, fault: said('attach.cannot', { name, reason }) }
}

function textOf({ say: fact, body }: ToolOutput): string {
  return [say('en', fact), ...(body === undefined || body === '' ? [] : [body])].join('\n')
}
