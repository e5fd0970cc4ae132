/** Whether tests can act as somebody else. */
export const isRoot = process.getuid?.() === 0
/** A user without rights of its own. */
export const nobody = 65_534

/** Runs as another user; every thread of this process changes with it. Only as root. */
export async function asUser<T>(id: number, run: () => Promise<T>): Promise<T> {
  process.setegid?.(id)
  process.seteuid?.(id)
  try {
    return await run()
  } finally {
    process.seteuid?.(0)
    process.setegid?.(0)
  }
}
