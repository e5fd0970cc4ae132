/** The command line in a few lines; docs/COMMANDS.md says all of it. */
const usages = {
  run: [
    'run --project DIR --prompt TEXT [--ask all|writes|commands|read-only] [--approvals FILE]',
    '    [--model PROVIDER/MODEL] [--base-url URL] [--session ID] [--max-steps N] [--trust]',
    '    [--attach PATH]...',
    '    One turn of the agent. Without approvals, what asks is denied.',
  ],
  snapshot: [
    'snapshot take|list|stats --project DIR',
    'snapshot plan|restore --project DIR --to ID [--path P] [--keep-user-edits yes|no]',
    'snapshot undo --project DIR --at UNDOID',
    'snapshot diff --project DIR --at ID [--to ID]',
    '    The files at earlier moments, and the way back to them.',
  ],
  memory: [
    'memory list --project DIR',
    'memory search --project DIR --query TEXT',
    'memory add --project DIR --text TEXT [--scope project|general]',
    'memory remove --project DIR --id ID',
    'memory import --project DIR --file FILE [--scope project|general]',
    'memory export --project DIR --file FILE.json|FILE.md',
    '    What is remembered for a project and for all of them.',
  ],
  mcp: [
    'mcp list --config FILE [--model PROVIDER/MODEL]',
    'mcp call --config FILE --server NAME --tool NAME [--args JSON]',
    '    The servers of one mcp.json, started for this command only.',
  ],
  audit: [
    'audit verify [--file FILE]',
    'audit export --file FILE [--session ID] [--since DAY] [--until DAY]',
    '    The record of who allowed what; a part of it vouches for itself alone.',
  ],
  doctor: [
    'doctor',
    '    What the app stands on, and what to do where something is missing.',
  ],
} as const

type CommandName = keyof typeof usages

const head = 'Usage: countersign COMMAND [options] [--data DIR]'
const foot = [
  'Every command takes --data DIR for the folder that holds all state (else COUNTERSIGN_DATA_DIR, else the usual place).',
  'Results are JSON lines on stdout, words go to stderr. Exit code 0: done; 1: a fault; 2: wrong usage.',
  'countersign help COMMAND shows one command. docs/COMMANDS.md has every option.',
]

/** How one command is used, or all of them. */
export function usageOf(name?: string): string {
  const shown = name !== undefined && Object.hasOwn(usages, name) ? [usages[name as CommandName]] : Object.values(usages)
  return [head, ...shown.flatMap((lines) => ['', ...lines.map((line) => `  ${line}`)]), '', ...foot, ''].join('\n')
}

/** What a command line asks to be told: everything, one command, or nothing. Behind `--` nothing is a wish for help. */
export function helpWanted(args: readonly string[]): { readonly of: string | undefined } | null {
  const [first, second] = args
  if (first === 'help') return { of: second?.startsWith('-') ? undefined : second }
  const own = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length)
  if (first === '--help' || first === '-h') return { of: undefined }
  return own.at(-1) === '--help' || own.at(-1) === '-h' || second === '--help' || second === '-h' ? { of: first } : null
}
