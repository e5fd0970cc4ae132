/** A thread that has nothing left to do is gone within a few milliseconds. */
const endMs = 1500

let stuck = 0

/**
 * Waits until a thread that said it is done is gone, but never for ever. Before a thread ends, Node waits for what the compiler
 * does in the background, which may wait for the thread itself: then it never ends (nodejs/node#54918). What it had open is
 * closed by then, so leaving the app must not depend on it.
 */
export async function threadEnd(ended: Promise<unknown>, limitMs = endMs): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), limitMs)
  })
  if ((await Promise.race([ended, late])) === 'late') {
    stuck++
    void ended.finally(() => stuck--)
  }
  clearTimeout(timer)
}

/** A thread was left behind that does not end; a process with it never ends by itself, since that waits for its threads. */
export function hasStuckThread(): boolean {
  return stuck > 0
}
