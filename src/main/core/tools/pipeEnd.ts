import { parse } from 'unbash'

/**
 * Whether the exit code of a command line is that of the last program of a pipe alone, so that 0 says nothing of those before
 * it (D12). Not where the shell is told to look at all of them.
 */
export function endsInPipe(command: string): boolean {
  if (!command.includes('|') || command.includes('pipefail') || command.includes('PIPESTATUS')) return false
  try {
    return isPipeAtEnd(command)
  } catch (error) {
    // Too deep to be read: then nothing is said.
    if (error instanceof RangeError) return false
    throw error
  }
}

function isPipeAtEnd(command: string): boolean {
  let last = parse(command).commands.at(-1)?.command
  while (last?.type === 'AndOr') last = last.commands.at(-1)
  return last?.type === 'Pipeline' && last.commands.length > 1 && last.prefixes.length === 0
}
