import { randomBytes } from 'node:crypto'
import { ownIdentity } from './processIdentity'
import { endStrays } from './processTree'
import { isLive, processRow } from './processTreeTable'

/** A new mark for what this app starts. Nobody can guess it. It names the app, for the sweep after a crash. */
export function newMark(): string {
  const { pid, startedAt } = ownIdentity()
  return `${pid}-${startedAt}-${randomBytes(12).toString('hex').toUpperCase()}`
}

/** Ends what carries the mark of an app that no longer lives. */
export function endStraysOfDeadApps(): void {
  endStrays(isAppLive)
}

function isAppLive(mark: string): boolean {
  const [, pid, startedAt] = /^(\d+)-(\d+)-[0-9A-F]{24}$/.exec(mark) ?? []
  // A mark that is not of this form is none of ours to judge.
  if (pid === undefined) return true
  const row = processRow(Number(pid))
  return isLive(row) && row.startedAt === startedAt
}
