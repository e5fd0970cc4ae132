import type { RestoreStep } from '../../../core/ports/snapshotStore'
import type { SettledPath } from '../../../core/ports/timelineStore'
import type { Root } from '../../../native/safeFolder'
import type { FileNode } from '../scan/folderModel'
import { shapeOf, type Held } from '../store/heldDiff'
import { ObjectStore } from '../store/objectStore'
import { restoreSteps } from './restoreSteps'

/** The second thread's part, and all that it has to know. */
export interface SentRestore {
  readonly root: Root
  /** The store's `objects`, and what marks the thread's temporary files there. */
  readonly folder: string
  readonly tag: string
  readonly shape: Held
  readonly steps: readonly RestoreStep[]
  /** What the last scan knew of each step's file. */
  readonly known: readonly (FileNode | null)[]
  readonly hasLeftOvers: boolean
}

/** In the second thread. Its paths are told together, when all are done. */
export async function restoreSent({ root, folder, tag, shape, steps, known, hasLeftOvers }: SentRestore): Promise<readonly SettledPath[]> {
  const objects = new ObjectStore(folder, tag)
  try {
    const nodes = new Map(steps.map(({ path }, index) => [path, known[index] ?? null]))
    const settled: SettledPath[] = []
    const onSettled = (some: readonly SettledPath[]): void => void settled.push(...some)
    await restoreSteps(steps, { root, objects, model: null, known: (path) => nodes.get(path) ?? null, shape: shapeOf(objects, shape), hasLeftOvers, onSettled })
    return settled
  } finally {
    objects.close()
  }
}
