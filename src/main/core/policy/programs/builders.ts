import type { Arg, Call, Judge, Outcome, ProgramTable } from '../shell/call'
import { plainArg, sliceArg } from '../shell/call'
import { allow, ask, isDenied, join, nothing } from '../shell/outcomes'
import { resolvePath } from '../shell/paths'
import { touch } from '../shell/places'
import { judgeInlineCode } from './inlineCode'
import { projectScripts } from './projectScripts'
import { writtenTexts } from './shells'
import { deniedInside } from './traced'
import { judgeCommandText, judgeOptions, optionTable, readOptions } from './options'
import { oneOf, wordSet } from '../shell/alternatives'

/** Tools of a project that build, check, format or test it; from the project's own packages or installed. */
const localTools = wordSet(`
  eslint prettier vitest jest tsc tsx ts-node mocha ava tap c8 nyc karma cypress playwright vite webpack rollup esbuild parcel swc babel tsup unbuild
  turbo nx lerna lage rush wireit next nuxt astro remix svelte-check svelte-kit vue-tsc vue-cli-service ng ember gatsby eleventy stylelint biome oxlint
  oxfmt dprint knip depcheck madge dependency-cruiser depcruise tsd attw publint size-limit typedoc api-extractor storybook build-storybook
  electron-vite electron-builder electron-forge tailwindcss postcss sass less lessc svgo terser uglifyjs husky lint-staged commitlint changeset
  semantic-release standard xo jscpd cspell markdownlint markdownlint-cli2 remark textlint graphql-codegen openapi-typescript prisma-lint drizzle-kit
  sequelize-cli typeorm http-server serve live-server json-server nodemon concurrently npm-run-all run-s run-p wait-on rimraf mkdirp cpx copyfiles shx
  del-cli ncu npm-check-updates license-checker source-map-explorer pkgroll microbundle tslint flow gulp grunt bower yo ionic cap expo-doctor tsc-alias
  ttsc patch-package sort-package-json syncpack manypkg allure wdio nightwatch testcafe lighthouse lhci pytest py.test tox nox ruff black mypy flake8
  pylint isort pyright bandit coverage autopep8 yapf pyupgrade vulture pydocstyle radon sphinx-build mkdocs pre-commit django-admin alembic pip-audit
  safety pip-compile pip-sync rspec rubocop rake rails minitest standardrb brakeman reek solargraph phpunit phpstan psalm phpcs phpcbf php-cs-fixer pest
  artisan pint golangci-lint staticcheck gofmt goimports gofumpt golint gotestsum gosec govulncheck revive rustfmt rustc clippy-driver cargo-nextest
  javac kotlinc ktlint detekt checkstyle google-java-format scalafmt scalac sbt ant gcc g++ clang clang++ cc c++ ld ar as ranlib strip clang-format
  clang-tidy cppcheck cpplint valgrind gcov gcovr lcov nasm flex bison yacc lex protoc thrift flatc swiftc swiftlint swiftformat xcodebuild xcpretty
  ninja meson cmake ctest cpack bazel bazelisk buck2 pants please scons waf premake5 autoconf automake autoreconf aclocal libtoolize shellcheck shfmt
  hadolint yamllint actionlint jsonlint tflint terraform-docs ansible-lint helm-docs kubeconform sqlfluff buf vale proselint pandoc latexmk pdflatex
  xelatex lualatex bibtex typst asciidoctor jekyll hugo mdbook zola doxygen plantuml dot mmdc convert magick identify ffmpeg ffprobe optipng pngquant
  elm elm-test purs spago ghc hlint ormolu stylish-haskell dune ocamlc esy nim crystal vlang
  kustomize prove wasm-pack msbuild xmake gleam hardhat forge flask verilator iverilog gfortran
`)

/** Of those, names that write or run in a way of their own. */
const writingTools = wordSet(`
  rimraf mkdirp cpx copyfiles shx del-cli concurrently npm-run-all nodemon semantic-release changeset husky convert magick ffmpeg rails artisan yo as ld
  serve http-server pandoc ncu npm-check-updates wait-on prisma django-admin alembic drizzle-kit typeorm sequelize-cli patch-package lerna ant
`)

