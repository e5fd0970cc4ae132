import { fail } from '../../shared/domain/result'
import { errorCode } from './diskSteps'

/** An expected failure, in words. */
export type Fault = ReturnType<typeof fail>

/**
 * The words for a disk call that failed on an expected ground. Anything unexpected is `path.disk` with the system's own
 * code. Only errors of the disk become faults: a bug is thrown on.
 */
export function diskFault(error: unknown, path: string): Fault {
  switch (errorCode(error)) {
    case '':
      throw error
    case 'ENOENT':
      return fail('path.missing', { path })
    case 'ELOOP':
    case 'ENOTDIR':
    case 'ESTALE':
      return fail('path.moved', { path })
    case 'EEXIST':
    case 'ENOTEMPTY':
      return fail('path.exists', { path })
    case 'EISDIR':
      return fail('path.is-folder', { path })
    case 'EACCES':
    case 'EPERM':
      return fail('path.not-permitted', { path })
    case 'EROFS':
      return fail('path.read-only-disk', { path })
    case 'ENOSPC':
    case 'EDQUOT':
      return fail('path.no-space', { path })
    case 'ENAMETOOLONG':
      return fail('path.too-long', { path })
    case 'EXDEV':
      return fail('path.other-disk', { path })
    case 'ENXIO':
    case 'ENODEV':
      return fail('path.special', { path })
    default:
      return fail('path.disk', { path, problem: errorCode(error) })
  }
}
