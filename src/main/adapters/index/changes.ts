import { sep } from 'node:path'
import { lookNow } from '../../native/safePath'
import type { Root } from '../../native/safeFolder'
import { ignoreNames, inFolder, isLeftOut, type Fence, type FolderRules } from './scan'

/** What the watcher says of the folder: files that may have changed, or that only a look at everything can tell. */
export interface ChangeListener {
  changed(path: string): void
  unsure(): void
}

/** What the last scan knew: the rules of each folder it entered. */
export interface KnownFolders {
  rules(folder: string): FolderRules | undefined
  isFile(path: string): boolean
}

const closingMs = 2000

/**
 * Watches a folder, as a hint: whatever concerns a folder, an ignore file or an error makes it unsure. Null where nothing can
 * be watched. The answer ends it.
 */
export async function watchFolder(root: Root, fence: Fence, known: KnownFolders, listener: ChangeListener): Promise<(() => Promise<void>) | null> {
  try {
    // The module cannot be loaded a second time once a thread that had it alone has ended; without it the folder is looked at by turns.
    const { default: watcher } = await import('@parcel/watcher')
    const subscription = await watcher.subscribe(root.path, (error, events) => {
      if (error) return listener.unsure()
      for (const event of events) judge(relativeTo(root, event.path), event.type, { root, fence, known, listener })
    }, { ignore: ['.git', '**/node_modules'] })
    // Its folders may have gone meanwhile, and then it cannot end, or does not say that it did.
    return async () => {
      await Promise.race([subscription.unsubscribe().catch(() => undefined), new Promise((resolve) => setTimeout(resolve, closingMs).unref())])
    }
  } catch {
    return null // no more watches to be had, or a system without
  }
}

interface Judging {
  readonly root: Root
  readonly fence: Fence
  readonly known: KnownFolders
  readonly listener: ChangeListener
}

function judge(path: string | null, type: 'create' | 'update' | 'delete', { root, fence, known, listener }: Judging): void {
  if (path === null) return listener.unsure()
  const cut = path.lastIndexOf('/')
  const name = path.slice(cut + 1)
  const folder = cut === -1 ? '' : path.slice(0, cut)
  const rules = known.rules(folder)
  if (rules === undefined) return isInsideLeftOut(path, { root, fence, known }) ? undefined : listener.unsure()
  if (ignoreNames.includes(name)) return listener.unsure()
  if (known.isFile(path)) return listener.changed(path)
  if (type === 'delete') return known.rules(path) === undefined ? undefined : listener.unsure()
  const found = lookNow(root, path)
  if (!found.ok) return listener.unsure()
  if (found.value.kind === 'missing') return
  const isFolder = found.value.stats.isDirectory()
  if (!isFolder && !found.value.stats.isFile()) return
  if (isLeftOut(path, isFolder, rules, fence, besideIn(folder, root))) return
  return isFolder ? listener.unsure() : listener.changed(path)
}

/** Whether it lies in a folder that was left out, and not in one that is new. */
function isInsideLeftOut(path: string, { root, fence, known }: Omit<Judging, 'listener'>): boolean {
  const names = path.split('/')
  for (let depth = names.length - 1; depth >= 0; depth--) {
    const folder = names.slice(0, depth).join('/')
    const rules = known.rules(folder)
    if (rules !== undefined) return isLeftOut(names.slice(0, depth + 1).join('/'), true, rules, fence, besideIn(folder, root))
  }
  return false
}

function besideIn(folder: string, root: Root): (name: string) => boolean {
  return (name) => {
    const found = lookNow(root, inFolder(folder, name))
    return found.ok && found.value.kind !== 'missing'
  }
}

function relativeTo(root: Root, path: string): string | null {
  const start = root.path.endsWith(sep) ? root.path : `${root.path}${sep}`
  return path.startsWith(start) && path.length > start.length ? path.slice(start.length).split(sep).join('/') : null
}