/** Tools with sub-commands: those that build, test or show; all others ask. */
const toolVerbs: Readonly<Record<string, RegExp>> = {
  nx: /^(?:test|build|lint|run|run-many|affected(?::\w+)?|e2e|serve|typecheck|graph|show|format:check|report|list)$/u,
  'pre-commit': /^(?:run|validate-config|validate-manifest|sample-config)$/u,
  rails: /^(?:test|test:\w+|routes|about|stats|zeitwerk:check|notes|s|server)$/u,
  sbt: /^(?:compile|test|testOnly .*|clean|run|package|Test\/compile|scalafmtCheck|test:compile)$/u,
  prisma: /^(?:generate|validate|format|version)$/u,
  dot: /^(?!-)/u,
  kustomize: /^(?:build|version)$/u,
  'wasm-pack': /^(?:build|test)$/u,
  xmake: /^(?:build|test|check)$/u,
  gleam: /^(?:build|test|check|format|run)$/u,
  hardhat: /^(?:compile|test|coverage|check|size-contracts)$/u,
  forge: /^(?:build|test|fmt|coverage|snapshot|inspect|tree)$/u,
  flask: /^(?:routes|run)$/u,
}

/** Tools whose words are whole commands. */
const commandTools: ReadonlySet<string> = new Set(['concurrently', 'nodemon', 'wait-on', 'npm-run-all', 'run-p', 'run-s'])

/** True for a tool that belongs to a project. */
export function isLocalTool(name: string): boolean {
  return localTools.has(name)
}

/** Tools that only run another command of the words that follow. */
const toolWrappers: ReadonlySet<string> = new Set(['nyc', 'c8', 'valgrind', 'shx', 'lerna-exec'])

/** Tools that run code: judged as the interpreters that they are. */
const toolInterpreters: ReadonlySet<string> = new Set(['tsx', 'ts-node'])

/** Compilers, which look for their own parts where `-B` says. */
const compilers = /^(?:gcc|g\+\+|clang|clang\+\+|cc|c\+\+)$/u

/** Options by which a tool runs a program or code of the command line. */
const running =
  oneOf(String.raw`
    --?(?:exec|execute|eval|wrapper|command|cmd|on-?success|on-?failure|hook|pager|editor|extcmd|open-with|shell-escape|enable-write18|fplugin|fpass-plugin|specs|plugin-path|rulesdir|interpreter|node-arg|node-option|nodeOptions|exec-path|toolexec|pgmF|print-exec|run_under)(?:=.*)?
    -fplugin=.* -fpass-plugin=.* -specs=.* -Xclang -pgm[A-Za-z]+.* -Xplugin=.* -J-.* -C?(?:linker|link-arg|link-args)=.*
  `, 'iu')
const codeLetters: Readonly<Record<string, RegExp>> = { rustc: /^(?:-C)?(?:linker|link-args?)=/u, protoc: /^--plugin=(?!(?:[\w-]+=)?(?:\.\/)?node_modules\/\.bin\/)/u, rake: /^-[epEr]$/u, latexmk: /^-[er]$|^-pdflatex=|^-latex=/u, ghc: /^-e$/u, crystal: /^eval$/u, nim: /^(?:e|secret)$/u, dune: /^exec$/u, esy: /^(?:x|exec|[^-].*)$/u, gulp: /^--require$/u, phpunit: /^--bootstrap=|^--printer$/u, lerna: /^exec$/u, nx: /^exec$/u, flow: /^$/u }
/** Goals that throw data away, or that put the project somewhere, wherever they stand. */
const losingGoal = /^(?:db:(?:drop|reset|purge|wipe|schema:load|migrate:reset)(?::.*)?|ecto\.(?:drop|reset))$/u
const spreadingGoal = /(?:^|:)(?:deploy|publish|release|upload)(?:$|:)/u
const goalTools: ReadonlySet<string> = new Set(['cap', 'rake', 'gulp', 'grunt'])
const spreading = /^(?:deploy|gh-deploy|publish|upload|release|install|login|logout|push|link|unlink)$/u

