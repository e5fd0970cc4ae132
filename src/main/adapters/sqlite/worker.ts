import { parentPort, workerData } from 'node:worker_threads'
import { ownIdentity } from '../../native/processIdentity'
import { crasher, crashPointOf, killProcess } from './crashPoint'
import { openConnection, type Connection } from './openConnection'
import type { Request, Response, WorkerOptions } from './protocol'
import { keepRoomInLog } from './roomInLog'
import { serve } from './serve'

/** The database thread: the only place where the database is open. */
async function main(): Promise<void> {
  const port = parentPort
  if (port === null) throw new Error('this file is a worker')
  const options = workerData as WorkerOptions
  const send = (response: Response) => port.postMessage(response)
  const opened = await openConnection(options)
  if (!opened.ok) return send({ kind: 'not-opened', fault: opened.fault })
  const connection = opened.value
  const crash = crasher(crashPointOf(process.env), killProcess)
  const handle = serve({ ...connection, file: options.file, self: ownIdentity(), crash, send })
  let isLeft = false
  port.on('message', (request: Request) => {
    if (request.kind === 'ask') return handle.ask(request)
    isLeft = true
    handle.finish()
    close(connection)
    send({ kind: 'closed' })
    port.close()
  })
  send({ kind: 'opened', isReadOnly: connection.isReadOnly, faults: connection.faults })
  if (!connection.isReadOnly) await keepRoomInLog(connection.db, options.file, () => isLeft)
}

/** The log is small after leaving (i03). */
function close({ db, isReadOnly, presence }: Connection): void {
  try {
    if (!isReadOnly) db.pragma('wal_checkpoint(TRUNCATE)')
  } catch {
    // A full disk, or a reader in another process: what is in the log stays in it, and is as durable there.
  }
  db.close()
  presence.leave()
}

await main()
