import { subscribe, type AsyncSubscription } from '@parcel/watcher'

/** Editors write a file in several steps; a folder in which something writes all the time is still read now and then. */
const quietMs = 150
const longestMs = 1500

/** Calls back a moment after the last change below one of the folders. A folder that cannot be watched is noted: there is a button too. */
export function watchFolders(folders: readonly string[], changed: () => void, log: (note: string) => void): () => void {
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let firstAtMs = 0
  const subscriptions: AsyncSubscription[] = []
  const end = (subscription: AsyncSubscription): void => {
    subscription.unsubscribe().catch((error: unknown) => log(`a skills folder is still watched: ${String(error)}`))
  }
  const report = (): void => {
    timer = undefined
    changed()
  }
  const happened = (): void => {
    if (isClosed) return
    const nowMs = performance.now()
    if (timer === undefined) firstAtMs = nowMs
    clearTimeout(timer)
    timer = setTimeout(report, Math.max(0, Math.min(quietMs, firstAtMs + longestMs - nowMs)))
  }
  for (const folder of folders) {
    subscribe(folder, (error, events) => {
      if (error !== null) log(`the skills folder ${folder} is not watched any more: ${error.message}`)
      if (events.length > 0) happened()
    }).then(
      (subscription) => {
        if (isClosed) end(subscription)
        else subscriptions.push(subscription)
      },
      (error: unknown) => log(`the skills folder ${folder} is not watched: ${String(error)}`),
    )
  }
  return () => {
    isClosed = true
    clearTimeout(timer)
    subscriptions.splice(0).forEach(end)
  }
}
