import type { Arg, Call, Judge, Outcome, ProgramTable } from '../shell/call'
import { ask, deny, isDenied, join, nothing } from '../shell/outcomes'
import { wordSet } from '../shell/alternatives'

const byNameAlone: ReadonlySet<string> = new Set(['guard.power', 'guard.schedules', 'guard.accounts', 'guard.kernel', 'guard.key-store', 'guard.formats-disk'])
/** Programs that do start what follows their options. */
const surely = /^(?:strace|ltrace|perf|reptyr|tmux|screen|dtach|abduco|systemd-run|systemd-nspawn|cgexec|numactl|prlimit|chpst|softlimit|daemonize|start-stop-daemon|daemon|direnv|hyperfine|watchexec)$/u

/** No more words of a command line are tried as the beginning of another. */
const mostTries = 8

/**
 * What the words of a call amount to when it runs them: for programs that are known, or may be, to run another command of
 * the words that follow. Only denials count; whether the program runs them at all is not known.
 */
export function deniedInside(call: Call): Outcome {
  const begins = call.args.map((_, at) => at).filter((at) => isCommandWord(call.args[at]) && at + 1 < call.args.length).slice(0, mostTries)
  const ran = begins.map((at) => ({ first: call.args[at]?.text ?? '', found: call.runArgs(call.args.slice(at), { fit: 'wrapped' }), isStart: surely.test(call.program) || call.args[at - 1]?.text === '--' }))
  return join(...ran.filter(({ found, isStart, first }) => (isStart ? isDenied(found) : doesHarm(found, first))).map(({ found }) => found).slice(0, 1))
}

/** A mere name such as `batch` or `pass` may be anything in the words of a program that is not known; what is done to a place is told by the place. */
function doesHarm(found: Outcome, first: string): boolean {
  return found.parts.some((part) => part.verdict === 'deny' && (!byNameAlone.has(part.reason.code) || part.words[0] !== first))
}

/** The same for programs that take a whole command as one word: `tmux new -d 'rm -rf ~'`. */
function deniedTexts(call: Call): Outcome {
  const texts = call.args.map((arg) => arg.text.replace(/^--?[\w-]+=/u, '').replace(/^\s*(?:shell|!|run-shell|send-keys)\s*/u, '')).filter((text) => /\S\s+\S/u.test(text)).slice(0, mostTries)
  return join(...texts.map((text) => call.runText(text)).filter(isDenied).slice(0, 1))
}

function isCommandWord(arg: Arg | undefined): boolean {
  return arg !== undefined && /^[\w./]/u.test(arg.text) && !/[\s=:]/u.test(arg.text)
}

/** Lines of the input, or words, that begin with `!` go to a shell. */
export function deniedLines(call: Call): Outcome {
  const lines = [call.stdin.text ?? '', ...call.args.map((arg) => arg.text)].flatMap((text) => text.split('\n')).filter((line) => /^\s*!/u.test(line))
  return join(...lines.slice(0, 16).map((line) => call.runText(line.replace(/^\s*!+/u, ''))).filter(isDenied))
}

/** Programs that watch, keep or start another one: they ask, and are denied where the other is. */
const runsOthers: Judge = (call) => join(ask('guard.privilege', { program: call.program }), deniedInside(call), deniedTexts(call))

/** Programs that start commands of a project. */
const startsOthers: Judge = (call) => join(ask('guard.runs-many', { program: call.program }), deniedInside(call), deniedTexts(call))

/** `systemd-run` with a time or an event is a schedule; else it starts a command outside of what the app can end. */
const systemdRun: Judge = (call) => {
  const isLater = call.args.some((arg) => /^--(?:on-|timer-property|path-property|socket-property)/u.test(arg.text))
  return join(isLater ? deny('guard.schedules', { program: 'systemd-run' }) : nothing, runsOthers(call))
}

/** Programs that run other programs in a way of their own. */
export const tracingPrograms: ProgramTable = {
  ...Object.fromEntries([...wordSet('strace ltrace gdb lldb perf dtrace bpftrace reptyr tmux screen dtach abduco zellij systemd-nspawn machinectl nix-shell nix guix lxc lxc-attach incus cgexec numactl prlimit chpst softlimit daemonize start-stop-daemon daemon supervise')].map((name) => [name, runsOthers])),
  ...Object.fromEntries([...wordSet('direnv foreman overmind honcho procfile pm2 forever chokidar watchexec reflex hivemind mprocs npm-run-all run-p run-s hyperfine asdf mise nvm rbenv pyenv volta fnm')].map((name) => [name, startsOthers])),
  'systemd-run': systemdRun,
}
