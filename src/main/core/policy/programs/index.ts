import type { Function as FunctionNode } from 'unbash'
import { plainArg, type Call, type Judge, type Outcome } from '../shell/call'
import { hasMark } from '../shell/marks'
import { allow, ask, join } from '../shell/outcomes'
import { resolvePath } from '../shell/paths'
import { forbiddenReads, touch } from '../shell/places'
import { archivePrograms } from './archives'
import { awk } from './awk'
import { builderPrograms } from './builders'
import { builtins } from './builtins'
import { containerPrograms } from './containers'
import { deletingPrograms } from './deleting'
import { filePrograms } from './files'
import { find } from './find'
import { gitPrograms } from './git'
import { interpreterPrograms } from './interpreters'
import { keyPrograms } from './keys'
import { judgeInlineCode } from './inlineCode'
import { networkPrograms } from './network'
import { packagePrograms } from './packages'
import { readers } from './readers'
import { windowsShells } from './powershell'
import { remotePrograms } from './remote'
import { sed } from './sed'
import { shellPrograms, writtenTexts } from './shells'
import { systemPrograms } from './system'
import { deniedInside, tracingPrograms } from './traced'
import { wrapperPrograms } from './wrappers'

/** Every program the guard knows, by name. Made from one table a family. */
const programs: ReadonlyMap<string, Judge> = new Map(Object.entries({
  ...builderPrograms, ...systemPrograms, ...tracingPrograms, ...remotePrograms, ...readers, ...keyPrograms, ...networkPrograms, ...containerPrograms, ...archivePrograms, ...filePrograms,
  ...deletingPrograms,
  ...interpreterPrograms, ...packagePrograms, ...wrapperPrograms, ...shellPrograms, ...windowsShells, ...gitPrograms,
  find, gfind: find, sed, gsed: sed, awk, gawk: awk, mawk: awk, nawk: awk,
}))

const bash: ReadonlyMap<string, Judge> = new Map(Object.entries(builtins))
const standardFolders = /^(?:\/usr(?:\/local)?)?\/s?bin\/|^\/opt\/homebrew\/bin\//u
const projectTools = /(?:^|\/)(?:node_modules\/\.bin|vendor\/bin|\.?venv\/bin)\/[^/]+$/u

/** The judge for a name without a path; null for a name that is not known. */
export function findBuiltinOrProgram(name: string): Judge | null {
  return bash.get(name) ?? programs.get(name) ?? null
}

/** Judges the command that a call names: a function of the script, a builtin, a known program, or a file. What is not known asks. */
export function findProgram(call: Call, running: readonly FunctionNode[], callFunction: (node: FunctionNode) => Outcome): Outcome {
  const name = call.typed
  if (name === '' || hasMark(name)) return unknownName(call)
  const node = call.state.functions.get(name)
  if (node && !running.includes(node)) return callFunction(node)
  if (node) return ask('guard.recursion', { name })
  if (name.includes('/')) return judgeFile(call)
  const judge = findBuiltinOrProgram(name)
  if (judge) return isHelp(call) ? allow('guard.reads') : judge(call)
  const lower = findBuiltinOrProgram(name.toLowerCase())
  const asks = join(ask('guard.unknown-program', { program: name }), forbiddenReads(call), deniedInside(call), deniedCode(call))
  return lower && name !== name.toLowerCase() ? join(asks, lower({ ...call, program: name.toLowerCase() })) : asks
}

/** Code that a program which is not known is given, as interpreters take it: only what is plainly catastrophic counts. */
function deniedCode(call: Call): Outcome {
  const codes = call.args.flatMap((arg, at) => (/^(?:-[ce]|-E|-eval|--(?:eval|execute|exec|expr|command|script))$/u.test(arg.text) ? [call.args[at + 1]?.text ?? ''] : /^--(?:eval|execute|expr)=/u.test(arg.text) ? [arg.text] : []))
  return join(...codes.slice(0, 4).map((code) => judgeInlineCode(call, code)))
}

/** A program that is not known until it runs asks; where its words only make sense as a wipe or as text for a shell, they are judged as such. */
function unknownName(call: Call): Outcome {
  const asks = call.args.some((arg) => arg.isRemote) ? ask('guard.remote-code', { program: '…' }) : ask('guard.unknown-name')
  const words = call.args.map((arg) => arg.text)
  const flags = words.filter((word) => /^-[A-Za-z]+$/u.test(word)).join('') + words.filter((word) => word.startsWith('--')).join('')
  const isWipe = /[rR]/u.test(flags) && /f/u.test(flags)
  const textAt = words.findIndex((word) => /^-[a-z]*c$/u.test(word))
  const wipe = isWipe ? call.runArgs([plainArg('rm'), ...call.args]) : null
  const text = textAt >= 0 ? call.runText(words[textAt + 1] ?? '') : null
  return join(asks, ...[wipe, text].filter((found) => found !== null).filter((found) => found.kind === 'deny'))
}

/** A lone `--help` or `--version` only prints. */
function isHelp(call: Call): boolean {
  return call.args.length === 1 && /^--(?:help|version)$/u.test(call.args[0]?.text ?? '')
}

/** A command named by a path: a system program, a tool of the project, or a script whose content is not seen here. */
function judgeFile(call: Call): Outcome {
  if (standardFolders.test(call.typed)) {
    const judge = programs.get(call.program) ?? bash.get(call.program)
    return judge ? (isHelp(call) ? allow('guard.reads') : judge(call)) : ask('guard.unknown-program', { program: call.typed })
  }
  const isInside = resolvePath(call.typed, call.state.cwds).every((path) => call.classify(path).every(({ is }) => is.place === 'inside')) && call.state.cwds.length > 0
  const judge = programs.get(call.program)
  const isWrapper = /^(?:gradlew|mvnw)$/u.test(call.program)
  if (judge && isInside && (isWrapper || projectTools.test(call.typed))) {
    const found = judge(call)
    const mayRun = found.reason.code === 'guard.builds' || found.reason.code === 'guard.runs-script' || found.kind !== 'allowable'
    return mayRun ? found : join(ask('guard.script', { path: call.typed }), found)
  }
  const file = plainArg(call.typed)
  const place = touch(call, file, 'read')
  const asks = ask('guard.script', { path: call.typed })
  const asNamed = judge && !isInside ? judge(call) : null
  return join(asks, place.kind === 'deny' ? place : asks, asNamed?.kind === 'deny' ? asNamed : asks, ...writtenTexts(call, file).map((text) => call.runText(text)))
}
