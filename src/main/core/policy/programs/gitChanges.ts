import { said } from '../../../../shared/domain/result'
import { plainArg, sliceArg, type Arg, type Call, type Outcome } from '../shell/call'
import { hasUnknown } from '../shell/marks'
import { allow, ask, deny, join, nothing } from '../shell/outcomes'
import { touch, touchAll } from '../shell/places'
import { hostOf } from './hosts'
import { judgeCommandText } from './options'
import { judgeKey } from './gitKeys'
import { gitHooks } from './projectScripts'
import { oneOf } from '../shell/alternatives'

const words = (call: Call): readonly string[] => call.args.map((arg) => arg.text)
const has = (call: Call, pattern: RegExp): boolean => call.args.some((arg) => pattern.test(arg.text))
const operands = (call: Call): readonly Arg[] => call.args.filter((arg) => !arg.text.startsWith('-'))

/** Commands that talk to other machines. */
const remote = oneOf(String.raw`
  push fetch pull clone ls-remote send-email request-pull send-pack fetch-pack http-fetch http-push imap-send svn p4 cvsimport cvsexportcommit cvsserver
  daemon instaweb remote-\S+ upload-archive upload-pack receive-pack shell archimport quiltimport lfs annex credential-\S+ maintenance
`)
const viewers = /^(?:difftool|mergetool|gui|citool|gitk|web--browse|browse|range-diff-tool)$/u
const losing = oneOf(String.raw`
  clean filter-branch filter-repo gc prune prune-packed repack replace update-ref update-index pack-refs fast-import read-tree checkout-index write-tree
  commit-tree hash-object mktree mktag unpack-objects index-pack pack-objects rerere symbolic-ref multi-pack-index commit-graph unpack-file
`)
const local = /^(?:add|stage|commit|mv|init|merge|cherry-pick|revert|switch|tag|branch|apply|am|stash|notes|sparse-checkout|format-patch|bundle|archive|citool)$/u

/** Judges a command of git that changes something. Not known ones ask: they may be aliases of the project. */
export function gitChange(call: Call, what: string): Outcome {
  const found = judgeChange(call, what)
  const hooks = gitHooks(call, what)
  return hooks.length > 0 && found.reason.code === 'guard.git-local' ? { ...found, reason: said('guard.git-hooks', { command: `git ${what}`, hooks: [...hooks] }) } : found
}

function judgeChange(call: Call, what: string): Outcome {
  const special = specials[what]
  const runs = join(...programsIn(call, what))
  const unknown = join(...call.args.filter((arg, at) => hasUnknown(arg.text[0] ?? '') && !/^(?:-m|--message)$/u.test(call.args[at - 1]?.text ?? '')).map((arg) => ask('guard.unknown-option', { program: 'git', option: arg.shown })))
  const message = join(...call.args.flatMap((arg, at) => (/^(?:-F|--file)$/u.test(call.args[at - 1]?.text ?? '') ? [arg] : /^--file=/u.test(arg.text) ? [sliceArg(arg, 7)] : [])).filter((arg) => arg.text !== '-').map((arg) => touch(call, arg, 'read')).filter((found) => found.kind !== 'allowable'))
  if (special) return join(special(call), message, unknown, runs)
  if (remote.test(what)) return join(reaching(call, what), runs)
  if (viewers.test(what)) return join(ask('guard.git-executes', { command: `git ${what}` }), runs)
  if (losing.test(what)) return join(ask('guard.git-loss', { command: `git ${what}` }), runs)
  const secrets = what === 'add' || what === 'stage' ? operands(call).map((arg) => touch(call, arg, 'read')).filter((found) => found.kind !== 'allowable') : []
  if (local.test(what)) return join(...secrets, message, allow('guard.git-local', { command: `git ${what}` }), hasForce(call, what), unknown, runs)
  return join(ask('guard.git-unknown', { command: `git ${what}` }), runs)
}

function hasForce(call: Call, what: string): Outcome {
  if (what === 'commit' || what === 'add' || what === 'stage') return has(call, /^(?:-S|--gpg-sign)/u) ? ask('guard.git-executes', { command: 'git commit -S' }) : nothing
  return has(call, /^(?:--force|-f|--discard-changes|--hard|--delete|-d|-D|-M|-C|--unsafe-paths|--unset-upstream|-[a-z]*[fD][a-z]*)$/u) ? ask('guard.git-loss', { command: `git ${what}` }) : nothing
}

