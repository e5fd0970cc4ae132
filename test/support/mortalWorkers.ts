import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ownIdentity } from '../../src/main/native/processIdentity'
import { workersFolder, type Scratch } from './sideRepository'

/** The built worker, in a thread that dies at the next message of the kind that stands in `dies`; with `locked`, while it holds the store's lock. */
export function mortalWorkers(scratch: Scratch): { readonly folder: string; readonly dieAt: (name: string, isLocked?: boolean) => void } {
  const folder = join(scratch.top, 'workers')
  const dies = join(folder, 'dies.json')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'gitWorker.js'), `
    import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
    import { parentPort, threadId } from 'node:worker_threads'
    // First, so that no message is lost; its answers come later than what is done here.
    await import(${JSON.stringify(pathToFileURL(join(workersFolder, 'gitWorker.js')).href)})
    parentPort.on('message', ({ name }) => {
      const at = existsSync(${JSON.stringify(dies)}) ? JSON.parse(readFileSync(${JSON.stringify(dies)}, 'utf8')) : null
      if (at?.name !== name) return
      rmSync(${JSON.stringify(dies)})
      if (at.lock) writeFileSync(at.lock, JSON.stringify({ ...at.owner, token: 'dead', thread: threadId }))
      process.exit(1)
    })
  `)
  return { folder, dieAt: (name, isLocked = false) => writeFileSync(dies, JSON.stringify({ name, ...(isLocked ? { lock: join(scratch.store, 'countersign.lock'), owner: ownIdentity() } : {}) })) }
}
