import type { ActingCall } from '../ports/eventStore'
import { judgeCommand } from '../policy/commandGuard'
import type { Where } from '../policy/shell/call'
import { resolvePath } from '../policy/shell/paths'

/**
 * Whether a call that ran may have sent something out, or changed something outside the project: what no rollback takes back.
 * Listed are
 *
 * - commands that were let out to the network or out of the sandbox;
 * - commands that nothing held, or of which nobody knows what did, when today's guard does not find that every part of them
 *   can be undone (a push, a download, a write elsewhere, a program it does not know);
 * - every call of a tool of an MCP server: that it only reads is the server's word.
 *
 * Pages fetched and searches made are not: they ask for something, and change nothing that a rollback could have meant.
 * Commands that a sandbox without network held are not either.
 */
export function maySend({ tool, args, confined }: ActingCall, where: Where): boolean {
  if (tool.startsWith('mcp__')) return true
  if (tool !== 'run_command') return false
  if (args['network'] === true || args['outside'] === true) return true
  if (confined === 'sandbox' || confined === 'trial') return false
  const [command, cwd] = [textOf(args['command']), textOf(args['cwd'])]
  const { parts } = judgeCommand(command, { ...where, cwd: resolvePath(cwd === '' ? '.' : cwd, [where.root])[0] ?? where.root })
  return parts.length === 0 || parts.some(({ canUndo }) => !canUndo)
}

/** What it did in one line: a command, or the tool's name. */
export function sentLabel({ tool, args }: ActingCall): string {
  return callLine({ tool, command: tool === 'run_command' ? textOf(args['command']) : null })
}

/** A command in one line, or the tool's name. */
export function callLine({ tool, command }: { readonly tool: string; readonly command: string | null }): string {
  return (command === null || command === '' ? tool : command).replaceAll(/\s+/gu, ' ').trim()
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
