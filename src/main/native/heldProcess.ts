import { spawn, type ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { makeProcessTree, markVariable, type ProcessTree } from './processTree'
import { findProgram, type Isolation } from './processTreeIsolation'
import { programFolders } from './searchPath'

/** A program to hold: no shell reads its words. */
export interface HeldStart {
  /** Absolute path of the program. */
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  /** The whole environment; where there is no namespace, `markVariable` is added. */
  readonly env: Readonly<Record<string, string>>
  /** Absolute path of bash. */
  readonly bash: string
  readonly isolation: Isolation
  readonly mark: string
}

/** A running program over pipes. */
export interface HeldProcess {
  readonly child: ChildProcess
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** All that it started. The process that holds it counts as one of them where there is no namespace. */
  readonly tree: ProcessTree
}

/** Variables that bash sets for what it starts, whatever it was given. */
const bashVariables = ['_', 'SHLVL', 'PWD', 'OLDPWD']

/**
 * The small first process of a program over pipes, in bash as for commands. In a PID namespace it is process 1. Descriptor 3 is
 * a life line: nothing is ever written to it, and it closes when the app is gone, however that came. The program's own exit
 * status is the exit status.
 *
 * Arguments: the program and its arguments.
 */
const script = [
  // Terminals of commands, which the terminal library lets every child inherit.
  'for f in /dev/fd/*; do',
  '  f=${f##*/}',
  '  case $f in [0-3]|*[!0-9]*) ;; *) eval "exec $f>&-" ;; esac',
  'done',
  // Caught and not ignored, so that the program starts with the defaults; it is to end first, and this process after it.
  'trap : HUP INT QUIT TERM',
  // The whole process group, in which the launcher of the namespace is too.
  `{ trap '' HUP INT QUIT TERM; read -r -u 3; kill -KILL 0; } </dev/null >/dev/null 2>&1 &`,
  'watch=$!',
  // The remark of a shell about a killed child is not output of the program.
  'exec 3<&- 8>&2 2>/dev/null',
  // One process more in between: programs take parent number 1 for a sign that they were left behind, and end.
  '( trap : HUP INT QUIT TERM; "$@" 2>&8 8>&-; exit $? )',
  's=$?',
  'kill -KILL "$watch"',
  'exit "$s"',
].join('\n')

/**
 * Starts a program that cannot outlive the app, with everything it starts; a process without a namespace that leaves its
 * process group is only found by the next start of the app.
 *
 * Throws where the words cannot be given to a program (a zero byte, too long); that the system cannot start it comes as the
 * `error` event of the child.
 */
export function startHeld(start: HeldStart): HeldProcess {
  const env = findProgram('env', programFolders)
  const unset = env === null ? [] : [env, ...bashVariables.filter((name) => !(name in start.env)).flatMap((name) => ['-u', name])]
  const line = [...(start.isolation.kind === 'namespace' ? start.isolation.launcher : []), start.bash, '--noprofile', '--norc', '-p', '-c', script, 'held', ...unset, start.file, ...start.args]
  const child = spawn(line[0] ?? start.bash, line.slice(1), {
    cwd: start.cwd,
    env: { ...start.env, ...(start.isolation.kind === 'mark' ? { [markVariable]: start.mark } : {}) },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    // A session and a group of its own: the life line ends the whole group.
    detached: true,
  })
  const [stdin, stdout, stderr] = child.stdio
  const lifeLine = child.stdio[3]
  // An end that breaks is seen by the end of the process.
  for (const stream of [...child.stdio]) stream?.on('error', () => {})
  lifeLine?.on('close', () => {})
  if (!stdin || !stdout || !stderr) throw new Error('a process without pipes')
  // Number 0 never is a process of ours, and has no tree.
  const tree = makeProcessTree({ leader: child.pid ?? noProcess, isolation: start.isolation, mark: start.mark, terminal: () => null })
  return { child, stdin, stdout, stderr, tree }
}

/** Larger than any process number: what was not started has no members, and signals reach nobody. */
const noProcess = 2 ** 30
