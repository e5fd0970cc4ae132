import { fail, said, succeed, type Result, type Said } from '../../../shared/domain/result'
import type { ChangedFile, ToolOutput } from '../../../shared/domain/tool'
import type { OpenTrial } from '../ports/trialDesk'
import type { TrialFile } from '../ports/trialRunner'
import type { TurnPorts } from './turnPorts'

/**
 * Writes what a trial did, and answers with what the command said when it was tried: it is not run a second time (R73). Every
 * path goes through the guard of paths once more. A file that is no longer as it was copied stops all before the first write.
 */
export async function keepTrial(trial: OpenTrial, output: ToolOutput, ports: Pick<TurnPorts, 'judge'>): Promise<ToolOutput> {
  const changed: ChangedFile[] = []
  const failed: string[] = []
  const byPath = new Map(trial.files.map((file) => [file.path, file]))
  const kept = await trial.keep((file) => mayWrite(file, ports), (path, outcome) => {
    const file = byPath.get(path)
    if (!outcome.ok) failed.push(path)
    else if (file && file.kind !== 'folder') changed.push({ path, before: file.beforeHash, after: file.afterHash })
  })
  if (!kept.ok) return { status: 'failed', say: kept.fault, confined: 'trial' }
  // Deletions go first on the disk; people read by path.
  changed.sort((a, b) => (a.path < b.path ? -1 : 1))
  if (failed.length > 0) return { ...output, status: 'failed', say: said('command.trial-partly', { first: output.say, count: failed.length, paths: failed.slice(0, 20) }), changed }
  return { ...output, say: said('command.trial-kept', { first: output.say, count: trial.files.length }), changed }
}

/** Why a trial could not be kept as it is; null when it could. The person is told before their word is used up. */
export async function whyNotKept(trial: OpenTrial, ports: Pick<TurnPorts, 'judge'>): Promise<Said | null> {
  for (const file of trial.files) {
    const judged = await mayWrite(file, ports)
    if (!judged.ok) return judged.fault
  }
  return null
}

async function mayWrite(file: TrialFile, { judge }: Pick<TurnPorts, 'judge'>): Promise<Result<null>> {
  const use = file.change === 'deleted' ? 'delete' : file.kind === 'folder' ? 'mkdir' : file.change === 'created' ? 'create' : 'write'
  const verdict = judge.judgePath(await judge.fs.locate(file.path, use), use)
  if (verdict.kind === 'deny' && !(verdict.reason.code === 'path.git' && isGitRecord(file))) return { ok: false, fault: verdict.reason }
  if (file.kind === 'file' && file.change !== 'deleted' && file.afterHash === null) return fail('trial.too-large', { path: file.path })
  return succeed(null)
}

/** What git writes for a commit, in the project's own repository: its record. Nothing of it is executed or read as configuration. */
function isGitRecord({ path, kind }: TrialFile): boolean {
  if (kind === 'symlink' || path.startsWith('.git/objects/info')) return false
  return /^\.git\/(?:(?:objects|refs|logs)(?:\/|$)|(?:index|HEAD|ORIG_HEAD|FETCH_HEAD|MERGE_HEAD|MERGE_MSG|MERGE_MODE|AUTO_MERGE|COMMIT_EDITMSG|packed-refs)$)/u.test(path)
}
