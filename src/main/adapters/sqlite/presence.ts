import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimes, writeFileSync } from 'node:fs'
import path from 'node:path'
import { lifeOf, ownIdentity, type ProcessIdentity } from '../../native/processIdentity'

/** A process that cannot be seen from here counts as living while its mark is younger. */
const silentMs = 180_000
const beatMs = 60_000

/** A connection's mark that it has the database open. */
export interface Presence {
  /** Whether another living connection has it open too. */
  hasOthers(): boolean
  leave(): void
}

/**
 * Says that the database is open here, by a small file in `folder`, so that nobody moves it away under a living process.
 * Marks of dead processes are removed.
 */
export function announcePresence(folder: string): Presence {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const self = ownIdentity()
  const own = path.join(folder, `${randomUUID()}.json`)
  writeFileSync(own, JSON.stringify(self), { mode: 0o600 })
  const beat = setInterval(() => {
    const now = new Date()
    // One that was deleted by hand is no fault here: others then think that this process is gone.
    utimes(own, now, now, () => undefined)
  }, beatMs)
  beat.unref()
  return {
    hasOthers: () => readdirSync(folder).map((name) => path.join(folder, name)).some((file) => file !== own && isLiving(file)),
    leave() {
      clearInterval(beat)
      rmSync(own, { force: true })
    },
  }
}

/** Removes a dead one's mark on the way. */
function isLiving(file: string): boolean {
  try {
    const life = lifeOf(JSON.parse(readFileSync(file, 'utf8')) as ProcessIdentity)
    const isSilent = Date.now() - statSync(file).mtimeMs > silentMs
    if (life === 'alive' || (life === 'elsewhere' && !isSilent)) return true
    rmSync(file, { force: true })
    return false
  } catch {
    return false // gone, or left half written by a process that died over it
  }
}
