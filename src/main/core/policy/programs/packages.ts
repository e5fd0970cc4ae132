import { plainArg, sliceArg, type Arg, type Call, type Judge, type Outcome, type ProgramTable } from '../shell/call'
import { allow, ask, join, nothing } from '../shell/outcomes'
import { touch } from '../shell/places'
import { aroundScript, installScripts, projectScripts } from './projectScripts'
import { isLocalTool, judgeLocalTool } from './builders'
import { judgeCommandText, judgeOptions, optionTable, readOptions, valueOf } from './options'
import { deniedInside } from './traced'

/** What a sub-command of a package manager does. */
interface Verbs {
  /** Builds, tests or installs what the project already names. */
  readonly builds: RegExp
  /** Only reads. */
  readonly reads: RegExp
  /** Brings in new packages, which run code of their own. */
  readonly adds: RegExp
  /** Changes something elsewhere. */
  readonly remote: RegExp
  /** Runs a tool by name. */
  readonly runs: RegExp
  /** Runs scripts of the project whose names are given. */
  readonly scripts: RegExp
  readonly isAnyScript?: boolean
}

const npmVerbs: Verbs = {
  builds: /^(?:ci|clean-install|test|tst|t|start|stop|restart|build|rebuild|rb|pack|dedupe|ddp|prune|install-test|install-ci-test|it|cit|audit|shrinkwrap|fund|doctor|help|help-search)$/u,
  reads: /^(?:ls|list|ll|la|outdated|view|info|show|v|search|find|root|prefix|bin|explain|why|query|ping|bugs-url|sbom|docs-url|pkg)$/u,
  adds: /^(?:add|link|ln|update|up|upgrade|udpate|uninstall|remove|rm|un|unlink|r|create|innit|edit|explore|rebuild-all|set-script|completion)$/u,
  remote: /^(?:publish|unpublish|deprecate|undeprecate|dist-tag|dist-tags|access|owner|author|team|org|token|login|logout|adduser|add-user|whoami|profile|hook|star|unstar|stars|trust|repo|bugs|docs|home|issues|diff)$/u,
  runs: /^(?:exec|x|dlx)$/u,
  scripts: /^(?:run|run-script|rum|urn)$/u,
}
const yarnVerbs: Verbs = {
  ...npmVerbs,
  builds: /^(?:install|test|start|build|pack|dedupe|check|autoclean|rebuild|audit|lint|dev|format)$/u,
  reads: /^(?:list|outdated|info|why|bin|cache|licenses|help|versions)$/u,
  runs: /^(?:dlx|exec|create)$/u,
  scripts: /^run$/u,
  remote: /^(?:publish|npm|login|logout|owner|tag|team|unpublish|access)$/u,
  adds: /^(?:add|remove|upgrade|up|upgrade-interactive|global|link|unlink|import|set|plugin|policies|patch|config|generate-lock-entry|unplug)$/u,
  isAnyScript: true,
}
const pnpmVerbs: Verbs = {
  ...npmVerbs,
  builds: /^(?:i|install|ci|test|t|tst|start|stop|restart|build|rebuild|rb|prune|dedupe|pack|fetch|audit|install-test|it|lint|dev|format|typecheck)$/u,
  reads: /^(?:ls|list|ll|la|outdated|why|licenses|root|bin|info|view|show|cat-file|cat-index|find-hash)$/u,
  adds: /^(?:add|update|up|upgrade|remove|rm|un|uninstall|link|ln|unlink|import|patch|patch-commit|env|setup|create|self-update|approve-builds)$/u,
  runs: /^(?:exec|dlx)$/u,
  scripts: /^(?:run|run-script)$/u,
  remote: npmVerbs.remote,
  isAnyScript: true,
}
const bunVerbs: Verbs = {
  ...npmVerbs,
  builds: /^(?:install|i|ci|test|build|start|dev|lint)$/u,
  reads: /^(?:outdated|why|info)$/u,
  runs: /^(?:x|exec)$/u,
  scripts: /^run$/u,
  adds: /^(?:add|a|remove|rm|update|link|unlink|create|c|init|upgrade|patch|repl)$/u,
  remote: /^(?:publish|audit)$/u,
  isAnyScript: true,
}