/** Options of any command that name a program. */
function programsIn(call: Call, what: string): readonly Outcome[] {
  return call.args.flatMap((arg, at) => {
    const found = /^(--(?:upload-pack|receive-pack|exec|open-files-in-pager|extcmd|tool|editor|smtp-server|to-cmd|cc-cmd|sendmail-cmd|command|(?:tree|index|msg|env|parent|commit|tag-name|subdirectory)-filter|setup)|-(?:O|u|x)(?!nstaged))(=?)/u.exec(arg.text)
    if (!found || !isProgramOption(found[1] ?? '', what)) return []
    const value = found[2] === '=' ? sliceArg(arg, arg.text.indexOf('=') + 1) : arg.text.length > (found[1] ?? '').length ? sliceArg(arg, (found[1] ?? '').length) : (call.args[at + 1] ?? null)
    return [judgeCommandText(call, found[1] ?? '', value)]
  })
}

function isProgramOption(option: string, what: string): boolean {
  if (option === '-u') return what === 'clone'
  if (option === '-x') return what === 'rebase' || what === 'difftool'
  if (option === '-O') return what === 'grep'
  return !(option === '--exec' && what === 'log')
}

/** A remote by name or address. `ext::` addresses are commands. */
function reaching(call: Call, what: string): Outcome {
  const addresses = call.args.filter((arg) => /::|:\/\/|^[\w.-]+@[\w.-]+:/u.test(arg.text))
  const runs = addresses.filter((arg) => /^ext::|^fd::/u.test(arg.text)).map((arg) => join(ask('guard.option-runs', { program: 'git', option: 'ext::' }), call.runText(arg.text.replace(/^\w+::/u, ''))))
  const hosts = addresses.map((arg) => hostOf(arg.text.replace(/^([\w.-]+@[\w.-]+):(?!\/\/)/u, 'ssh://$1/')))
  const code = what === 'push' || what === 'send-email' ? 'guard.remote-effect' : 'guard.network'
  const host = hosts[0] ?? 'origin'
  const secret = call.args.some((arg) => arg.isSecret) ? deny('guard.sends-secret', { program: 'git', host }) : nothing
  const target = what === 'clone' ? operands(call).slice(1, 2).map((arg) => touch(call, arg, 'write')) : []
  const settings = call.args.flatMap((arg, at) => (arg.text === '-c' || arg.text === '--config' ? [judgeSettingWord(call, call.args[at + 1])] : arg.text.startsWith('--config=') ? [judgeSettingWord(call, sliceArg(arg, 9))] : []))
  return join({ ...ask(code, { program: `git ${what}`, host }), hosts: [host] }, secret, ...runs, ...target, ...settings)
}

function judgeSettingWord(call: Call, setting: Arg | undefined): Outcome {
  if (!setting) return nothing
  const equals = setting.text.indexOf('=')
  return equals < 0 ? nothing : judgeKey(call, setting.text.slice(0, equals).toLowerCase(), sliceArg(setting, equals + 1))
}

const ok = (command: string): Outcome => allow('guard.git-local', { command: `git ${command}` })
const loss = (command: string): Outcome => ask('guard.git-loss', { command: `git ${command}` }, false)

