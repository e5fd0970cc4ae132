import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { said, type Said } from '../../../shared/domain/result'
import { forgetSnapshots } from './pack/forget'
import { hexOf } from './store/gitObjects'
import { PackingStopped } from './pack/packJob'
import { packStore } from './pack/repack'
import { diskFaultOf } from './store/storeFault'
import { ownTag } from './store/storeFiles'
import type { PackReply, PackStart } from './workerMessages'

/** The thread that packs or forgets beside everything else that goes on with a store. */
const port = parentPort
if (!port) throw new Error('git/packWorker runs only as a worker thread')

const { folder, kept, cancel } = workerData as PackStart

// Elsewhere it would be the priority of the whole process.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_LOW)

async function work(): Promise<PackReply> {
  const flag = new Int32Array(cancel)
  const world = {
    folder,
    tag: `${ownTag()}_pack`,
    isStopped: () => Atomics.load(flag, 0) === 1,
    onProgress: (done: number, total: number) => reply({ kind: 'progress', done, total }),
  }
  try {
    const outcome = await (kept ? forgetSnapshots(world, kept) : packStore(world))
    return { kind: 'done', report: { ...outcome, damaged: outcome.damaged.map(hexOf) } }
  } catch (error) {
    try {
      return { kind: 'fault', fault: faultOf(error) }
    } catch {
      return { kind: 'broken', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
    }
  }
}

function faultOf(error: unknown): Said {
  return error instanceof PackingStopped ? said('snapshot.cancelled') : diskFaultOf(error, '')
}

function reply(message: PackReply): void {
  port?.postMessage(message)
}

reply(await work())