const managerOptions = optionTable(
  `-sqdPDBOwEFyfrWv -w? -F= -C=d --silent --quiet --verbose --if-present --workspaces --workspace= --include-workspace-root --ignore-scripts --no-audit
    --no-fund --no-progress --prefer-offline --offline --prefer-online --omit= --include= --production --dev --save-dev --save-prod --save-exact
    --frozen-lockfile --no-frozen-lockfile --immutable --immutable-cache --check-cache --mode= --loglevel= --json --long --parseable --depth= --all
    --only= --no-optional --legacy-peer-deps --strict-peer-deps --force --dry-run --package-lock-only --no-save --no-package-lock --color? --no-color
    --foreground-scripts --audit-level= --filter= --recursive --parallel --stream --aggregate-output --reporter= --workspace-root --cwd=d --dir=d
    --prefix=d --non-interactive --network-timeout= --network-concurrency= --production? --bail --no-bail --coverage --watch --fix! --registry=!
    --script-shell=x --node-options=! --userconfig=! --globalconfig=! --global! --location=! --shell=x --git=! --scripts-prepend-node-path --timeout=
    --run-in-band -u --unsafe-perm! --no-lockfile --pure-lockfile --flat --check-files --concurrency= --since= --topological --interlaced --silent --yes
    -g! -p --production --hot --preload=! --env-file=!`,
)

/** npm, yarn, pnpm and bun. */
function manager(verbs: Verbs): Judge {
  return (call) => {
    if (call.program === 'bun' && /^(?:-e|-p|--eval|--print)(?:=|$)/u.test(call.args[0]?.text ?? '')) return call.runArgs([plainArg('node'), ...call.args])
    const before = readOptions(call.args, managerOptions, { stopsAtOperand: true })
    const [verb, ...rest] = before.operands
    const dashes = rest.findIndex((arg) => arg.text === '--')
    const what = verb?.text ?? ''
    if (/^(?:recursive|multi|m|workspace)$/u.test(what) && call.program !== 'npm') return manager(verbs)({ ...call, args: what === 'workspace' ? rest.slice(1) : rest })
    // npm takes its own options up to `--`, wherever they stand; the others leave them to the script.
    const isOwnRest = call.program !== 'npm' && (verbs.runs.test(what) || verbs.scripts.test(what) || (verbs.isAnyScript === true && !verbs.adds.test(what)))
    const isScriptAlone = /^(?:yarn|yarnpkg|pnpm)$/u.test(call.program) && (/^(?:test|t|tst|start|build|lint|dev|format|typecheck)$/u.test(what) || !(verbs.builds.test(what) || verbs.reads.test(what) || verbs.adds.test(what) || verbs.remote.test(what) || verbs.runs.test(what) || verbs.scripts.test(what)))
    const own = isScriptAlone && what !== '' ? [] : isOwnRest ? rest.slice(0, firstOperand(rest)) : dashes >= 0 ? rest.slice(0, dashes) : rest
    const after = readOptions(own, managerOptions)
    const found = judgeVerb(call, verbs, what, rest, after.operands)
    const inner = /^(?:explore|edit|env|exec|x)$/u.test(what) && dashes >= 0 ? deniedInside({ ...call, args: rest.slice(dashes + 1) }) : nothing
    return join(inner, found.kind === 'allowable' ? scriptsOf(call, verbs, rest, [...before.options, ...after.options], what) : nothing, found, judgeOptions(call, before), judgeOptions(call, after), folderOf(call, [...before.options, ...after.options]))
  }
}

