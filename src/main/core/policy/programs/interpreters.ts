import { plainArg, type Arg, type Call, type Judge, type Outcome, type ProgramTable } from '../shell/call'
import { hasMark } from '../shell/marks'
import { oneOf } from '../shell/alternatives'
import { allow, ask, deny, isDenied, join, nothing, withOutput } from '../shell/outcomes'
import { resolvePath } from '../shell/paths'
import { forbiddenReads, touch } from '../shell/places'
import { judgeInlineCode, printedText } from './inlineCode'
import { readsDatabase } from './remoteReads'
import { writtenTexts } from './shells'
import { deniedLines } from './traced'

interface Interpreter {
  /** Options whose next word is code. */
  readonly code: RegExp
  /** Options whose next word is a value. */
  readonly values: RegExp
  /** Flags that change nothing that matters. */
  readonly flags: RegExp
  /** Modules that may run by name, with `-m` or as the first operand. */
  readonly modules?: RegExp
  /** Sub-commands that build or test. */
  readonly commands?: RegExp
  /** Options whose next word is code of a file that is loaded first. */
  readonly loads?: RegExp
  /** What `-d` may set. */
  readonly settings?: RegExp
  /** Words behind the code are files that it works on, in place with `-i`. */
  readonly filesFollow?: boolean
}

const pythonModules = /^(?:pytest|unittest|doctest|mypy|black|ruff|flake8|isort|pylint|coverage|tox|nox|compileall|py_compile|json\.tool|build|pip_audit|bandit|pyright|this|tabnanny|tokenize)$/u

const python: Interpreter = { code: /^-\w*c$/u, values: /^(?:-W|-X|--check-hash-based-pycs)$/u, flags: /^-[bBdEiIOPqRsSuvx3]+$|^-(?:W|X).+$/u, modules: pythonModules }
const node: Interpreter = {
  code: /^(?:-[ep]|-pe|--eval|--print)$/u,
  loads: /^(?:-r|--require|--import|--loader|--experimental-loader)$/u,
  values: /^(?:--test-name-pattern|--test-reporter|--stack-trace-limit|--max-old-space-size|--conditions|-C)$/u,
  flags: oneOf(String.raw`
    --(?:test|test-only|watch|check|no-warnings|trace-warnings|trace-uncaught|trace-deprecation|enable-source-maps|expose-gc|harmony|no-deprecation|preserve-symlinks)
    --experimental-(?!loader|config|sea|default-config|policy)[\w-]+ --max-old-space-size=\d+ --test-reporter=\w+ --test-name-pattern=.* --test-concurrency=\d+ --test-coverage.* --unhandled-rejections=\w+
    --stack-trace-limit=\d+ --disable-warning=.* -c
  `),
}
const perl: Interpreter = { code: /^-\w*[eE]$/u, values: /^(?:-I)$/u, flags: /^-[wWcTtuUXsnpla0i]+(?:\.\w+)?$/u, filesFollow: true }
const ruby: Interpreter = { code: /^-\w*e$/u, filesFollow: true, values: /^(?:-I|-C)$/u, flags: /^-[wWcdlvnpai]+$|^--(?:disable|enable|yjit).*$/u, modules: /^$/u }
const php: Interpreter = { code: /^-[rBRE]$/u, values: /^-[tS]$/u, flags: /^-[lnqs]+$/u, commands: /^$/u, settings: /^-?d?(?:memory_limit|display_errors|display_startup_errors|error_reporting|log_errors|max_execution_time|xdebug\.\w+|zend\.assertions|assert\.\w+|date\.timezone|short_open_tag|pcov\.\w+|opcache\.enable(?:_cli)?|html_errors)(?:=[^/]*)?$/u }
const lua: Interpreter = { code: /^-e$/u, values: /^$/u, flags: /^-[iWE]+$/u }
const deno: Interpreter = { code: /^eval$/u, values: /^(?:-c|--config|--import-map|--lock)$/u, flags: /^--(?:quiet|no-lock|frozen|check|no-check|unstable[\w-]*|cached-only)$|^-q$/u, commands: /^(?:test|lint|fmt|check|bench|doc|info|types|coverage|task)$/u }
const runner: Interpreter = { code: /^(?:-[ep]|--eval|--print|-pe)$/u, values: /^(?:--tsconfig|-P|--project|-O)$/u, flags: /^--(?:transpile-only|files|esm|swc|type-check|no-cache|no-warnings)$|^-T$/u }
const rscript: Interpreter = { code: /^-e$/u, values: /^$/u, flags: /^--(?:vanilla|no-save|slave|quiet)$/u }

