#!/usr/bin/env node
import { say } from '../shared/words/say'
import { StorageFault } from './core/ports/storageFault'
import { auditCommand } from './headless/audit'
import { doctorCommand } from './headless/doctor'
import { helpWanted, usageOf } from './headless/help'
import type { Print } from './headless/jsonLines'
import { mcpCommand } from './headless/mcp'
import { memoryCommand } from './headless/memory'
import { runCommand } from './headless/run'
import { snapshotCommand } from './headless/snapshot'
import { UsageError } from './headless/usage'

const commands: Readonly<Record<string, (args: readonly string[], print: Print) => Promise<void>>> = {
  run: runCommand,
  snapshot: snapshotCommand,
  audit: auditCommand,
  mcp: mcpCommand,
  memory: memoryCommand,
  doctor: doctorCommand,
}

/** Of these a name alone says nothing yet. */
const hasVerbs: ReadonlySet<string> = new Set(['snapshot', 'audit', 'mcp', 'memory'])

/** Runs one command (docs/COMMANDS.md). Exit code 0: done; 1: a fault, said in one line; 2: wrong usage or no such command. */
async function main(args: readonly string[]): Promise<number> {
  const help = helpWanted(args)
  if (help !== null) return tell(help.of)
  const [name = '', ...rest] = args
  if (name === '' || (hasVerbs.has(name) && (rest[0] ?? '-').startsWith('-'))) {
    process.stdout.write(usageOf(name))
    return 2
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) return complain(2, `no such command: ${name}`)
  try {
    await command(rest, (line) => void process.stdout.write(`${JSON.stringify(line)}\n`))
    return 0
  } catch (error) {
    if (error instanceof UsageError) return complain(2, error.message)
    if (error instanceof StorageFault) return complain(1, say('en', error.fault))
    return complain(1, error instanceof Error ? error.message : String(error))
  }
}

/** Usage that was asked for; of a command that does not exist there is none. */
function tell(name: string | undefined): number {
  if (name !== undefined && !Object.hasOwn(commands, name)) return complain(2, `no such command: ${name}`)
  process.stdout.write(usageOf(name))
  return 0
}

function complain(code: number, sentence: string): number {
  process.stderr.write(`${sentence.split('\n').join(' ')}\n`)
  return code
}

// A reader may go away (`| head -1`). What was begun is carried out and recorded all the same; only its lines go nowhere.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
const code = await main(process.argv.slice(2))
// Workers and pipes are closed by now; what is still printed must reach its reader first.
process.stdout.write('', () => process.exit(code))
