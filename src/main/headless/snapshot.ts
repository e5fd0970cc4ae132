import type { HostOptions } from '../app/hostOptions'
import { composeHost } from '../app/compose'
import { say } from '../../shared/words/say'
import { diffSnapshots, listSnapshots, planRestore, restoreSnapshot, showSnapshotStats, takeSnapshot, undoRestore, type CommandOutput } from '../services/snapshotCommands'
import type { Snapshots } from '../services/snapshots'
import type { Print } from './jsonLines'
import { hostOptions } from './options'
import { Fault, oneOf, readOptions, required, UsageError } from './usage'

const spec = { project: { type: 'string' }, to: { type: 'string' }, at: { type: 'string' }, path: { type: 'string' }, 'keep-user-edits': { type: 'string' } } as const

type Values = ReturnType<typeof readOptions>['values']

const verbs: Readonly<Record<string, (snapshots: Snapshots, values: Values) => Promise<CommandOutput>>> = {
  take: (snapshots) => takeSnapshot(snapshots),
  list: (snapshots) => listSnapshots(snapshots),
  plan: (snapshots, values) => planRestore(snapshots, restoreOptions(values), 'en'),
  restore: (snapshots, values) => restoreSnapshot(snapshots, restoreOptions(values), 'en'),
  undo: (snapshots, values) => undoRestore(snapshots, required(values['at'], 'at'), 'en'),
  diff: (snapshots, values) => diffSnapshots(snapshots, required(values['at'], 'at'), typeof values['to'] === 'string' ? values['to'] : null),
  stats: (snapshots) => showSnapshotStats(snapshots),
}

/** `snapshot take|list|plan|restore|undo|diff|stats`. */
export async function snapshotCommand(args: readonly string[], print: Print): Promise<void> {
  const [name = '', ...rest] = args
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  if (!verb) throw new UsageError(`no such command: snapshot ${name}`)
  const { values } = readOptions(rest, spec)
  const project = required(values['project'], 'project')
  const options: HostOptions = { ...hostOptions(values), given: null, chosenModel: null }
  const host = await composeHost(options)
  try {
    const opened = await host.openWorkspace(project)
    if (!opened.ok) throw new Fault(say('en', opened.fault))
    const output = await verb(opened.value.snapshots, values)
    if ('fault' in output) throw new Fault(say('en', output.fault))
    output.lines.forEach(print)
    if (output.exitCode !== 0) throw new Fault('not every path could be written; failed lists them')
  } finally {
    await host.close()
  }
}

function restoreOptions(values: Values): { readonly to: string; readonly path?: string; readonly keepUserEdits: boolean } {
  const keep = oneOf(String(values['keep-user-edits'] ?? 'yes'), ['yes', 'no'], 'keep-user-edits') === 'yes'
  return { to: required(values['to'], 'to'), keepUserEdits: keep, ...(typeof values['path'] === 'string' ? { path: values['path'] } : {}) }
}
