import type { Arg, Call, Judge, Outcome, ProgramTable } from '../shell/call'
import { sliceArg } from '../shell/call'
import { allow, ask, join, nothing } from '../shell/outcomes'
import { touch } from '../shell/places'
import { judgeCommandText, judgeOptions, optionTable, readOptions } from './options'

/** Tools of a project that build, check, format or test it; from the project's own packages or installed. */
const localTools: ReadonlySet<string> = new Set(
  ('eslint prettier vitest jest tsc tsx ts-node mocha ava tap c8 nyc karma cypress playwright vite webpack rollup esbuild parcel swc babel tsup unbuild turbo nx lerna lage rush wireit next nuxt astro remix svelte-check svelte-kit vue-tsc vue-cli-service ng ember gatsby eleventy ' +
  'stylelint biome oxlint oxfmt dprint knip depcheck madge dependency-cruiser depcruise tsd attw publint size-limit typedoc api-extractor storybook build-storybook electron-vite electron-builder electron-forge tailwindcss postcss sass less lessc svgo terser uglifyjs husky lint-staged commitlint changeset semantic-release standard xo jscpd cspell markdownlint markdownlint-cli2 remark textlint ' +
  'graphql-codegen openapi-typescript prisma-lint drizzle-kit sequelize-cli typeorm http-server serve live-server json-server nodemon concurrently npm-run-all run-s run-p wait-on rimraf mkdirp cpx copyfiles shx del-cli ncu npm-check-updates license-checker source-map-explorer pkgroll microbundle tslint flow gulp grunt bower yo ionic cap expo-doctor tsc-alias ttsc patch-package sort-package-json syncpack manypkg allure wdio nightwatch testcafe lighthouse lhci ' +
  'pytest py.test tox nox ruff black mypy flake8 pylint isort pyright bandit coverage autopep8 yapf pyupgrade vulture pydocstyle radon sphinx-build mkdocs pre-commit django-admin alembic pip-audit safety pip-compile pip-sync ' +
  'rspec rubocop rake rails minitest standardrb brakeman reek solargraph phpunit phpstan psalm phpcs phpcbf php-cs-fixer pest artisan pint ' +
  'golangci-lint staticcheck gofmt goimports gofumpt golint gotestsum gosec govulncheck revive rustfmt rustc clippy-driver cargo-nextest javac kotlinc ktlint detekt checkstyle google-java-format scalafmt scalac sbt ant ' +
  'gcc g++ clang clang++ cc c++ ld ar as ranlib strip clang-format clang-tidy cppcheck cpplint valgrind gcov gcovr lcov nasm flex bison yacc lex protoc thrift flatc swiftc swiftlint swiftformat xcodebuild xcpretty ' +
  'ninja meson cmake ctest cpack bazel bazelisk buck2 pants please scons waf premake5 autoconf automake autoreconf aclocal libtoolize shellcheck shfmt hadolint yamllint actionlint jsonlint tflint terraform-docs ansible-lint helm-docs kubeconform sqlfluff buf vale proselint pandoc latexmk pdflatex xelatex lualatex bibtex typst asciidoctor jekyll hugo mdbook zola doxygen plantuml dot mmdc convert magick identify ffmpeg ffprobe optipng pngquant elm elm-test purs spago ghc hlint ormolu stylish-haskell dune ocamlc esy nim crystal vlang').split(' '),
)

/** Of those, names that write or run in a way of their own. */
const writingTools: ReadonlySet<string> = new Set(['rimraf', 'mkdirp', 'cpx', 'copyfiles', 'shx', 'del-cli', 'concurrently', 'npm-run-all', 'nodemon', 'semantic-release', 'changeset', 'husky', 'convert', 'magick', 'ffmpeg', 'rails', 'artisan', 'yo', 'as', 'ld', 'dot', 'serve', 'http-server', 'pandoc', 'ncu', 'npm-check-updates', 'wait-on', 'prisma', 'django-admin', 'alembic', 'drizzle-kit', 'typeorm', 'sequelize-cli', 'pre-commit', 'patch-package', 'nx', 'lerna', 'ant', 'sbt'])

/** True for a tool that belongs to a project. */
export function isLocalTool(name: string): boolean {
  return localTools.has(name)
}

const riskyWords = /^--?(?:plugin|resolve-plugins-relative-to|rulesdir|config|require|import|loader|exec|fixWith|exec-path|interpreter|node-arg|eval|reporter|environment|globalSetup|setupFiles|testRunner|runner|watchPlugins|prefix|install-dir)(?:=|$)/u

/** A tool of the project: like its scripts, what it does is not part of the command; paths and plug-ins outside are. */
export function judgeLocalTool(call: Call, name: string, args: readonly Arg[]): Outcome {
  if (name === 'rimraf' || name === 'del-cli') return join(allow('guard.builds', { program: name }), ...args.filter((arg) => !arg.text.startsWith('-')).map((arg) => touch(call, arg, 'delete-tree')))
  const outside = args.map((arg, at) => pathOf(arg, args[at - 1])).filter((arg) => arg !== null).map((arg) => touch(call, arg, 'write')).filter((found) => found.kind !== 'allowable')
  const risky = args.some((arg) => riskyWords.test(arg.text) && /(?:\/\.\.\/|=\.\.|=\/|=~|data:|https?:)/u.test(arg.text)) ? ask('guard.option', { program: name, option: '' }) : nothing
  if ((name === 'playwright' || name === 'cypress') && /^install/u.test(args[0]?.text ?? '')) return { ...ask('guard.installs', { program: name }), hosts: ['?'] }
  if (writingTools.has(name)) return join(ask('guard.tool-command', { program: name, command: args[0]?.shown ?? '' }, true), ...outside)
  return join(allow('guard.builds', { program: name }), risky, ...outside)
}

