const turns = new Map<string, Promise<unknown>>()

/**
 * One at a time for one address: what is read stays true until it is written. So of several calls with one old token the first
 * refreshes it and the others find the new one.
 */
export function inTurn<T>(url: string, run: () => Promise<T>): Promise<T> {
  const turn = (turns.get(url) ?? Promise.resolve()).then(run, run)
  turns.set(url, turn)
  const leave = (): void => {
    if (turns.get(url) === turn) turns.delete(url)
  }
  turn.then(leave, leave)
  return turn
}

/** Longer than this nobody who leaves the app is kept. */
const patienceMs = 2000

/** Resolves when no turn is left: a new refresh token that was not kept would cost a sign-in. */
export async function turnsOver(): Promise<void> {
  if (turns.size === 0) return
  let timer: NodeJS.Timeout | undefined
  await Promise.race([Promise.allSettled(turns.values()), new Promise((resolve) => (timer = setTimeout(resolve, patienceMs)))])
  clearTimeout(timer)
}
