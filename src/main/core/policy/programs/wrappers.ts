import { plainArg, plainStream, type Arg, type Call, type Judge, type Outcome, type ProgramTable } from '../shell/call'
import { ANY, hasMark, UNKNOWN } from '../shell/marks'
import { allow, ask, join, nothing } from '../shell/outcomes'
import { resolvePath } from '../shell/paths'
import { touch } from '../shell/places'
import { judgeVariable } from '../shell/environment'
import { judgeOptions, hasOption, optionTable, readOptions, valueOf, type Given } from './options'

/** A wrapper that only runs what follows its own options; rules look through it. */
function through(options: string, skip = 0): Judge {
  const table = optionTable(options)
  return (call) => {
    const given = readOptions(call.args, table, { stopsAtOperand: true })
    const inner = given.operands.slice(skip)
    const own = judgeOptions(call, given)
    if (inner.length === 0) return join(allow('guard.reads'), own)
    const ran = call.runArgs(inner)
    return own === nothing ? ran : join(own, ran)
  }
}

/** A wrapper that asks by itself, whatever it runs; denied inner commands stay denied. */
function asking(options: string, code: 'guard.privilege' | 'guard.runs-many', skip = 0): Judge {
  const table = optionTable(options)
  return (call) => {
    const given = readOptions(call.args, table, { stopsAtOperand: true })
    const inner = given.operands.slice(skip).filter((arg, at, all) => !(/^\w+=/u.test(arg.text) && all.slice(0, at).every((each) => /^\w+=/u.test(each.text))))
    const asks = code === 'guard.privilege' ? ask(code, { program: call.program }) : ask(code, { program: call.program })
    const typed = inner.length === 0 && call.stdin.text !== null ? call.runText(call.stdin.text) : nothing
    return inner.length === 0 ? join(asks, judgeOptions(call, given), typed) : join(asks, judgeOptions(call, given), call.runArgs(inner, { fit: 'wrapped' }))
  }
}

const runuserOptions = optionTable('-flmpP -c= -g= -G= -s= -u= -w= --login --command= --group= --shell= --user= --preserve-environment --pty --supp-group= --whitelist-environment=')

/** `su user -c text`; `runuser -u user command` runs its words. */
function su(call: Call): Outcome {
  const given = readOptions(call.args, runuserOptions, { stopsAtOperand: true })
  if (call.program === 'runuser' && hasOption(given, '-u', '--user') && given.operands.length > 0) return join(ask('guard.privilege', { program: call.program }), call.runArgs(given.operands, { fit: 'wrapped' }))
  const at = call.args.findIndex((arg) => arg.text === '-c' || arg.text === '--command')
  const glued = call.args.find((arg) => arg.text.startsWith('--command='))
  const text = glued ? glued.text.slice('--command='.length) : at >= 0 ? call.args[at + 1]?.text : undefined
  return join(ask('guard.privilege', { program: call.program }), text === undefined ? (call.stdin.text === null ? nothing : call.runText(call.stdin.text)) : call.runText(text))
}

const envOptions = optionTable('-i0v -u= -C=d -S= -P=! -a=! --ignore-environment --null --unset= --chdir=d --split-string= --debug --argv0=! --block-signal?! --default-signal?! --ignore-signal?!')

