import * as fs from 'node:fs'

/** Where and how far watching pays, and how far a watcher's word goes. */
export interface WatchLimits {
  /** The system tells of every change in a folder, in the order in which they came. */
  readonly isPossible: boolean
  /** With fewer files a look at all of them costs hardly more than asking whether one is needed. */
  readonly leastFiles: number
  readonly mostFolders: number
  /** More events at once than this may be the end of the queue, of which the runtime does not tell. */
  readonly mostEvents: number
  /** How long a token may take to come back. */
  readonly tokenMs: number
}

/** ext2 to ext4, xfs, btrfs, f2fs, tmpfs: kept by this kernel alone. What others write to a shared disk makes no event. */
const ownDisks = new Set([0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x01021994])

const share = 4

/** What holds for a folder here. Watching is for Linux: elsewhere nothing says that no event was dropped. */
export function watchLimits(root: string): WatchLimits {
  const most = { watches: systemLimit('max_user_watches'), events: systemLimit('max_queued_events') }
  const isPossible = process.platform === 'linux' && most.watches > 0 && most.events > 0 && isOwnDisk(root)
  // Watches are counted for a user, not for a program: others need some.
  return { isPossible, leastFiles: 5000, mostFolders: Math.floor(most.watches / share), mostEvents: Math.floor(most.events / share), tokenMs: 250 }
}

/** 0 where the system does not say. */
function systemLimit(name: string): number {
  try {
    return Number(fs.readFileSync(`/proc/sys/fs/inotify/${name}`, 'utf8')) || 0
  } catch {
    return 0
  }
}

function isOwnDisk(root: string): boolean {
  try {
    return ownDisks.has(fs.statfsSync(root).type)
  } catch {
    return false
  }
}
