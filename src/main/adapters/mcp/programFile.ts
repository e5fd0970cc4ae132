import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import path from 'node:path'
import type { McpEnd, McpEndpoint } from '../../core/ports/mcpConnections'
import { endOf } from './ends'

/**
 * Finds what a command names as the system would: in the folders of the child's own PATH, or from its folder where the command
 * has a slash.
 * @returns the absolute path, or why it cannot be started
 */
export async function findProgramFile(endpoint: McpEndpoint & { readonly kind: 'stdio' }): Promise<{ readonly ok: true; readonly file: string } | { readonly ok: false; readonly end: McpEnd }> {
  const { command, cwd, env } = endpoint
  if (!(await isFolder(cwd))) return { ok: false, end: endOf('mcp.no-folder', { folder: cwd }, 'mcp.no-folder-advice') }
  const folders = command.includes('/') ? [''] : (env['PATH'] ?? '').split(':').filter((folder) => path.isAbsolute(folder))
  let seen: string | null = null
  for (const folder of command === '' ? [] : folders) {
    const file = folder === '' ? path.resolve(cwd, command) : path.join(folder, command)
    const kind = await kindOf(file)
    if (kind === 'program') return { ok: true, file }
    if (kind === 'file') seen ??= file
  }
  if (seen !== null) return { ok: false, end: endOf('mcp.not-executable', { file: seen }, 'mcp.not-executable-advice') }
  // A whole command line was typed where the program alone belongs.
  const [first = ''] = command.trim().split(/\s+/)
  if (first !== command.trim() && (await findProgramFile({ ...endpoint, command: first })).ok) return { ok: false, end: endOf('mcp.line-as-command', { command }, 'mcp.line-as-command-advice') }
  if (command.includes('/')) return { ok: false, end: endOf('mcp.no-program', { file: path.resolve(cwd, command) }, 'mcp.no-program-advice') }
  return { ok: false, end: endOf('mcp.not-on-path', { command, folders }, 'mcp.not-on-path-advice') }
}

async function kindOf(file: string): Promise<'program' | 'file' | 'none'> {
  try {
    if (!(await stat(file)).isFile()) return 'none'
  } catch {
    return 'none'
  }
  try {
    await access(file, constants.X_OK)
    return 'program'
  } catch {
    return 'file'
  }
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory()
  } catch {
    return false
  }
}