/** A tool of the project: like its scripts, what it does is not part of the command; code, programs and paths outside are. */
export function judgeLocalTool(call: Call, name: string, args: readonly Arg[]): Outcome {
  if (name === 'rimraf' || name === 'del-cli') return join(allow('guard.builds', { program: name }), ...args.filter((arg) => !arg.text.startsWith('-')).map((arg) => touch(call, arg, 'delete-tree')))
  if (toolInterpreters.has(name)) return call.runArgs([plainArg(name), ...args])
  if (toolWrappers.has(name)) return wraps(call, name, args)
  const outside = args.map((arg, at) => leading(call, name, args, at)).filter((found) => found.kind !== 'allowable')
  const option = args.find((arg) => running.test(arg.text) || (name === 'nodemon' && arg.text === '-x') || codeLetters[name]?.test(arg.text) === true)
  const runs = option ? (codeLetters[name] ? inlineCode(call, name, valueAfter(option, args)) : judgeCommandText(call, option.shown, valueAfter(option, args))) : nothing
  const searches = compilers.test(name) ? args.find((arg) => /^-B|^@|^-(?:no-canonical-prefixes|ccc-.*)$|^--(?:sysroot|gcc-toolchain)=\.{0,2}\//u.test(arg.text)) : undefined
  const toolPath = searches ? ask('guard.option', { program: name, option: searches.shown }) : nothing
  const word = args.find((arg) => !arg.text.startsWith('-'))
  if ((name === 'playwright' || name === 'cypress') && /^install/u.test(word?.text ?? '')) return { ...ask('guard.installs', { program: name }), hosts: ['?'] }
  const tested = toolVerbs[name]
  const isTested = tested !== undefined && word !== undefined && tested.test(word.text) && !args.some((arg) => /(?:^|[:=])(?:deploy|publish|release|push|upload)/iu.test(arg.text))
  const isCommands = commandTools.has(name) ? join(...args.filter((arg) => /\S\s+\S/u.test(arg.text)).map((arg) => call.runText(arg.text)).filter(isDenied)) : nothing
  const isGoal = args.some((arg) => losingGoal.test(arg.text) || (goalTools.has(name) && spreadingGoal.test(arg.text)))
  const spreads = isGoal || (word && spreading.test(word.text)) || (tested !== undefined && !isTested && args.length > 0) || (writingTools.has(name) && !isTested) ? ask('guard.tool-command', { program: name, command: word?.shown ?? '' }, true) : nothing
  return join(allow('guard.builds', { program: name }), spreads, runs, isCommands, toolPath, ...outside)
}

/** Code that a tool runs from the command line. */
function inlineCode(call: Call, name: string, code: Arg | null): Outcome {
  return join(ask('guard.inline-code', { program: name }), code ? judgeInlineCode(call, code.text) : nothing)
}

/** The command after a wrapper's own options. */
function wraps(call: Call, name: string, args: readonly Arg[]): Outcome {
  const at = args.findIndex((arg) => !arg.text.startsWith('-'))
  if (at < 0) return ask('guard.unknown-name')
  const inner = call.runArgs(args.slice(at), { fit: 'wrapped' })
  return at === 0 ? inner : join(inner, args.slice(0, at).some((arg) => arg.text !== '--') ? allow('guard.builds', { program: name }) : nothing)
}

function valueAfter(option: Arg, args: readonly Arg[]): Arg | null {
  const equals = option.text.indexOf('=')
  return equals >= 0 ? sliceArg(option, equals + 1) : (args[args.indexOf(option) + 1] ?? null)
}

/** Options whose value is written. */
const outputs = /^(?:-o|-O|-d|-B|-w|--?(?:out|output|dest|destination|target|build|write|report|junit|log|coverage)\w*(?:-?(?:dir|file|path|directory|xml|folder|root))?|--prefix|--basetemp|--cache-?dir\w*|--outputFile|--\w+_out|--results-directory|--install\w*)$/iu
const changesInPlace = /^(?:-w|-i|-A|-a|--write|--fix|--in-place|--inplace|--auto-?correct\w*|--autofix|--overwrite|--replace)$/u
/** Options whose value is a text about paths or addresses, not a path of this machine. */
const texts = /^(?:-k|--(?:grep|grepInvert|testNamePattern|test-name-pattern|ignore-pattern|base|base-href|baseURL|deploy-url|public-path|output-public-path|filter|match|url|route))$/u

/** A word that leads out of the folder: where it is written to, what nothing may write is denied; else it is a question. */
function leading(call: Call, name: string, args: readonly Arg[], at: number): Outcome {
  const arg = args[at]
  const path = arg ? pathOf(arg, args[at - 1]) : null
  if (!arg || !path) return nothing
  const before = args[at - 1]?.text ?? ''
  const option = /^--?[\w-]+(?==)|^-[od](?=[/~.])/u.exec(arg.text)?.[0] ?? (/^--?[A-Za-z]/u.test(before) && !before.includes('=') ? before : '')
  if (texts.test(option)) return nothing
  const isWritten = outputs.test(option) || (option === '' && (writingTools.has(name) || args.some((each) => changesInPlace.test(each.text))))
  const isInstalled = /^--(?:prefix|install)/u.test(option)
  if (isWritten && !isInstalled) return touch(call, path, 'write')
  if (/^\/(?:usr\/(?:include|lib|share)|opt\/homebrew)\//u.test(path.text) && !path.text.includes('/../')) return nothing
  return join(ask('guard.outside-read', { path: path.shown }), touch(call, path, 'read'))
}

/** Operands and option values that are plainly paths leaving the folder. */
function pathOf(arg: Arg, before: Arg | undefined): Arg | null {
  const equals = (/^--?[\w-]+=|^-[od](?=[/~.])/u.exec(arg.text)?.[0].length ?? 0)
  const value = equals > 0 ? sliceArg(arg, equals) : arg.text.startsWith('@') ? sliceArg(arg, 1) : arg
  const isInclude = /^-[IL]$/u.test(before?.text ?? '') || /^-[IL]\//u.test(arg.text)
  return /^(?:\/|~|\.\.\/|\.\.$)/u.test(value.text) && !isInclude ? value : null
}

const makeOptions = optionTable(`-bBdeikKnpqrRsStvwhm -C=d -f=r -I=d -j? -l? -o= -O? -W= -E=! --always-make --directory=d --debug? --environment-overrides --file=r --makefile=r
  --ignore-errors --include-dir=d --jobs? --keep-going --load-average? --check-symlink-times --just-print --dry-run --recon --old-file= --output-sync?
  --print-data-base --question --no-builtin-rules --no-builtin-variables --silent --quiet --no-silent --no-keep-going --stop --touch --trace
  --print-directory --no-print-directory --what-if= --warn-undefined-variables --eval=! --version`)

/** The commands of a makefile's text. */
function recipesIn(text: string): readonly string[] {
  return text.split('\n').map((line) => /^\t[@+-]*(.*)$|^[^#=]*:[^=;]*;(.*)$/u.exec(line)?.slice(1).find((each) => each !== undefined) ?? '').filter((each) => each.trim() !== '')
}

/** `make`: targets of the project pass; variables that name programs, other makefiles and `--eval` ask. */
function make(call: Call): Outcome {
  const given = readOptions(call.args, makeOptions)
  const settings = given.operands.filter((arg) => /^[\w.]+[:+?]?=/u.test(arg.text))
  const risky = settings.filter((arg) => /^(?:SHELL|\.SHELLFLAGS|MAKE|MAKEFLAGS|MAKEFILES|CC|CXX|LD|AR|AS|RM|INSTALL|DESTDIR|prefix|PREFIX|bindir|BINDIR|PATH)[:+?]?=/u.test(arg.text) && !/^(?:CC|CXX)=(?:gcc|clang|cc|g\+\+|clang\+\+)(?:-\d+)?$/u.test(arg.text))
  const shells = settings.filter((arg) => /\$\(shell|`|!=/u.test(arg.text))
  const texts = [...risky, ...shells].map((arg) => join(ask('guard.option', { program: call.program, option: arg.shown }), judgeCommandText(call, arg.shown, sliceArg(arg, arg.text.indexOf('=') + 1))))
  const spread = given.operands.some((arg) => /^(?:un)?install(?:$|-)|^(?:publish|deploy|release|push|upload)/u.test(arg.text)) ? ask('guard.tool-command', { program: call.program, command: given.operands.find((arg) => !arg.text.includes('='))?.shown ?? '' }) : nothing
  const written = given.options.flatMap((option) => (/^(?:-E|--eval)$/u.test(option.name) && option.value ? recipesIn(option.value.text) : [])).map((text) => call.runText(text)).filter(isDenied)
  const makefiles = given.options.some((option) => /^(?:-f|--file|--makefile)$/u.test(option.name)) ? given.options.flatMap((option) => (/^(?:-f|--file|--makefile)$/u.test(option.name) && option.value ? [option.value] : [])) : ['GNUmakefile', 'makefile', 'Makefile', 'justfile'].map(plainArg)
  const justWritten = makefiles.flatMap((file) => writtenTexts(call, file)).flatMap(recipesIn).map((text) => call.runText(text)).filter(isDenied)
  const recipes = recipesIn(call.stdin.text ?? '').map((text) => call.runText(text)).filter(isDenied)
  const isFromInput = given.options.some((option) => /^(?:-f|--file|--makefile)$/u.test(option.name) && (option.value?.stream !== null || /^(?:-|\/dev\/.*)$/u.test(option.value.text))) ? join(ask('guard.shell-input', { program: call.program }), ...recipes) : nothing
  const folder = given.options.filter((option) => /^(?:-C|--directory)$/u.test(option.name)).map(({ value }) => (value ? { ...touch(call, value, 'folder'), reads: [] } : nothing))
  const targets = given.operands.filter((arg) => !arg.text.includes('=')).map((arg) => arg.text)
  const isOwnFile = !given.options.some((option) => /^(?:-C|-f|--directory|--file|--makefile|-n|--just-print|--dry-run|--recon)$/u.test(option.name))
  const recipe = isOwnFile && /^g?make$/u.test(call.program) ? projectScripts(call, 'make', targets.length > 0 ? targets : ['']) : nothing
  const started = /^(?:just|task)$/u.test(call.program) ? deniedInside(call) : nothing
  return join(recipe, allow('guard.builds', { program: call.program }), judgeOptions(call, given), spread, isFromInput, started, ...written, ...justWritten, ...folder, ...texts)
}

/** Build tools whose goals are words: publishing and installing ask. */
const goals: Judge = (call) => {
  const words = call.args.map((arg) => arg.text)
  const spread = words.find((word) => /(?:^|:)(?:deploy|publish\w*|release\w*|upload\w*|install|site-deploy|pushImage)/iu.test(word) && !/^(?:installDist|clean)$/u.test(word)) ?? words.find((word) => /^exec:|^antrun:|^groovy:/u.test(word))
  const risky = words.find((word) => /^(?:-I|--init-script|-D(?:exec|maven\.ext|java\.|org\.gradle\.jvmargs)|-s|--settings|-gs|-b|--build-file|-p|--project-dir|-f|--file|--include-build|-g|--gradle-user-home|--(?:run_under|bazelrc|output_base|output_user_root|install_base|override_repository|workspace_status_command)\b)/u.test(word) && !/^-(?:pl|fae|ff|fn|sb)$/u.test(word))
  const runs = spread ? ask('guard.tool-command', { program: call.program, command: spread }) : nothing
  return join(allow('guard.builds', { program: call.program }), runs, risky ? ask('guard.option', { program: call.program, option: risky }) : nothing)
}

const cmake: Judge = (call) => {
  const words = call.args.map((arg) => arg.text)
  if (words.includes('-E')) return eTool(call)
  if (words.includes('-P') || words.includes('--install') || words.some((word) => /^-DCMAKE_(?:INSTALL_PREFIX|C_COMPILER|CXX_COMPILER|.*LAUNCHER|TOOLCHAIN_FILE|PROJECT_.*INCLUDE)/u.test(word))) return ask('guard.option', { program: 'cmake', option: words.find((word) => /^-(?:P|-install|DCMAKE)/u.test(word)) ?? '' })
  if (words.some((word, at) => word === 'install' && /^(?:--target|-t)$/u.test(words[at - 1] ?? ''))) return ask('guard.tool-command', { program: 'cmake', command: 'install' })
  return judgeLocalTool(call, 'cmake', call.args)
}

/** `cmake -E rm -rf x` is a small shell of its own. */
function eTool(call: Call): Outcome {
  const rest = call.args.slice(call.args.findIndex((arg) => arg.text === '-E') + 1)
  const [what, ...args] = rest
  if (/^(?:rm|remove|remove_directory)$/u.test(what?.text ?? '')) return call.runArgs([plainArg('rm'), ...args], { fit: 'wrapped' })
  const asks = ask('guard.tool-command', { program: 'cmake -E', command: what?.shown ?? '' })
  if (what?.text === 'env' || what?.text === 'time') return join(asks, call.runArgs([what, ...args], { fit: 'wrapped' }))
  if (what?.text === 'chdir' && args[0] && args.length > 1) return join(asks, call.runArgs(args.slice(1), { fit: 'wrapped', state: { ...call.state, cwds: resolvePath(args[0].text, call.state.cwds) } }))
  return asks
}

/** `java -jar x.jar` runs unseen code of a file. */
const java: Judge = (call) => (/^-{1,2}version$/u.test(call.args[0]?.text ?? '') && call.args.length === 1 ? allow('guard.reads') : ask('guard.script', { path: call.args.map((arg) => arg.shown).join(' ').slice(0, 80) }))

/** Compilers and checkers, each judged as a tool of the project. */
export const builderPrograms: ProgramTable = {
  ...Object.fromEntries([...localTools].map((name): [string, Judge] => [name, (call) => judgeLocalTool(call, name, call.args)])),
  make, gmake: make, remake: make, just: make, task: make, cmake, mvn: goals, mvnw: goals, gradle: goals, gradlew: goals, mill: goals, bazel: goals, bazelisk: goals, buck2: goals, pants: goals, please: goals,
  java,
}
