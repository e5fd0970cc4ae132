/**
 * The small first process of a command, in bash, since bash is what runs commands anyway and nothing else is sure to be on a
 * machine. In a PID namespace it is process 1. It runs the command in the foreground of the terminal, says in the terminal's
 * own stream when it ended and with which status, and then stays: programs left running keep their terminal and their
 * namespace, dead ones are waited for. It ends only when it is killed, so that nothing it wrote can be lost.
 *
 * Arguments: the command, the end mark's word, the judged folder.
 */
const script = [
  // Where the app died before the launcher had bound us to its life, the terminal is closed by now.
  '[ -t 0 ] || exit',
  // Keys like ^C are for the command. Caught and not ignored, so that the command starts with the defaults. Not HUP: when the
  // app dies its terminals close, and then this process has to go.
  'trap : INT QUIT TERM USR1 USR2',
  // Terminals of other commands, which the terminal library lets every child inherit.
  'for f in /proc/$$/fd/*; do',
  '  f=${f##*/}',
  '  case $f in [0-2]|*[!0-9]*) ;; *) eval "exec $f>&-" ;; esac',
  'done',
  // A pipe that nothing is ever written to, for waiting on.
  'exec 9<> <(:)',
  // The remark of a shell about a killed child is not output of the command.
  // A folder swapped for a link after it was judged: where this process really is, nobody can swap any more (R65).
  'cd -P . 2>/dev/null || PWD=',
  'unset OLDPWD',
  'if [ "$PWD" = "$3" ]; then',
  '  { "$BASH" --noprofile --norc -c -- "$1" bash 2>&8 8>&- 9>&-; } 8>&2 2>/dev/null',
  '  s=$?',
  'else',
  "  printf 'bash: %s: not the folder that was judged any more\\n' \"$3\"",
  '  s=126',
  'fi',
  // The command may have left the terminal to a group that is gone; the mark must come out all the same.
  "trap '' TTOU",
  'p=(/proc/[0-9]*)',
  "printf '\\033_%s;%d;%d\\033\\\\' \"$2\" \"$s\" \"${#p[@]}\"",
  'cd /',
  // Between two reads bash waits for dead children, also for those it did not start.
  'while :; do read -r -t 1 -u 9; done',
].join('\n')

/** Arguments for bash that make it the reaper of one command. The command is one argument, byte for byte; `folder` a real path. */
export function reaperArguments(command: string, word: string, folder: string): readonly string[] {
  return ['--noprofile', '--norc', '-c', script, 'reaper', command, word, folder]
}

/** A command line as a person knows it: the shell that runs a command is shown as the command itself. */
export function shownCommand(commandLine: string): string {
  return /^\S*bash --noprofile --norc -c -- (.*) bash$/s.exec(commandLine)?.[1] ?? commandLine
}

/** What the reaper says when the command has ended: its exit status, and how many processes its namespace holds with itself. */
export interface EndMark {
  readonly status: number
  readonly processes: number
}

/** What a piece of terminal output holds: the command's own bytes, and the mark when it has ended. */
export interface ScannedOutput {
  readonly output: Buffer
  readonly end: EndMark | null
}

/**
 * Finds the reaper's end mark in the bytes of the terminal. Everything the command wrote lies before it, however the stream
 * is cut, so no output is lost and no time is waited. Bytes that may be the mark's beginning are held back until more comes.
 */
export function makeEndMarkScanner(word: string): { push(bytes: Buffer): ScannedOutput; rest(): Buffer } {
  const opening = Buffer.from(`\x1b_${word};`, 'latin1')
  let held: Buffer = Buffer.alloc(0)
  const hold = (bytes: Buffer, from: number): ScannedOutput => {
    held = Buffer.from(bytes.subarray(from))
    return { output: bytes.subarray(0, from), end: null }
  }
  return {
    push(piece) {
      const bytes = held.length === 0 ? piece : Buffer.concat([held, piece])
      held = Buffer.alloc(0)
      const at = bytes.indexOf(opening)
      if (at === -1) return hold(bytes, possibleStart(bytes, opening))
      const close = bytes.indexOf('\x1b\\', at + opening.length, 'latin1')
      if (close === -1) return hold(bytes, at)
      const [status, processes] = bytes.toString('latin1', at + opening.length, close).split(';').map(Number)
      return { output: bytes.subarray(0, at), end: { status: status ?? 0, processes: processes ?? 1 } }
    },
    rest: () => held,
  }
}

/** Where a beginning of `opening` stands at the end of `bytes`; their length when none does. */
function possibleStart(bytes: Buffer, opening: Buffer): number {
  const from = Math.max(0, bytes.length - opening.length + 1)
  for (let at = bytes.indexOf(0x1b, from); at !== -1; at = bytes.indexOf(0x1b, at + 1)) {
    if (opening.subarray(0, bytes.length - at).equals(bytes.subarray(at))) return at
  }
  return bytes.length
}