/** Operands and option values that are plainly paths leaving the folder. */
function pathOf(arg: Arg, before: Arg | undefined): Arg | null {
  const equals = /^--?[\w-]+=/u.exec(arg.text)?.[0].length ?? 0
  const value = equals > 0 ? sliceArg(arg, equals) : arg
  const isInclude = /^-[IL]$/u.test(before?.text ?? '') || /^-[IL]\//u.test(arg.text)
  return /^(?:\/|~|\.\.\/|\.\.$)/u.test(value.text) && !isInclude && !/^\/(?:usr\/(?:include|lib|share)|opt\/homebrew)\//u.test(value.text) ? value : null
}

const makeOptions = optionTable('-bBdeikKnpqrRsStvwhm -C=d -f=r -I=d -j? -l? -o= -O? -W= -E=! --always-make --directory=d --debug? --environment-overrides --file=r --makefile=r --ignore-errors --include-dir=d --jobs? --keep-going --load-average? --check-symlink-times --just-print --dry-run --recon --old-file= --output-sync? --print-data-base --question --no-builtin-rules --no-builtin-variables --silent --quiet --no-silent --no-keep-going --stop --touch --trace --print-directory --no-print-directory --what-if= --warn-undefined-variables --eval=! --version')

/** `make`: targets of the project pass; variables that name programs, other makefiles and `--eval` ask. */
function make(call: Call): Outcome {
  const given = readOptions(call.args, makeOptions)
  const settings = given.operands.filter((arg) => /^[\w.]+[:+?]?=/u.test(arg.text))
  const risky = settings.filter((arg) => /^(?:SHELL|\.SHELLFLAGS|MAKE|MAKEFLAGS|MAKEFILES|CC|CXX|LD|AR|AS|RM|INSTALL|DESTDIR|prefix|PREFIX|bindir|BINDIR|PATH)[:+?]?=/u.test(arg.text) && !/^(?:CC|CXX)=(?:gcc|clang|cc|g\+\+|clang\+\+)(?:-\d+)?$/u.test(arg.text))
  const shells = settings.filter((arg) => /\$\(shell|`|!=/u.test(arg.text))
  const texts = [...risky, ...shells].map((arg) => join(ask('guard.option', { program: call.program, option: arg.shown }), judgeCommandText(call, arg.shown, sliceArg(arg, arg.text.indexOf('=') + 1))))
  const spread = given.operands.some((arg) => /^(?:un)?install(?:$|-)|^(?:publish|deploy|release|push|upload)/u.test(arg.text)) ? ask('guard.tool-command', { program: call.program, command: given.operands.find((arg) => !arg.text.includes('='))?.shown ?? '' }) : nothing
  const folder = given.options.filter((option) => /^(?:-C|--directory)$/u.test(option.name)).map(({ value }) => (value ? { ...touch(call, value, 'folder'), reads: [] } : nothing))
  return join(allow('guard.builds', { program: call.program }), judgeOptions(call, given), spread, ...folder, ...texts)
}

/** Build tools whose goals are words: publishing and installing ask. */
const goals: Judge = (call) => {
  const words = call.args.map((arg) => arg.text)
  const spread = words.find((word) => /(?:^|:)(?:deploy|publish\w*|release\w*|upload\w*|install|site-deploy|bootRun-prod|pushImage)/iu.test(word) && !/^(?:installDist|clean)$/u.test(word))
  const risky = words.find((word) => /^(?:-I|--init-script|-D(?:exec|maven\.ext|java\.|org\.gradle\.jvmargs)|-s|--settings|-gs|-b|--build-file|-p|--project-dir|-f|--file|--include-build|-g|--gradle-user-home)/u.test(word))
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
  if (/^(?:rm|remove|remove_directory)$/u.test(what?.text ?? '')) return call.runArgs([{ ...(what ?? args[0] ?? rest[0] ?? emptyArg), text: 'rm' }, ...args], { fit: 'wrapped' })
  return ask('guard.tool-command', { program: 'cmake -E', command: what?.shown ?? '' })
}

const emptyArg: Arg = { text: '', shown: '', isSecret: false, isRemote: false, stream: null }

/** `java -jar x.jar` runs unseen code of a file. */
const java: Judge = (call) => (/^-{1,2}version$/u.test(call.args[0]?.text ?? '') && call.args.length === 1 ? allow('guard.reads') : ask('guard.script', { path: call.args.map((arg) => arg.shown).join(' ').slice(0, 80) }))

/** Compilers and checkers, each judged as a tool of the project. */
export const builderPrograms: ProgramTable = {
  ...Object.fromEntries([...localTools].map((name): [string, Judge] => [name, (call) => judgeLocalTool(call, name, call.args)])),
  make, gmake: make, remake: make, just: make, task: make, cmake, mvn: goals, mvnw: goals, gradle: goals, gradlew: goals, mill: goals, bazel: goals, bazelisk: goals, java,
}
