import { readFileSync } from 'node:fs'

/** Prints one JSON value a line. */
export type Print = (line: object) => void
/** A lab command: its arguments, what came on standard input, and where its lines go. */
export type LabCommand = (args: readonly string[], input: LabInput, print: Print) => Promise<void>

/** Standard input, read when a command asks for it. */
export interface LabInput {
  bytes(): Buffer
  /** Lines that are not blank. */
  lines(): readonly string[]
}

/** Wrong usage, or a command that does not exist yet: exit code 2. */
export class LabUsage extends Error {
  override readonly name = 'LabUsage'
}

const standardInput: LabInput = {
  bytes: () => readFileSync(0),
  lines: () => readFileSync(0, 'utf8').split('\n').filter((line) => line.trim() !== ''),
}

/** Loaded when called, so that a fault in one command's world does not stop the others. */
const commands: Readonly<Record<string, () => Promise<LabCommand>>> = {
  assemble: async () => (await import('./assemble')).assemble,
  compact: async () => (await import('./compact')).compactLab,
  repair: async () => (await import('./repairLab')).repairLab,
  'guard-command': async () => (await import('./guardCommand')).guardCommand,
  'guard-path': async () => (await import('./guardPath')).guardPath,
  redact: async () => (await import('./redact')).redactLab,
  schema: async () => (await import('./schema')).schemaLab,
  rank: async () => (await import('./rank')).rankLab,
  skills: async () => (await import('./skills')).skillsLab,
  window: async () => (await import('./window')).windowCommand,
  perf: async () => (await import('./perf')).perf,
  fuzz: async () => {
    const { fuzzCommand } = await import('../fuzz/run')
    return (args, _input, print) => fuzzCommand(args, print)
  },
}

async function main(args: readonly string[]): Promise<number> {
  const [name = '', ...rest] = args
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!load) return complain(2, `no such command: ${name}`)
  try {
    const command = await load()
    await command(rest, standardInput, (line) => void process.stdout.write(`${JSON.stringify(line)}\n`))
    return 0
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error)
    return complain(error instanceof Error && error.name === 'LabUsage' ? 2 : 1, sentence)
  }
}

function complain(code: number, sentence: string): number {
  process.stderr.write(`${sentence.split('\n').join(' ')}\n`)
  return code
}

const code = await main(process.argv.slice(2))
process.stdout.write('', () => process.exit(code))
