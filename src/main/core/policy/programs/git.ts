import { plainArg, sliceArg, type Arg, type Call, type Outcome, type ProgramTable } from '../shell/call'
import { ANY, hasMark } from '../shell/marks'
import { allow, ask, deny, join, nothing, withOutput } from '../shell/outcomes'
import { resolvePath } from '../shell/paths'
import { touch, touchAll } from '../shell/places'
import { gitChange } from './gitChanges'
import { judgeKey } from './gitKeys'
import { gitListings, gitReaders } from './gitOptions'
import { judgeOptions, optionTable, readOptions } from './options'

interface GitCall {
  readonly what: Arg | null
  readonly rest: readonly Arg[]
  readonly found: Outcome
  readonly call: Call
}

/** `git`: reading commands may pass when the project's settings run nothing; changing ones by what can be lost. */
function git(call: Call): Outcome {
  const read = readGlobal(call)
  if (read.what === null) return join(read.found, allow('guard.reads'))
  const what = read.what.text
  if (hasMark(what) || what === '') return join(read.found, ask('guard.unknown-option', { program: 'git', option: read.what.shown }))
  return join(read.found, judgeCommand(read.call, what, read.rest))
}

/** Options in front of the sub-command. */
function readGlobal(call: Call): GitCall {
  let found = nothing
  let at = 0
  let inner = call
  for (; at < call.args.length; at++) {
    const arg = call.args[at]
    if (!arg || !arg.text.startsWith('-')) break
    const next = call.args[at + 1] ?? null
    if (/^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs|--glob-pathspecs|--noglob-pathspecs|--icase-pathspecs|--no-replace-objects|--no-lazy-fetch|--no-advice)$/u.test(arg.text)) continue
    if (/^(?:-v|--version|-h|--help|--html-path|--man-path|--info-path|--exec-path)$/u.test(arg.text)) return { what: null, rest: [], found, call }
    at++
    if (arg.text === '-C') {
      found = join(found, next ? { ...touch(call, next, 'folder'), reads: [] } : nothing)
      inner = { ...inner, state: { ...inner.state, cwds: next && !hasMark(next.text) ? resolvePath(next.text, inner.state.cwds) : [] } }
    } else if (arg.text === '-c') {
      found = join(found, judgeSetting(call, next))
    } else {
      if (arg.text.includes('=') || !/^--(?:git-dir|work-tree|namespace|super-prefix|config-env|attr-source|list-cmds)$/u.test(arg.text)) at--
      found = join(found, ask('guard.option', { program: 'git', option: arg.shown }))
    }
  }
  return { what: call.args[at] ?? null, rest: call.args.slice(at + 1), found: found.reason.code === 'guard.steers' ? nothing : found, call: inner }
}

/** One `key=value`: a command in it is judged. */
function judgeSetting(call: Call, setting: Arg | null): Outcome {
  if (!setting) return ask('guard.option', { program: 'git', option: '-c' })
  const equals = setting.text.indexOf('=')
  const key = (equals < 0 ? setting.text : setting.text.slice(0, equals)).toLowerCase()
  const value = equals < 0 ? plainArg('true') : sliceArg(setting, equals + 1)
  return judgeKey(call, key, value)
}

function judgeCommand(call: Call, what: string, rest: readonly Arg[]): Outcome {
  const named = { ...call, args: rest }
  if (rest.length === 1 && rest[0]?.text === '--help') return allow('guard.reads-git', { command: 'git help' })
  const reader = gitReaders[what]
  if (what === 'symbolic-ref' && rest.filter((arg) => !arg.text.startsWith('-')).length > 1) return ask('guard.git-loss', { command: `git ${what}` })
  if (what === 'reflog' && /^(?:expire|delete|drop)$/u.test(rest[0]?.text ?? '')) return ask('guard.git-loss', { command: `git reflog ${rest[0]?.text ?? ''}` })
  if (reader) return readsGit(named, what, reader.options)
  const listing = gitListings[what]
  if (listing !== undefined && isListing(what, rest, listing)) return readsGit(named, what, listing)
  if (/^(?:stash|worktree|submodule|notes|bisect|sparse-checkout|lfs)$/u.test(what) && /^(?:list|show|status|log|view|summary|ls-files|env)$/u.test(rest[0]?.text ?? '')) return readsGit({ ...named, args: rest.slice(1) }, `${what} ${rest[0]?.text ?? ''}`, gitReaders['log']?.options ?? '')
  return gitChange(named, what)
}