/** `env`: without a command it prints the environment; `-S` splits a text into a command. */
function env(call: Call): Outcome {
  // What `-S` splits stands in front of all words behind it, also those that look like options.
  const splitAt = call.args.findIndex((arg) => /^-[i0v]*S|^--split-string/u.test(arg.text))
  const splitEnd = splitAt < 0 ? call.args.length : splitAt + (/^-[i0v]*S$|^--split-string$/u.test(call.args[splitAt]?.text ?? '') ? 2 : 1)
  const given = readOptions(call.args.slice(0, splitEnd), envOptions, { stopsAtOperand: true })
  const split = valueOf(given, '-S', '--split-string')
  const firstCommand = given.operands.findIndex((arg) => !/^[A-Za-z_]\w*=/u.test(arg.text))
  const assignments = firstCommand < 0 ? given.operands : given.operands.slice(0, firstCommand)
  const inner = firstCommand < 0 ? [] : given.operands.slice(firstCommand)
  const variables = assignments.map((arg) => {
    const equals = arg.text.indexOf('=')
    return judgeVariable(call, arg.text.slice(0, equals), { ...arg, text: arg.text.slice(equals + 1), shown: arg.shown.slice(equals + 1) })
  })
  const own = join(judgeOptions(call, given), ...variables.filter((found) => found.kind !== 'allowable'))
  if (split) return join(ask('guard.option-runs', { program: 'env', option: '-S' }), own, call.runText([split.text, ...call.args.slice(splitEnd).map((arg) => `'${arg.text.replaceAll("'", "'\\''")}'`)].join(' ')))
  if (inner.length === 0) return secretDump(own)
  const isMoved = hasOption(given, '-C', '--chdir')
  const folder = valueOf(given, '-C', '--chdir')
  const ran = call.runArgs(inner, { fit: assignments.length > 0 || isMoved ? 'environment' : 'plain', ...(isMoved ? { state: { ...call.state, cwds: folder && !hasMark(folder.text) ? resolvePath(folder.text, call.state.cwds) : [] } } : {}) })
  return own === nothing ? ran : join(own, ran)
}

function secretDump(own: Outcome): Outcome {
  const found = join(ask('guard.environment-dump'), own)
  return { ...found, output: { ...found.output, isSecret: true } }
}

const printenv: Judge = (call) => {
  const names = call.args.filter((arg) => !arg.text.startsWith('-'))
  const isPlain = names.length > 0 && names.every((arg) => /^(?:HOME|PWD|PATH|USER|LOGNAME|SHELL|LANG|LC_\w+|TERM|TZ|NODE_ENV|CI|EDITOR|HOSTNAME|OSTYPE)$/u.test(arg.text))
  return isPlain ? allow('guard.reads') : secretDump(nothing)
}

const xargsOptions = optionTable(`-0optrx -a=r -d= -E= -e? -I= -i? -J= -L= -l? -n= -P= -R= -S= -s= --null --arg-file=r --delimiter= --eof? --replace? --max-lines? --max-args=
  --max-procs= --interactive --no-run-if-empty --max-chars= --show-limits --verbose --exit --open-tty --process-slot-var=`)

/**
 * `xargs`: the words it adds come from its input; known ones are put in, names of project files stand for project files.
 * Names that a search or git listed are some of them: deleting those is a question, unless a single one is too much already.
 */
function xargs(call: Call): Outcome {
  const found = runsOver(call)
  if (found.kind !== 'deny' || !call.stdin.paths.includes(`./${ANY}`)) return found
  const some = runsOver({ ...call, stdin: { ...call.stdin, paths: call.stdin.paths.map((path) => (path === `./${ANY}` ? `./x${ANY}` : path)) } })
  return some.kind === 'ask' ? some : found
}

function runsOver(call: Call): Outcome {
  const given = readOptions(call.args, xargsOptions, { stopsAtOperand: true })
  const place = valueOf(given, '-I', '-J')?.text ?? (hasOption(given, '-i', '--replace') ? (valueOf(given, '-i', '--replace')?.text ?? '{}') : null)
  const words = given.operands.length > 0 ? given.operands : [plainArg('echo')]
  const items = itemsOf(call, given, place !== null)
  // With a count each few words make a command of their own: then every word counts alone too.
  const alone = hasOption(given, '-n', '-L', '-l', '--max-args', '--max-lines') ? items.map((item) => [...words, item]) : []
  const filled = place === null ? [[...words, ...items], ...alone] : items.map((item) => words.map((word) => ({ ...word, text: word.text.replaceAll(place, item.text), shown: word.shown })))
  const ran = filled.slice(0, 32).map((each) => call.runArgs(each, { fit: 'wrapped' }))
  return join(judgeOptions(call, given), ...(filled.length > 32 ? [ask('guard.runs-many', { program: 'xargs' })] : []), ...ran)
}