/** An interpreter: a script of the project may be allowed, code in the command and unseen input ask. */
function interpreter(kind: Interpreter): Judge {
  return (call) => {
    let code: Arg | null = null
    let found = nothing
    for (let at = 0; at < call.args.length; at++) {
      const arg = call.args[at]
      if (!arg) continue
      const glued = /^--(?:eval|print)=|^-[ceEr](?=[^\w-]|.{3})/u.exec(arg.text)
      if (kind.code.test(arg.text)) return join(found, inline(call, call.args[at + 1] ?? null), kind.filesFollow ? filesBehind(call, at + 2) : nothing)
      if (glued && kind.code.test(glued[0].replace('=', ''))) return join(found, inline(call, { ...arg, text: arg.text.slice(glued[0].length) }))
      if (/^-(?:V|v|version)$|^--version$/u.test(arg.text) && call.args.length === 1) return allow('guard.reads')
      if (arg.text === '-m' && kind.modules) return join(found, module(call, kind.modules, call.args.slice(at + 1)))
      if (kind.flags.test(arg.text)) continue
      if (kind.settings && /^-d/u.test(arg.text) && kind.settings.test(arg.text === '-d' ? (call.args[at + 1]?.text ?? '') : arg.text)) {
        if (arg.text === '-d') at++
        continue
      }
      if (kind.values.test(arg.text)) {
        const value = call.args[at + 1]
        if (value && /^[~/.]/u.test(value.text)) found = join(found, ...[touch(call, value, 'read')].filter(isDenied))
        at++
        continue
      }
      if (kind.loads?.test(arg.text)) {
        found = join(found, ask('guard.option', { program: call.program, option: arg.shown }))
        at++
        continue
      }
      if (arg.text.startsWith('-') && arg.text !== '-') {
        found = join(found, ask('guard.unknown-option', { program: call.program, option: arg.shown }))
        continue
      }
      if ((call.program === 'deno' && arg.text === 'run') || (call.program === 'tsx' && arg.text === 'watch')) continue
      code = arg
      break
    }
    if (code && call.program === 'deno' && /^[a-z]+$/u.test(code.text) && !kind.commands?.test(code.text)) return join(found, ask('guard.tool-command', { program: 'deno', command: code.text }))
    if (code && kind.commands?.test(code.text)) return join(found, allow('guard.builds', { program: call.program }))
    if (code === null && call.args.some((arg) => arg.text === '--test')) return join(found, allow('guard.builds', { program: call.program }))
    return join(found, code === null || code.text === '-' ? fromInput(call) : script(call, code))
  }
}

/** Files behind inline code: read, or with `-i` written. */
function filesBehind(call: Call, from: number): Outcome {
  const isInPlace = call.args.slice(0, from).some((arg) => /^-[a-z0]*i/u.test(arg.text) && !arg.text.startsWith('-I'))
  return join(...call.args.slice(from).filter((arg) => !arg.text.startsWith('-')).map((arg) => touch(call, arg, isInPlace ? 'write' : 'read')))
}

function inline(call: Call, code: Arg | null): Outcome {
  const asks = ask('guard.inline-code', { program: call.program })
  return code ? withOutput(join(asks, judgeInlineCode(call, code.text)), { text: printedText(code.text) }) : asks
}

/** What comes in on standard input is code when no script is named. */
function fromInput(call: Call): Outcome {
  if (call.stdin.isRemote) return ask('guard.remote-code', { program: call.program })
  const asks = ask('guard.shell-input', { program: call.program })
  return call.stdin.text === null ? asks : join(asks, judgeInlineCode(call, call.stdin.text))
}