/** What the project's own scripts that a package manager would start amount to. Those of another package are not known here. */
function scriptsOf(call: Call, verbs: Verbs, rest: readonly Arg[], options: readonly { readonly name: string }[], what: string): Outcome {
  if (options.some(({ name }) => /^(?:-w|-C|-F|--workspaces?|--prefix|--dir|--cwd|--filter|-r|--recursive|--ignore-scripts)$/u.test(name))) return nothing
  if (verbs.scripts.test(what)) {
    const at = firstOperand(rest)
    const name = rest[at]?.text
    return name === undefined ? nothing : projectScripts(call, 'package', aroundScript(name), scriptWords(call, rest.slice(at + 1)))
  }
  const isInstall = /^(?:|i|in|ins|inst|install|isntall|ci|clean-install)$/u.test(what) && (what !== '' || call.program === 'yarn')
  if (isInstall) return projectScripts(call, 'package', installScripts)
  const name = /^(?:t|tst|test)$/u.test(what) ? 'test' : what
  const isScript = /^(?:test|start|stop|restart)$/u.test(name) ? call.program !== 'bun' || name !== 'test' : verbs.isAnyScript === true && !verbs.reads.test(what) && !verbs.adds.test(what) && !verbs.remote.test(what) && !verbs.runs.test(what)
  return isScript && name !== '' ? projectScripts(call, 'package', aroundScript(name), scriptWords(call, rest)) : nothing
}

/** What a script gets behind its own text: with npm what stands behind `--`, and words that are no options. */
function scriptWords(call: Call, rest: readonly Arg[]): readonly Arg[] {
  const dashes = rest.findIndex((arg) => arg.text === '--')
  if (call.program !== 'npm') return rest.filter((_, at) => at !== dashes)
  const front = dashes < 0 ? rest : rest.slice(0, dashes)
  return [...front.filter((arg) => !arg.text.startsWith('-')), ...(dashes < 0 ? [] : rest.slice(dashes + 1))]
}

function firstOperand(rest: readonly Arg[]): number {
  const at = rest.findIndex((arg) => !arg.text.startsWith('-'))
  return at < 0 ? rest.length : at
}

/** A package manager told to work in another folder works there. */
function folderOf(call: Call, options: readonly { readonly name: string; readonly value: Arg | null }[]): Outcome {
  const folders = options.filter((option) => /^(?:-C|--cwd|--dir|--prefix)$/u.test(option.name) && option.value)
  return join(...folders.map(({ value }) => (value ? { ...touch(call, value, 'folder'), reads: [] } : nothing)))
}

function judgeVerb(call: Call, verbs: Verbs, what: string, rest: readonly Arg[], operands: readonly Arg[]): Outcome {
  const builds = allow('guard.builds', { program: `${call.program} ${what}`.trim() })
  const installs = { ...ask('guard.installs', { program: call.program }), hosts: ['?'] }
  if (what === '') return call.program === 'yarn' ? builds : call.args.length === 0 || /^-/u.test(call.args[0]?.text ?? '') ? allow('guard.reads') : builds
  if (verbs.remote.test(what)) return { ...ask('guard.remote-effect', { program: `${call.program} ${what}`, host: '?' }), hosts: ['?'] }
  if (verbs.runs.test(what)) return runsTool(call, rest, what)
  if (verbs.scripts.test(what)) return operands[0]?.text === 'env' || rest[0]?.text === 'env' ? ask('guard.environment-dump') : builds
  if (what === 'node') return call.runArgs([plainArg('node'), ...rest])
  if (what === 'workspaces') return /^(?:run|list|info)$/u.test(rest[0]?.text ?? '') ? builds : ask('guard.tool-command', { program: call.program, command: 'workspaces' })
  if (what === 'pm' || what === 'store') return judgeStore(call, what, rest)
  if (what === 'version' || (what === 'init' && operands.length === 0)) return operands.length === 0 && what === 'version' ? allow('guard.reads-packages', { program: `${call.program} version` }) : ask('guard.protected', { path: 'package.json' }, true)
  if (/^(?:i|in|ins|inst|install|isntall)$/u.test(what)) return operands.length === 0 ? builds : installs
  if (what === 'pkg' && !/^get$/u.test(operands[0]?.text ?? '')) return call.program === 'bun' ? builds : ask('guard.protected', { path: 'package.json' }, true)
  if (what === 'audit' && operands.some((arg) => arg.text === 'fix' || arg.text === 'signatures')) return installs
  if (what === 'init' && operands.length > 0) return installs
  if (what === 'cache' && operands.length > 0 && !/^(?:ls|list|verify|dir)$/u.test(operands[0]?.text ?? '')) return ask('guard.outside-delete', { path: `${call.program} cache` })
  if (verbs.reads.test(what)) return { ...allow('guard.reads-packages', { program: `${call.program} ${what}` }) }
  if (verbs.adds.test(what)) return installs
  if (verbs.builds.test(what)) return builds
  if (/^(?:config|c|get|set)$/u.test(what)) return judgeConfig(call, what === 'get' ? ['get', ...operands.map((arg) => arg.text)] : operands.map((arg) => arg.text))
  if (verbs.isAnyScript === true && /^[\w:.@/-]+$/u.test(what)) return call.program === 'bun' && /[./]/u.test(what) ? bunScript(what) : isLocalTool(what) ? judgeLocalTool(call, what, rest) : builds
  return ask('guard.unknown-option', { program: call.program, option: what })
}