/** The words that are added, as `xargs` cuts its input: at blanks and quotes, at lines, or at the mark that it is told. */
function itemsOf(call: Call, given: Given, isByLine: boolean): readonly Arg[] {
  const file = valueOf(given, '-a', '--arg-file')
  const stdin = file === null ? call.stdin : (file.stream ?? { ...plainStream, isSecret: file.isSecret, isRemote: file.isRemote })
  const mark = hasOption(given, '-0', '--null') ? '\0' : (valueOf(given, '-d', '--delimiter')?.text ?? null)
  if (stdin.text !== null) return cutItems(stdin.text, mark, isByLine).filter((item) => item !== '').map(plainArg)
  const texts = stdin.paths.length > 0 ? stdin.paths : [UNKNOWN]
  return texts.map((text) => ({ text, shown: '…', isSecret: stdin.isSecret, isRemote: stdin.isRemote, stream: null }))
}

function cutItems(text: string, mark: string | null, isByLine: boolean): readonly string[] {
  if (mark !== null) return text.split(mark === '\\n' ? '\n' : mark === '\\0' ? '\0' : mark === '\\t' ? '\t' : mark)
  if (isByLine) return text.split('\n').map((line) => line.trimStart().replace(/^(["'])(.*)\1$/u, '$2'))
  return [...text.matchAll(/(?:"[^"\n]*"|'[^'\n]*'|\\[\s\S]|[^\s"'\\])+/gu)].map(([item]) => item.replace(/"([^"\n]*)"|'([^'\n]*)'|\\([\s\S])/gu, (_, a?: string, b?: string, c?: string) => a ?? b ?? c ?? ''))
}

const watchOptions = optionTable('-bcdegptwx -n= -q= -s= --beep --color --differences? --errexit --chgexit --interval= --precise --no-title --exec --no-wrap --equexit=')

/** `watch` hands its words to `sh -c`. */
function watch(call: Call): Outcome {
  const given = readOptions(call.args, watchOptions, { stopsAtOperand: true })
  if (given.operands.length === 0) return ask('guard.unknown-name')
  const ran = hasOption(given, '-x', '--exec') ? call.runArgs(given.operands, { fit: 'wrapped' }) : call.runText(given.operands.map((arg) => arg.text).join(' '))
  return join(judgeOptions(call, given), ran)
}

/** `flock FILE command`, `flock FILE -c text`. */
function flock(call: Call): Outcome {
  const given = readOptions(call.args, optionTable('-enosuxF -w= -E= --exclusive --nonblock --shared --unlock --wait= --timeout= --close --conflict-exit-code= --verbose --no-fork'), { stopsAtOperand: true })
  const [file, next, ...rest] = given.operands
  const lock = file && !/^\d+$/u.test(file.text) ? touch(call, file, 'write') : nothing
  if (!next) return join(allow('guard.steers'), lock)
  const ran = next.text === '-c' || next.text === '--command' ? call.runText(rest[0]?.text ?? '') : call.runArgs([next, ...rest], { fit: 'wrapped' })
  return join(judgeOptions(call, given), lock, ran)
}

/** `script -c text FILE` records a session. */
function script(call: Call): Outcome {
  const given = readOptions(call.args, optionTable('-aefqr -c= -E= -I=w -O=w -B=w -o= -t? -T=w --append --command= --return --flush --quiet --log-out=w --log-in=w --log-io=w --timing?'), {})
  const text = valueOf(given, '-c', '--command')
  return join(text ? call.runText(text.text) : ask('guard.shell-input', { program: 'script' }), judgeOptions(call, given), ...given.operands.slice(0, 1).map((arg) => touch(call, arg, 'write')))
}

/** `parallel`, `entr`: they run commands with words that are not known here. */
function many(call: Call): Outcome {
  const words = call.args.filter((arg) => !arg.text.startsWith('-'))
  const at = words.findIndex((arg) => /^:{3,4}\+?$/u.test(arg.text))
  const command = at < 0 ? words : words.slice(0, at)
  // Without values of its own it takes the lines of its input.
  const values = at >= 0 ? words.slice(at + 1) : command.length > 0 ? cutItems(call.stdin.text ?? '', '\\n', true).filter((line) => line !== '').map(plainArg) : []
  const asks = ask('guard.runs-many', { program: call.program })
  if (command.length === 0 && values.length === 0 && call.stdin.text !== null) return join(asks, call.runText(call.stdin.text))
  if (command.length === 0) return join(asks, ...values.slice(0, 16).map((value) => call.runText(value.text)))
  const has = command.some((arg) => /\{[.#/%]*\}/u.test(arg.text))
  const rounds = values.length > 0 ? values.slice(0, 16) : [null]
  const texts = rounds.map((value) => command.map((arg) => arg.text.replace(/\{[.#/%]*\}/gu, value?.text ?? UNKNOWN)).join(' ') + (has || value === null ? '' : ` ${value.text}`))
  return join(asks, ...texts.map((text) => call.runText(text)))
}

/** `busybox rm …`: the first word names the program. */
const box: Judge = (call) => (call.args.length === 0 || call.args[0]?.text.startsWith('-') ? allow('guard.reads') : call.runArgs(call.args, { fit: 'wrapped' }))

/** `doas`, `sudo` with their options. */
const sudoOptions = `-AbEeHikKlnNPsSvVB -a= -c= -C= -D= -g= -h= -p= -R= -r= -t= -T= -U= -u= --askpass --background --preserve-env? --edit --set-home --login
  --non-interactive --shell --stdin --user= --group= --chdir= --prompt= --list --validate --reset-timestamp`

/** Programs that run other programs. */
export const wrapperPrograms: ProgramTable = {
  env, printenv, xargs, gxargs: xargs, watch, flock, script, parallel: many, entr: many, busybox: box, toybox: box,
  time: through('-apqv -f= -o=w --append --format= --output=w --portability --verbose'), nohup: through(''), nice: through('-0 -n= --adjustment='),
  ionice: through('-t -c= -n= -p! --class= --classdata='), timeout: through('-fpv -k= -s= --foreground --kill-after= --preserve-status --signal= --verbose', 1),
  gtimeout: through('-fpv -k= -s=', 1),
  stdbuf: through('-i= -o= -e= --input= --output= --error='), unbuffer: through('-p'), setsid: through('-cfw --ctty --fork --wait'),
  chrt: through('-abfiorvm -T= -P= -D=', 1), taskset: through('-ac', 1), caffeinate: through('-dimsu -t= -w='), catchsegv: through(''),
  setarch: through('-vRBFILSTXZ3', 1), linux64: through(''), 'dbus-run-session': through(''),
  'xvfb-run': through('-al -e=w -f= -n= -p= -s= -w= --auto-servernum --server-args= --error-file=w --server-num= --wait='), firejail: asking('', 'guard.privilege'),
  bwrap: asking('', 'guard.privilege'), dotenv: through('-c -e=r -o', 0), 'cross-env': crossEnv,
  'cross-env-shell': (call) => call.runText(call.args.map((arg) => arg.text).join(' ')),
  sudo: asking(sudoOptions, 'guard.privilege'), doas: asking('-Lns -a= -C= -u=', 'guard.privilege'), su, runuser: su,
  pkexec: asking('--user= --disable-internal-agent --keep-cwd', 'guard.privilege'), gksudo: asking('', 'guard.privilege'), kdesudo: asking('', 'guard.privilege'),
  sudoedit: asking('', 'guard.privilege'), run0: asking('', 'guard.privilege'), please: asking('', 'guard.privilege'),
  chroot: asking('--userspec= --groups= --skip-chdir', 'guard.privilege', 1),
  unshare: asking('-cCfimnpruUT --map-root-user --fork --pid --mount --net --user --ipc --uts', 'guard.privilege'),
  nsenter: asking('-aCiFmnprUuTZ -t= -S= -G= --target= --mount --uts --ipc --net --pid --all', 'guard.privilege'), setpriv: asking('', 'guard.privilege'),
  capsh: asking('', 'guard.privilege'), runcon: asking('', 'guard.privilege', 1), newgrp: asking('', 'guard.privilege'), sg: su, fakeroot: through(''),
  faketime: through('', 1), rlwrap: through('-a?'), socksify: asking('', 'guard.runs-many'), proxychains: asking('', 'guard.runs-many'),
  proxychains4: asking('', 'guard.runs-many'), torsocks: asking('', 'guard.runs-many'),
}

/** `cross-env A=b command`. */
function crossEnv(call: Call): Outcome {
  return env({ ...call, program: 'env', args: call.args.filter((arg) => !hasMark(arg.text) || !arg.text.startsWith('-')) })
}
