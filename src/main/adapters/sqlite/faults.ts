import { StorageFault } from '../../core/ports/storageFault'
import { said, type Said } from '../../../shared/domain/result'
import { ModuleFault, sqliteCode } from './driver'

/** The words for what the disk, the file or the installation did; null for a bug. */
export function faultOf(error: unknown, file: string): Said | null {
  if (error instanceof StorageFault) return error.fault
  if (error instanceof ModuleFault) return said('app.database-module', { file, problem: error.message })
  const code = sqliteCode(error) ?? systemCode(error)
  if (code === null) return null
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT') return said('app.disk-full', { file })
  if (isDamage(error)) return said('app.database-damaged', { file })
  if (code.startsWith('SQLITE_BUSY')) return said('app.database-busy', { file })
  if (/^SQLITE_(IOERR|CANTOPEN|READONLY|PERM|AUTH|NOMEM|NOLFS|TOOBIG)/.test(code) || code.startsWith('E')) return said('app.database-unusable', { file, problem: messageOf(error) })
  return null
}

/** Whether the content of the file itself is bad. */
export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error)
  return code !== null && /^SQLITE_(CORRUPT|NOTADB)/.test(code)
}

function systemCode(error: unknown): string | null {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
  return typeof code === 'string' && typeof (error as NodeJS.ErrnoException).syscall === 'string' ? code : null
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
