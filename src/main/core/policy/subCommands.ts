/** Programs whose first word says what they do. */
const withSubCommands: ReadonlySet<string> = new Set([
  'git', 'npm', 'yarn', 'pnpm', 'bun', 'cargo', 'go', 'docker', 'podman', 'kubectl', 'helm', 'dotnet', 'mvn', 'mvnw', 'gradle', 'gradlew', 'make', 'gmake', 'just', 'task', 'rake', 'pip', 'pip3', 'uv', 'poetry',
  'pdm', 'hatch', 'pipenv', 'composer', 'bundle', 'gem', 'terraform', 'tofu', 'gh', 'glab', 'deno', 'turbo', 'nx', 'ng', 'mix', 'swift', 'flutter', 'dart', 'rustup', 'brew', 'apt', 'apt-get', 'systemctl', 'conda',
  'prisma', 'vercel', 'wrangler', 'ansible', 'aws', 'az', 'gcloud', 'stack', 'cabal', 'zig', 'lein', 'sbt', 'bazel',
])
/** Of these the sub-command names what to run: a script of the project, or a tool. */
const runners: Readonly<Record<string, RegExp>> = {
  npm: /^(?:run|run-script|rum|urn|exec|x)$/u, yarn: /^(?:run|exec|dlx|workspace)$/u, pnpm: /^(?:run|run-script|exec|dlx)$/u, bun: /^(?:run|x)$/u, poetry: /^run$/u, uv: /^run$/u, pdm: /^run$/u, hatch: /^run$/u,
  pipenv: /^run$/u, bundle: /^exec$/u, docker: /^compose$/u, podman: /^compose$/u, deno: /^(?:run|task)$/u, dotnet: /^(?:tool|run)$/u, composer: /^(?:run|run-script|exec)$/u, conda: /^run$/u, cargo: /^run$/u,
}
/** Programs that run the file or tool named first. */
export const toolRunners: ReadonlySet<string> = new Set(['npx', 'bunx', 'pnpx', 'uvx', 'pipx'])
/** Programs that run whatever code or script they are given. */
export const interpreters = /^(?:python[\d.]*|pypy3?|ipython|node|nodejs|tsx|ts-node|deno|bun|perl|ruby|php|lua|luajit|Rscript|julia|groovy|scala|elixir|(?:ba|z|da|k)?sh|fish|pwsh|powershell|osascript|tclsh|awk|gawk)$/u
/** Programs that run scripts of the project by name. */
const scriptRunners: ReadonlySet<string> = new Set(['npm', 'yarn', 'pnpm', 'bun'])
const scriptWord = /^(?:run|run-script|rum|urn)$/u

/** The words of a command that say what it does. */
export interface Lead {
  /** So many words, the program among them. */
  readonly length: number
  /** Where the name of a project's script stands; null when none does. */
  readonly script: number | null
}

/** How many leading words name the program and what it does: `git status`, `npm run build`, `python -m pytest`, `node a.js`. */
export function leadOf(words: readonly string[]): Lead {
  const [program = '', first, second] = words
  const isWord = (word: string | undefined): word is string => word !== undefined && !word.startsWith('-')
  if (interpreters.test(program) && first === '-m' && isWord(second)) return { length: 3, script: null }
  if (!isWord(first)) return { length: 1, script: null }
  if (withSubCommands.has(program) && runners[program]?.test(first) === true && isWord(second)) return { length: 3, script: scriptRunners.has(program) && scriptWord.test(first) ? 2 : null }
  return { length: needsSecondWord(program) ? 2 : 1, script: null }
}

/** Whether its first word is a sub-command. */
export function hasSubCommands(program: string): boolean {
  return withSubCommands.has(program)
}

/** Whether the name of the program alone says nothing of what it does. */
export function needsSecondWord(program: string): boolean {
  return withSubCommands.has(program) || toolRunners.has(program) || interpreters.test(program)
}

/** Whether program and sub-command only say that the next word is run: a script of the project (`script`), or a tool by its name (`tool`). */
export function runsNext(program: string, first: string): 'script' | 'tool' | null {
  if (runners[program]?.test(first) !== true || program === 'docker' || program === 'podman') return null
  return scriptRunners.has(program) && scriptWord.test(first) ? 'script' : 'tool'
}
