import { said, type Said } from '../../../../shared/domain/result'
import { LockHeld } from '../../../native/fileLock'
import { ObjectMissing } from './heldDiff'

/** The words for what went wrong with a store or its root. A bug is thrown on. */
export function diskFaultOf(error: unknown, root: string): Said {
  const { code = '', message, path } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') return said('snapshot.disk-full')
  if ((code === 'ENOENT' || code === 'ENOTDIR') && path === root) return said('snapshot.root-gone', { path: root })
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return said('snapshot.not-permitted', { path: path ?? root })
  if (error instanceof LockHeld) return said('snapshot.store-failed', { problem: message })
  if (error instanceof ObjectMissing) return said('snapshot.object-missing', { object: error.id })
  if (code === '') throw error
  return said('snapshot.store-failed', { problem: message })
}
