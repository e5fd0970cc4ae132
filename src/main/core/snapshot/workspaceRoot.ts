import { said, type Said } from '../../../shared/domain/result'

const systemFolders = ['/bin', '/boot', '/dev', '/etc', '/proc', '/run', '/sbin', '/sys', '/usr', '/System', '/Library', '/private/etc']

/**
 * Why a folder cannot be opened as a workspace (R80); null when it can. Both paths are real paths of this machine.
 * Refused: the whole disk, a home folder or what holds one, and folders of the system with everything in them except
 * /usr/local/src.
 */
export function refuseWorkspaceRoot(realPath: string, home: string): Said | null {
  const path = realPath.replace(/\\/g, '/').replace(/(?<=.)\/+$/, '')
  const own = home.replace(/\\/g, '/').replace(/(?<=.)\/+$/, '')
  if (path === '/' || /^[a-z]:\/?$/i.test(path)) return said('snapshot.root-top', { path: realPath })
  if (path === own || own.startsWith(`${path}/`)) return said('snapshot.root-home', { path: realPath })
  return isSystem(path) ? said('snapshot.root-system', { path: realPath }) : null
}

function isSystem(path: string): boolean {
  if (isIn(path, '/usr/local/src')) return false
  if (systemFolders.some((folder) => isIn(path, folder))) return true
  return /^\/lib[^/]*(\/|$)/.test(path) || /^[a-z]:\/(windows|program files( \(x86\))?|programdata)(\/|$)/i.test(path)
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}