function module(call: Call, modules: RegExp, rest: readonly Arg[]): Outcome {
  const [name, ...args] = rest
  if (name && modules.test(name.text)) return judgeModule(call, name, args)
  if (name?.text === 'venv') return join(allow('guard.builds', { program: 'venv' }), ...args.filter((arg) => !arg.text.startsWith('-')).map((arg) => touch(call, arg, 'write')))
  if (name?.text === 'pip') return call.runArgs([plainArg('pip'), ...args])
  return join(ask('guard.module', { program: call.program, module: name?.shown ?? '' }), forbiddenReads(call))
}

function judgeModule(call: Call, name: Arg, args: readonly Arg[]): Outcome {
  return name.text === 'json.tool' ? join(allow('guard.reads'), ...args.slice(0, 1).map((arg) => touch(call, arg, 'read')), ...args.slice(1, 2).map((arg) => touch(call, arg, 'write'))) : allow('guard.builds', { program: name.text })
}

/** Consoles of frameworks, and their commands that throw data away or put the project somewhere. */
const projectConsole = /(?:^|\/)(?:artisan|manage\.py|setup\.py|console|rails|spark)$/u
const losingGoal = /^(?:migrate:(?:fresh|reset|refresh|rollback)|db:(?:wipe|drop|reset|seed)|flush|reset_db|sqlflush|upload|register|install|develop|doctrine:(?:database:drop|schema:drop|schema:update)|clearsessions)$/u

/** A script file: of the project it is like a build script, from elsewhere or from a stream it is unseen code. */
function script(call: Call, file: Arg): Outcome {
  const goal = call.args.slice(call.args.indexOf(file) + 1).find((arg) => projectConsole.test(file.text) && losingGoal.test(arg.text))
  if (goal) return ask('guard.tool-command', { program: file.shown, command: goal.shown })
  if (file.isRemote || file.stream?.isRemote) return ask('guard.remote-code', { program: call.program })
  if (hasMark(file.text) || file.stream || /^[\w+.-]+:/u.test(file.text)) return ask('guard.script', { path: file.shown })
  const places = resolvePath(file.text, call.state.cwds).flatMap((path) => call.classify(path))
  const isOurs = places.length > 0 && places.every(({ is }) => is.place === 'inside' && is.protected === null)
  const denied = touch(call, file, 'read')
  const written = writtenTexts(call, file)
  if (written.length > 0) return join(ask('guard.script', { path: file.shown }), ...written.map((text) => judgeInlineCode(call, text)))
  return isOurs ? allow('guard.runs-script', { path: file.shown }) : join(ask('guard.script', { path: file.shown }), denied.kind === 'deny' ? denied : nothing)
}

function osascript(call: Call): Outcome {
  const text = call.args.map((arg) => arg.text).join(' ')
  if (/shut\s*down|restart|log\s*out/iu.test(text)) return deny('guard.power', { program: 'osascript' })
  return join(ask('guard.inline-code', { program: 'osascript' }), judgeInlineCode(call, text))
}

/** Tcl: a command is run by `exec`, `system` or, in expect, `spawn`. */
function tcl(call: Call): Outcome {
  const at = call.args.findIndex((arg) => arg.text === '-c')
  const text = at >= 0 ? (call.args[at + 1]?.text ?? '') : call.args.length === 0 || call.args[0]?.text === '-' ? (call.stdin.text ?? '') : ''
  const run = [...text.matchAll(/\b(?:exec|system|spawn)\s+(?:-\w+\s+)*([^;\n\]}]+)/gu)].map((match) => call.runText(match[1] ?? '')).filter(isDenied)
  const removed = [...text.matchAll(/\bfile\s+delete\s+(?:-\w+\s+)*([^;\n\]}]+)/gu)].map((match) => touch(call, plainArg((match[1] ?? '').trim()), 'delete-tree')).filter(isDenied)
  const written = at < 0 && call.args[0] ? writtenTexts(call, call.args[0]).map((each) => judgeInlineCode(call, each)) : []
  return join(ask('guard.script', { path: call.program }), ...run, ...removed, ...written, judgeInlineCode(call, text))
}