/** The store of packages that all projects share. */
function judgeStore(call: Call, what: string, rest: readonly Arg[]): Outcome {
  const isReading = /^(?:ls|list|bin|hash|hash-string|path|status)$/u.test(rest[0]?.text ?? '')
  return isReading ? allow('guard.reads-packages', { program: `${call.program} ${what}` }) : ask('guard.outside-delete', { path: `${call.program} ${what}` })
}

/** Settings of a package manager: reading one by name passes, listing shows logins, writing changes later commands. */
function judgeConfig(call: Call, words: readonly string[]): Outcome {
  const isReadingOne = words[0] === 'get' && words.length > 1 && !/token|auth|password|key/iu.test(words.join(' '))
  return isReadingOne ? allow('guard.reads-packages', { program: call.program }) : ask('guard.environment', { name: `${call.program} config` })
}

/** `bun some/file.ts`: a script of the project, or code from somewhere else. */
function bunScript(path: string): Outcome {
  return /^(?:\/|~|.*\.\.|.*:)/u.test(path) ? ask('guard.script', { path }) : allow('guard.runs-script', { path })
}

/** `npx`, `npm exec`, `pnpm dlx`: tools of the project pass like builds, others are fetched and run unseen. */
function runsTool(call: Call, rest: readonly Arg[], how: string): Outcome {
  const given = readOptions(rest, optionTable(`-yqw -p=! -c=x --yes --no --no-install --quiet --package=! --call=x --workspace= --workspaces --if-present --prefer-offline --silent --bun
    --ignore-existing! --node-options=! --shell=x`), { stopsAtOperand: true })
  const [tool, ...args] = given.operands[0]?.text === '--' ? given.operands.slice(1) : given.operands
  const text = valueOf(given, '-c', '--call')
  if (!tool) return text ? judgeOptions(call, given) : ask('guard.remote-code', { program: call.program })
  const name = tool.text.replace(/@[\w.^~*-]+$/u, '')
  const isFetched = how === 'dlx' || !isLocalTool(name) || name !== tool.text
  const found = isFetched ? { ...ask('guard.remote-code', { program: `${call.program} ${tool.shown}` }), hosts: ['?'] } : judgeLocalTool(call, name, args)
  const asNamed = call.runArgs([{ ...tool, text: name }, ...args], { fit: 'wrapped' })
  return join(found, judgeOptions(call, given), asNamed.kind === 'deny' ? asNamed : nothing)
}

const npx: Judge = (call) => runsTool(call, call.args, call.program === 'npx' || call.program === 'bunx' ? 'exec' : 'dlx')