/** Commands that are harmless or not by how they are called. */
const specials: Readonly<Record<string, (call: Call) => Outcome>> = {
  reset: (call) => (has(call, /^--(?:hard|merge|keep|recurse-submodules)/u) ? loss('reset --hard') : ok('reset')),
  restore: (call) => (has(call, /^(?:--staged|-S)$/u) && !has(call, /^(?:--worktree|-W)$/u) ? ok('restore --staged') : loss('restore')),
  checkout: judgeCheckout,
  clean: (call) => (has(call, /^(?:-n|--dry-run|-\w*n\w*)$/u) ? allow('guard.reads-git', { command: 'git clean -n' }) : loss('clean')),
  rm: (call) => join(has(call, /^--cached$/u) ? ok('rm --cached') : nothing, has(call, /^--cached$/u) ? nothing : touchAll(call, operands(call), has(call, /^-\w*r/u) ? 'delete-tree' : 'delete')),
  mv: (call) => join(ok('mv'), touchAll(call, operands(call), 'write')),
  rebase: (call) => (has(call, /^(?:-i|--interactive|--exec|-x|--abort|--quit|--edit-todo)/u) ? loss('rebase') : ok('rebase')),
  stash: (call) => (/^(?:drop|clear)$/u.test(words(call)[0] ?? '') ? loss(`stash ${words(call)[0] ?? ''}`) : ok('stash')),
  branch: (call) => has(call, /^--edit-description$/u) ? ask('guard.editor', { program: 'git branch' }) : (has(call, /^(?:-D|-M|-C|-f|--force|--delete|-d|-\w*[DMCf]\w*)$/u) && !isSafeDelete(call) ? loss('branch -D') : ok('branch')),
  tag: (call) => (has(call, /^(?:-d|--delete|-f|--force|-s|-u|--sign|-v|--verify)$/u) ? loss('tag') : ok('tag')),
  gc: (call) => (has(call, /^--(?:prune|aggressive|force)/u) ? loss('gc --prune') : ok('gc')),
  reflog: () => loss('reflog'),
  config: judgeConfig,
  credential: () => deny('guard.key-store', { program: 'git credential' }),
  'credential-store': () => deny('guard.key-store', { program: 'git credential' }), 'credential-cache': () => deny('guard.key-store', { program: 'git credential' }),
  remote: (call) => (/^(?:show|get-url|-v|--verbose)$/u.test(words(call)[0] ?? '') ? { ...ask('guard.network', { program: 'git remote', host: 'origin' }), hosts: ['origin'] } : ask('guard.git-setting', { key: 'remote' })),
  submodule: judgeSubmodule,
  worktree: (call) => (words(call)[0] === 'add' ? join(ok('worktree add'), ...worktreePath(call).map((arg) => touch(call, arg, 'write'))) : loss(`worktree ${words(call)[0] ?? ''}`)),
  bisect: (call) => (words(call)[0] === 'run' ? join(ask('guard.git-executes', { command: 'git bisect run' }), call.runArgs(call.args.slice(1), { fit: 'wrapped' })) : ok('bisect')),
  archive: (call) => join(has(call, /^--(?:remote|exec)/u) ? ask('guard.option-runs', { program: 'git archive', option: '--remote' }) : ok('archive'), ...valueAfter(call, /^(?:-o|--output)$/u, /^(?:-o|--output=)(?=.)/u).map((arg) => touch(call, arg, 'write'))),
  bundle: (call) => join(words(call)[0] === 'create' ? ok('bundle') : ask('guard.git-loss', { command: 'git bundle' }), ...operands(call).slice(1, 2).map((arg) => touch(call, arg, words(call)[0] === 'create' ? 'write' : 'read'))),
  'format-patch': (call) => join(ok('format-patch'), ...valueAfter(call, /^(?:-o|--output-directory|--output)$/u, /^(?:-o|--output-directory=|--output=)(?=.)/u).map((arg) => touch(call, arg, 'write'))),
  apply: (call) => join(has(call, /^(?:--check|--stat|--numstat|--summary)$/u) ? allow('guard.reads-git', { command: 'git apply --check' })  : ask('guard.extracts', { program: 'git apply' }, true), touchAll(call, operands(call), 'read')),
  am: (call) => join(ask('guard.extracts', { program: 'git am' }, true), touchAll(call, operands(call), 'read')),
  init: (call) => join(ok('init'), has(call, /^--(?:template|separate-git-dir)/u) ? ask('guard.option', { program: 'git init', option: '--template' }) : nothing, ...operands(call).slice(0, 1).map((arg) => touch(call, arg, 'write'))),
  commit: (call) => join(ok('commit'), hasForce(call, 'commit'), touchAll(call, valueAfter(call, /^(?:-F|--file|-t|--template)$/u, /^(?:--file=|--template=)/u), 'read')),
  maintenance: (call) => (/^(?:start|register)$/u.test(words(call)[0] ?? '') ? deny('guard.schedules', { program: 'git maintenance' }) : ask('guard.git-loss', { command: 'git maintenance' })),
  lfs: (call) => ({ ...ask('guard.network', { program: 'git lfs', host: 'origin' }), hosts: [words(call)[0] === 'install' ? '?' : 'origin'] }),
  'sparse-checkout': (call) => (/^(?:list|init|check-rules)$/u.test(words(call)[0] ?? '') ? ok('sparse-checkout') : loss('sparse-checkout')),
  notes: (call) => (/^(?:remove|prune)$/u.test(words(call)[0] ?? '') ? loss('notes') : ok('notes')),
  help: (call) => (has(call, /^(?:-w|--web|-i|--info)$/u) ? ask('guard.git-executes', { command: 'git help' }) : allow('guard.reads-git', { command: 'git help' })),
  'hash-object': (call) => join(has(call, /^-\w*w/u) ? loss('hash-object -w') : nothing, join(allow('guard.reads-git', { command: 'git hash-object' }), touchAll(call, operands(call), 'read'))),
}