/** Editors: they write files and run commands; the agent has tools of its own for both. */
const editor: Judge = (call) => {
  const commands = call.args.flatMap((arg, at) => (/^(?:-[a-zA-Z]*c|--cmd|-es|-ex|--?eval|--?execute|-e)$/u.test(arg.text) || arg.text.startsWith('+') ? [arg.text.startsWith('+') ? arg.text.slice(1) : (call.args[at + 1]?.text ?? '')] : []))
  const typed = call.stdin.text?.split('\n').filter((line) => line.startsWith('!')).map((line) => line.slice(1)) ?? []
  const code = commands.map((command) => judgeInlineCode(call, command))
  const named = commands.flatMap((command) => [...command.matchAll(/(?:^|\|)\s*:?(r|re|read|e|ed|edit|sp|vs|tabe|sv|view|w|write|sav|saveas)!?\s+([~/][^\s|]*)/gu)])
    .map(([, what = '', path = '']) => touch(call, plainArg(path.replace(/^~/u, call.where.home)), /^(?:w|write|sav|saveas)$/u.test(what) ? 'write' : 'read')).filter((found) => found.kind === 'deny')
  const shells = typed.concat(commands.flatMap((command) => (/^:?\s*(?:silent!?\s*)?!/u.test(command) ? [command.replace(/^[^!]*!+/u, '')] : [])))
  const inner = shells.map((text) => call.runText(text))
  return join(ask('guard.editor', { program: call.program }), ...inner, ...code, ...named, ...call.args.filter((arg) => !/^[-+]/u.test(arg.text)).map((arg) => touch(call, arg, 'read')).filter((ran) => ran.kind === 'deny'))
}

const py = interpreter(python)
const js = interpreter(node)

/** Interpreters, runners and editors. */
export const interpreterPrograms: ProgramTable = {
  python: py, python2: py, python3: py, pypy: py, pypy3: py, ipython: py, ...Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`python3.${at + 6}`, py])),
  node: js, nodejs: js, tsx: interpreter(runner), 'ts-node': interpreter(runner), perl: interpreter(perl), ruby: interpreter(ruby), php: interpreter(php),
  lua: interpreter(lua), luajit: interpreter(lua), deno: interpreter(deno), Rscript: interpreter(rscript),
  R: (call) => join(ask('guard.inline-code', { program: call.program }), ...call.args.flatMap((arg, at) => (call.args[at - 1]?.text === '-e' ? [judgeInlineCode(call, arg.text)] : []))), julia: interpreter(rscript), tclsh: tcl, wish: tcl, expect: tcl, osascript, groovy: interpreter(rscript), scala: interpreter(rscript), elixir: interpreter(rscript),
  iex: (call) => ask('guard.inline-code', { program: call.program }), ghci: (call) => ask('guard.inline-code', { program: call.program }),
  irb: (call) => ask('guard.inline-code', { program: call.program }), m4: (call) => join(ask('guard.inline-code', { program: call.program }), ...[...(call.stdin.text ?? '').matchAll(/\be?syscmd\(`*([^')]*)/gu)].map((match) => call.runText(match[1] ?? '')).filter(isDenied)),
  bc: (call) => (call.args.every((arg) => /^-[lqsiw]+$/u.test(arg.text)) && !/^\s*!/mu.test(call.stdin.text ?? '') ? allow('guard.reads') : join(ask('guard.script', { path: call.program }), deniedLines(call))),
  dc: (call) => join(ask('guard.inline-code', { program: call.program }), deniedLines(call)), sqlite3: sqlite,
  vi: editor, vim: editor, nvim: editor, view: editor, ex: editor, ed: editor, emacs: editor, emacsclient: editor, nano: editor, pico: editor, micro: editor, hx: editor,
  kak: editor, joe: editor, vimdiff: editor, gvim: editor, subl: editor, gedit: editor, kate: editor,
}

/** `sqlite3`: the data folder of the app is denied, the rest is a database of somebody. */
function sqlite(call: Call): Outcome {
  const files = call.args.filter((arg) => !arg.text.startsWith('-')).slice(0, 1).map((arg) => touch(call, arg, 'write'))
  const reading = readsDatabase(call)
  if (reading.reason.code !== 'guard.database') return reading
  const shells = [...call.args.map((arg) => arg.text), call.stdin.text ?? ''].flatMap((text) => [...text.matchAll(/\.(?:shell|system)\s+([^\n]*)/gu)].map((match) => call.runText(match[1] ?? '')))
  return join(ask('guard.database', { program: 'sqlite3' }), ...files, ...shells)
}