const pipVerbs = { reads: /^(?:list|show|freeze|check|inspect|index|help|debug|hash|config-list)$/u, installs: /^(?:install|uninstall|download|wheel|lock)$/u }

/** `pip`: a requirements file of the project is a build, new names are new code. */
function pip(call: Call): Outcome {
  const words = call.args.filter((arg) => !/^-(?:q|v|-quiet|-verbose|-no-cache-dir|-disable-pip-version-check)$/u.test(arg.text))
  const [verb, ...rest] = words
  const what = verb?.text ?? ''
  if (pipVerbs.reads.test(what)) return allow('guard.reads-packages', { program: `${call.program} ${what}` })
  if (!pipVerbs.installs.test(what)) return ask('guard.unknown-option', { program: call.program, option: what })
  const given = readOptions(rest, optionTable(`-eUqv -r=r -c=r --requirement=r --constraint=r --editable --upgrade --quiet --no-deps --no-cache-dir --no-build-isolation --require-hashes --dry-run
    --disable-pip-version-check -y --yes --no-index --find-links=d -f=! --user! --target=w -t=w --prefix=! --root=! --break-system-packages! --index-url=!
    -i=! --extra-index-url=! --trusted-host=! --pre --no-binary= --only-binary= --upgrade-strategy= --force-reinstall --progress-bar= --group=`))
  const isListElsewhere = given.options.some((option) => /^(?:-r|-c|--requirement|--constraint)$/u.test(option.name) && /^[\w+]+:/u.test(option.value?.text ?? ''))
  const isOwn = what === 'install' && !isListElsewhere && given.operands.every((arg) => /^\.{1,2}(?:\/|\[|$)|^\.\/[^:]*$/u.test(arg.text))
  const found = isOwn ? allow('guard.builds', { program: `${call.program} ${what}` }) : { ...ask('guard.installs', { program: call.program }), hosts: ['?'] }
  return join(found, judgeOptions(call, given))
}

/** Options that point a build tool elsewhere, or to a program. */
const elsewhere =
  /^--(?:config|exec|toolexec|manifest-path|target-dir|out-dir|root|install-root|registry|index-url|index|source|output|outputdir|prefix|gradle-user-home|init-script|project-dir|project|build-file|include-build|modfile|overlay|C)(?:=|$)|^-(?:exec|toolexec|o|C|I|overlay|modfile|vettool)(?:=|$)/u

/** Words, or values of options, that plainly lead out of the folder. */
const leaves = /^(?:-{1,2}[\w-]+=)?(?:\.\.(?:\/|$)|~|\/)/u

/** A tool with sub-commands: those that build or read the project, and all others ask. */
function verbs(builds: RegExp, reads: RegExp, options = ''): Judge {
  return (call) => {
    const skipped = call.args.filter((arg) => !/^\+[\w.-]+$/u.test(arg.text))
    const given = readOptions(skipped, optionTable(`-qv --quiet --verbose --color= --locked --offline --frozen --no-ansi --no-interaction -n --help --version ${options}`), { stopsAtOperand: true })
    const [verb, ...rest] = given.operands
    const what = verb?.text ?? ''
    const own = judgeOptions(call, given)
    const risky = rest.find((arg) => elsewhere.test(arg.text))
    const asked = risky ? riskyOption(call, risky, rest) : nothing
    if (what === '') return join(allow('guard.reads'), own)
    const mine = rest.slice(0, rest.findIndex((arg) => /^--?args$|^--$/u.test(arg.text)) + 1 || rest.length)
    const linker = mine.find((arg) => /-extld(?:flags)?\b|-toolexec\b/u.test(arg.text))
    const outside = join(own, linker ? ask('guard.option', { program: call.program, option: linker.shown }) : nothing, ...mine.filter((arg) => leaves.test(arg.text) && !(call.program === 'dotnet' && /^\/[\w.-]+(?::|$)/u.test(arg.text))).map((arg) => touch(call, sliceArg(arg, /^-{1,2}[\w-]+=/u.exec(arg.text)?.[0].length ?? 0), 'list')).filter((found) => found.kind !== 'allowable'))
    if (runsCommand.test(`${call.program} ${what}`)) return join(own, runsInside(call, rest, what))
    if (rest.some((arg) => /^(?:-e|--eval|--execute)$/u.test(arg.text)) && /^(?:mix|rebar3|lein|nimble|zig|dart)$/u.test(call.program)) return join(own, ask('guard.inline-code', { program: call.program }))
    if (reads.test(what)) return join(allow('guard.reads-packages', { program: `${call.program} ${what}` }), outside, asked)
    if (builds.test(what)) return join(allow('guard.builds', { program: `${call.program} ${what}` }), outside, asked)
    return join({ ...ask('guard.tool-command', { program: call.program, command: verb?.shown ?? '' }) }, own)
  }
}

const runsCommand = /^(?:uv|poetry|pipenv|hatch|pdm|rye|bundle|bundler|conda) (?:run|exec)$/u
const runOptions = optionTable(`-qvn -e= --quiet --verbose --no-sync --frozen --locked --offline --isolated --no-project --active --dev --no-dev --all-extras --extra= --group=
  --no-group= --only-group= --keep-file-descriptors --gemfile=r --with=! --from=! --python=! -p=! --env-file=r --directory=d --project=d -s
  --site-packages`)

/** `poetry run X`, `bundle exec X`: the command inside is what counts; tools of the project are found by it. */
function runsInside(call: Call, rest: readonly Arg[], what: string): Outcome {
  const given = readOptions(rest, runOptions, { stopsAtOperand: true })
  const inner = given.operands
  if (inner.length === 0) return ask('guard.unknown-name')
  const ran = /\.py$/u.test(inner[0]?.text ?? '') ? call.runArgs([plainArg('python'), ...inner]) : call.runArgs(inner)
  const own = judgeOptions(call, given)
  return own === nothing ? join(allow('guard.builds', { program: `${call.program} ${what}` }), ran) : join(allow('guard.builds', { program: `${call.program} ${what}` }), ran, own)
}

/** Options of build tools that point elsewhere: a path of the project is fine, a program is judged. */
function riskyOption(call: Call, option: Arg, rest: readonly Arg[]): Outcome {
  const equals = option.text.indexOf('=')
  const text = equals >= 0 ? { ...option, text: option.text.slice(equals + 1) } : (rest[rest.indexOf(option) + 1] ?? null)
  if (/exec|vettool/u.test(option.text)) return judgeCommandText(call, option.shown, text)
  if (/config|init-script|registry|index|source|overlay|modfile/u.test(option.text)) return ask('guard.option', { program: call.program, option: option.shown })
  const value = equals >= 0 ? { ...option, text: option.text.slice(equals + 1), shown: option.shown.slice(equals + 1) } : rest[rest.indexOf(option) + 1]
  return value ? touch(call, value, 'write') : nothing
}

const cargo = verbs(/^(?:build|b|check|c|test|t|run|r|bench|clippy|fmt|doc|d|clean|fetch|generate-lockfile|nextest|miri|expand|hack|vendor)$/u, /^(?:tree|metadata|version|search|info|locate-project|pkgid|read-manifest|verify-project|help|outdated|audit|deny)$/u)
const go = verbs(/^(?:build|test|vet|fmt|run|generate|mod|work|fix|clean|tool)$/u, /^(?:version|list|doc|help)$/u)

/** `go mod download` and `go run some/where@version` bring in code; `go env -w` writes settings. */
function goJudge(call: Call): Outcome {
  const words = call.args.map((arg) => arg.text)
  if (words[0] === 'env') return words.includes('-w') || words.includes('-u') ? ask('guard.environment', { name: 'go env' }) : allow('guard.reads-packages', { program: 'go env' })
  if (words[0] === 'clean' && words.some((word) => /^-(?:mod)?cache/u.test(word))) return ask('guard.outside-delete', { path: 'go cache' })
  if ((words[0] === 'run' || words[0] === 'get' || words[0] === 'install') && words.some((word) => /@[\w.-]+$/u.test(word))) return { ...ask('guard.installs', { program: 'go' }), hosts: ['?'] }
  return go(call)
}

/** Package managers. */
export const packagePrograms: ProgramTable = {
  npm: manager(npmVerbs), yarn: manager(yarnVerbs), yarnpkg: manager(yarnVerbs), pnpm: manager(pnpmVerbs), bun: manager(bunVerbs), npx, bunx: npx, pnpx: npx,
  cnpm: manager(npmVerbs),
  pip, pip3: pip, 'pip3.11': pip, 'pip3.12': pip, uv: verbs(/^(?:sync|run|lock|build|venv|export)$/u, /^(?:tree|version|help)$/u),
  poetry: verbs(/^(?:install|run|build|check|lock|sync)$/u, /^(?:show|version|about|env|help)$/u),
  pipenv: verbs(/^(?:sync|run|check|verify)$/u, /^(?:graph|--venv|--where)$/u), hatch: verbs(/^(?:build|run|test|fmt)$/u, /^(?:version|status)$/u),
  pdm: verbs(/^(?:sync|install|run|build|lock)$/u, /^(?:list|info|show)$/u), rye: verbs(/^(?:sync|run|build|lock|test|fmt|lint)$/u, /^(?:show|list|version)$/u),
  cargo, go: goJudge, bundle: verbs(/^(?:install|exec|check|clean|lock)$/u, /^(?:list|show|info|outdated|platform|version|doctor)$/u),
  bundler: verbs(/^(?:install|exec|check)$/u, /^(?:list|show)$/u),
  composer: verbs(/^(?:install|test|run-script|run|dump-autoload|dumpautoload|check-platform-reqs|audit|exec)$/u, /^(?:show|validate|outdated|licenses|status|why|why-not|depends|diagnose|about|info|suggests|fund|search)$/u),
  mix: verbs(/^(?:test|compile|format|deps\.get|deps\.compile|credo|dialyzer|run|ecto\.migrate)$/u, /^(?:deps|help)$/u),
  rebar3: verbs(/^(?:compile|ct|eunit|dialyzer|fmt|release)$/u, /^(?:tree|deps)$/u), lein: verbs(/^(?:test|compile|run|uberjar|check)$/u, /^(?:deps)$/u),
  pub: verbs(/^(?:get)$/u, /^(?:deps|outdated)$/u), dart: verbs(/^(?:test|analyze|format|compile|run|pub)$/u, /^(?:info)$/u),
  flutter: verbs(/^(?:test|analyze|build|run|pub|gen-l10n)$/u, /^(?:doctor|devices)$/u), swift: verbs(/^(?:build|test|run|package)$/u, /^$/u),
  zig: verbs(/^(?:build|test|fmt|run|build-exe|build-lib|ast-check)$/u, /^(?:version|env|targets)$/u), nimble: verbs(/^(?:build|test|run)$/u, /^(?:list)$/u),
  pod: verbs(/^(?:install|lib)$/u, /^(?:outdated|list)$/u), carthage: verbs(/^(?:build)$/u, /^(?:outdated)$/u), vcpkg: verbs(/^(?:install)$/u, /^(?:list)$/u),
  conan: verbs(/^(?:install|build)$/u, /^(?:list|info|graph)$/u),
  dotnet: verbs(/^(?:build|test|run|restore|clean|publish|format|watch|pack|msbuild|vstest)$/u, /^(?:--info|--list-sdks|list|sln)$/u),
  stack: verbs(/^(?:build|test|run|bench|haddock|clean)$/u, /^(?:ls|path|query|list)$/u), cabal: verbs(/^(?:build|test|run|check|bench|haddock|clean|v2-build|v2-test)$/u, /^(?:list|info|freeze)$/u),
  nuget: verbs(/^(?:restore)$/u, /^(?:list)$/u),
}
