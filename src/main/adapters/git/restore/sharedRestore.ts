import type { RestoreStep } from '../../../core/ports/snapshotStore'
import type { SettledPath } from '../../../core/ports/timelineStore'
import { toBytes } from '../../../native/byteText'
import { fileAt, type FolderModel, type FolderNode } from '../scan/folderModel'
import { SecondThreadLost, type SecondThread } from '../scan/secondThread'
import type { Held, Shape } from '../store/heldDiff'
import { isClosed, kindOf, parentOf } from './restoreJobs'
import { restoreSteps, type RestoreWorld } from './restoreSteps'
import type { SentRestore } from './sentRestore'

/** From so many files on that are only rewritten, the second thread takes its part of them. */
const sharedFrom = 300

interface Shared {
  readonly second: () => SecondThread | null
  readonly store: Pick<SentRestore, 'folder' | 'tag'>
  readonly held: Held
}

/**
 * A restore in both threads where it is worth it. Each has folders of its own, and the second only such in which nothing but
 * files is rewritten, so neither meets what the other does. What the second thread could not do because room or an object was
 * missing, and what it had not told when it was lost, is done once more in this one: what is done already is found so.
 */
export async function restoreShared(steps: readonly RestoreStep[], world: RestoreWorld, { second, store, held }: Shared): Promise<void> {
  const { own, others } = halves(steps, world)
  const thread = others.length === 0 ? null : second()
  if (!thread) return restoreSteps(steps, world)
  const { root, hasLeftOvers, onSettled } = world
  const known = others.map(({ path }) => world.known(path))
  const theirs = thread.ask('restore', { root, ...store, shape: held, steps: others, known, hasLeftOvers }).catch((error: unknown): readonly SettledPath[] => {
    if (error instanceof SecondThreadLost) return []
    throw error
  })
  // Whatever becomes of one part, the other is waited for: nothing may be written when a restore has ended.
  const [mine, sent] = await Promise.allSettled([restoreSteps(own, world), theirs])
  if (mine.status === 'rejected') throw mine.reason
  if (sent.status === 'rejected') throw sent.reason
  const final = sent.value.filter(({ outcome }) => outcome.ok || !['path.no-space', 'snapshot.object-missing'].includes(outcome.fault.code))
  if (final.length > 0) onSettled(final)
  const told = new Set(final.map(({ path }) => path))
  const left = others.filter(({ path }) => !told.has(path))
  if (left.length > 0) await restoreSteps(left, { ...world, hasLeftOvers: true })
}

/** What a model knows of a path's file. */
export function knownIn(model: FolderModel | null): RestoreWorld['known'] {
  return (path) => (model && fileAt(model.root, toBytes(path))) ?? null
}

/** Whole folders each, so that a folder is walked to and flushed by one thread only. */
function halves(steps: readonly RestoreStep[], { model, shape }: RestoreWorld): { readonly own: readonly RestoreStep[]; readonly others: readonly RestoreStep[] } {
  const inFolder = new Map<string, RestoreStep[]>()
  const touched = new Set<string>()
  for (const step of steps) {
    const parent = parentOf(step.path)
    const beside = inFolder.get(parent)
    if (beside) beside.push(step)
    else inFolder.set(parent, [step])
    if (kindOf(step.from) === 'folder' || kindOf(step.to) === 'folder') touched.add(step.path)
  }
  const plain = [...inFolder].filter(([folder, inIt]) => inIt.every(isRewrite) && !hasChangingFolder(folder, touched, model, shape)).sort(([a], [b]) => (a < b ? 1 : -1))
  const count = plain.reduce((sum, [, inIt]) => sum + inIt.length, 0)
  if (!model || count < sharedFrom) return { own: steps, others: [] }
  const others: RestoreStep[] = []
  for (const [folder, inIt] of plain) {
    if (others.length + inIt.length > steps.length / 2) break
    others.push(...inIt)
    inFolder.delete(folder)
  }
  return { own: [...inFolder.values()].flat(), others }
}

function isRewrite({ from, to }: RestoreStep): boolean {
  return [from, to].every((entry) => ['file', 'link'].includes(kindOf(entry)))
}

/** Whether the folder, or one above it, is a step of its own, or is or will be without a right that writing in it needs. */
function hasChangingFolder(path: string, touched: ReadonlySet<string>, model: FolderModel | null, shape: Shape): boolean {
  const names = path === '' ? [] : path.split('/')
  let node: FolderNode | undefined = model?.root
  for (const [index, name] of names.entries()) {
    const folder = names.slice(0, index + 1).join('/')
    node = node?.folders.get(toBytes(name))
    const bits = shape.bitsOf(toBytes(folder))
    if (!node || isClosed(node.stamp.mode) || bits === undefined || isClosed(bits) || touched.has(folder)) return true
  }
  return false
}