function isListing(what: string, rest: readonly Arg[], options: string): boolean {
  const given = readOptions(rest, optionTable(options))
  if (given.unknown !== null) return false
  if (what === 'remote') return given.operands.length === 0 || given.operands[0]?.text === 'get-url'
  return given.operands.length === 0 || given.options.some((option) => /^(?:-l|--list|--contains|--no-contains|--merged|--no-merged|--points-at)$/u.test(option.name))
}

/** Reading the repository: git itself runs what the project's settings name, so that decides whether nobody is asked. */
function readsGit(call: Call, what: string, options: string): Outcome {
  const given = readOptions(call.args, optionTable(options))
  const executes = call.where.projectGit?.executes ?? null
  // Known for the root alone: a folder below may hold a repository of its own, with settings that nobody looked at.
  const isKnown = call.state.cwds.every((cwd) => cwd === call.where.root)
  const base = executes === true ? ask('guard.git-executes', { command: `git ${what}` }) : executes === false && isKnown ? allow('guard.reads') : allow('guard.reads-git', { command: `git ${what}` })
  const noIndex = what === 'diff' || what === 'grep' ? given.options.some((option) => option.name === '--no-index') : false
  const paths = given.operands.filter((arg) => noIndex || /^(?:\/|~|\.\.?\/)/u.test(arg.text))
  const secrets = given.operands.map((arg) => arg.text.replace(/^[^:]*:/u, '')).filter((text) => text !== '' && !hasMark(text) && what !== 'status' && what !== 'ls-files' && what !== 'check-ignore')
  const touched = join(touchAll(call, paths, 'read'), ...secrets.map((text) => touch(call, plainArg(text), 'read')).filter((found) => found.output.isSecret || found.kind === 'deny'))
  const own = judgeOptions(call, given)
  const writes = own.writes.length > 0 ? ask('guard.writes-by-option', { program: `git ${what}` }, true) : nothing
  const found = join(base, own, writes, { ...touched, reads: paths.length > 0 ? touched.reads : [] })
  return withOutput(found, outputOf(call, what))
}

function outputOf(call: Call, what: string): { text?: string; paths?: readonly string[] } {
  if (what === 'rev-parse' && call.args.length === 1 && call.args[0]?.text === '--show-toplevel') return { text: `${call.where.root}\n` }
  const isListing = what === 'ls-files' || ((what === 'diff' || what === 'grep') && call.args.some((arg) => /^(?:--name-only|-l|--files-with-matches)$/u.test(arg.text)))
  return isListing ? { paths: [`./${ANY}`] } : {}
}

/** Git and what git installs beside itself. */
export const gitPrograms: ProgramTable = {
  git,
  'git-lfs': (call) => git({ ...call, args: [plainArg('lfs'), ...call.args] }),
  'git-filter-repo': (call) => ask('guard.git-loss', { command: call.program }),
  gitk: (call) => ask('guard.git-executes', { command: call.program }), tig: (call) => ask('guard.git-executes', { command: call.program }),
  lazygit: (call) => ask('guard.git-executes', { command: call.program }),
  'git-upload-pack': (call) => deny('guard.option-runs', { program: call.program, option: '' }),
  'git-receive-pack': (call) => deny('guard.option-runs', { program: call.program, option: '' }), bfg: () => ask('guard.git-loss', { command: 'bfg' }),
}