function isSafeDelete(call: Call): boolean {
  return has(call, /^(?:-d|--delete)$/u) && !has(call, /^(?:-D|-M|-C|-f|--force)$/u)
}

/** `git checkout` changes branches, or throws changes to files away. */
function judgeCheckout(call: Call): Outcome {
  if (has(call, /^(?:-f|--force|--ours|--theirs|-p|--patch|-B|--orphan|--overwrite-ignore|-\w*f\w*)$/u)) return loss('checkout')
  if (has(call, /^(?:-b|-t|--track|--detach|--no-track)$/u)) return ok('checkout -b')
  const dashes = words(call).indexOf('--')
  const names = operands(call)
  const isPath = dashes >= 0 ? call.args.length > dashes + 1 : names.length > 1 || names.some((arg) => /^\.{1,2}(?:\/|$)|^:|[*?\uFDD0-\uFDD2]|\.\w{1,5}$|\/$/u.test(arg.text))
  return isPath ? loss('checkout --') : ok('checkout')
}

/** `git config`: reading one value passes, listing shows addresses with logins, writing makes later commands run things. */
function judgeConfig(call: Call): Outcome {
  const names = operands(call).filter((arg) => !/^(?:get|list|set|unset|edit)$/u.test(arg.text) || operands(call)[0] !== arg)
  const verb = /^(?:get|list|set|unset|edit|rename-section|remove-section)$/u.exec(operands(call)[0]?.text ?? '')?.[0]
  if (has(call, /^(?:-e|--edit)$/u) || verb === 'edit') return ask('guard.git-executes', { command: 'git config --edit' })
  if (has(call, /^(?:-l|--list)$/u) || verb === 'list') return ask('guard.secret-file', { path: 'git config' }, true)
  const [key, value] = names
  if (has(call, /^--(?:get|get-all|get-urlmatch|get-color\w*|type|bool|int)/u) || verb === 'get' || (names.length === 1 && verb === undefined && !has(call, /^--(?:unset|unset-all|remove-section|rename-section|add|replace-all)/u))) {
    const isSecret = /(?:url|header|helper|token|password|cookie|proxy|credential)/iu.test(key?.text ?? '') || has(call, /^--get-(?:regexp|urlmatch)/u)
    return isSecret ? ask('guard.secret-file', { path: `git config ${key?.shown ?? ''}` }, true) : allow('guard.reads-git', { command: 'git config' })
  }
  const isWide = has(call, /^--(?:global|system|file|worktree)|^-f/u) ? ask('guard.outside-write', { path: 'git config' }) : nothing
  return join(ask('guard.git-setting', { key: key?.shown ?? '' }, true), isWide, key && value ? judgeKey(call, key.text.toLowerCase(), value) : nothing)
}

function judgeSubmodule(call: Call): Outcome {
  const what = words(call).find((word) => !word.startsWith('-')) ?? 'status'
  const at = words(call).indexOf('foreach')
  if (at < 0) return { ...ask('guard.network', { program: `git submodule ${what}`, host: 'origin' }), hosts: ['origin'] }
  const rest = call.args.slice(at + 1).filter((arg) => arg.text !== '--recursive' && arg.text !== '-q' && arg.text !== '--quiet')
  return join(ask('guard.git-executes', { command: 'git submodule foreach' }), call.runText(rest.map((arg) => arg.text).join(' ')))
}

function worktreePath(call: Call): readonly Arg[] {
  const rest = call.args.slice(1)
  return rest.filter((arg, at) => !arg.text.startsWith('-') && !/^(?:-b|-B|--reason)$/u.test(rest[at - 1]?.text ?? '')).slice(0, 1)
}

function valueAfter(call: Call, alone: RegExp, glued: RegExp): readonly Arg[] {
  return call.args.flatMap((arg, at) => {
    if (alone.test(arg.text)) return call.args.slice(at + 1, at + 2)
    const found = glued.exec(arg.text)
    return found ? [sliceArg(arg, found[0].length)] : []
  }).map((arg) => (arg.text === '' ? plainArg('.') : arg))
}
