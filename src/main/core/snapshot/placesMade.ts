import type { CommandPart } from '../../../shared/domain/verdict'

/** What package managers fetch into, and what they are told to do then. */
const managers = /^(?:npm|yarn|yarnpkg|pnpm|bun)$/u
const fetches = /^(?:ci|clean-install|cit|it|install-test|install-ci-test|i|in|ins|inst|install|isntall|add|a|update|up|upgrade)$/u

/** Folders of output that tools make when told so; a word that says nothing of it makes none. */
const tools: readonly { readonly program: RegExp; readonly verb: RegExp; readonly makes: readonly string[] }[] = [
  { program: managers, verb: fetches, makes: ['node_modules/'] },
  { program: managers, verb: /^build(?::.+)?$/u, makes: ['dist/', 'build/', '.next/'] },
  { program: /^(?:tsc|vite|webpack|rollup|esbuild)$/u, verb: /^/u, makes: ['dist/'] },
  { program: /^cargo$/u, verb: /^(?:b|build|c|check|t|test|r|run|bench|clippy|d|doc|nextest)$/u, makes: ['target/'] },
  { program: /^(?:mvn|mvnw)$/u, verb: /^/u, makes: ['target/'] },
  { program: /^(?:gradle|gradlew)$/u, verb: /^/u, makes: ['build/', '.gradle/'] },
  { program: /^(?:poetry|uv|pdm|pipenv)$/u, verb: /^(?:sync|install|add|run)$/u, makes: ['.venv/'] },
]

/**
 * Folders that a command would make, as far as its words tell: relative to `root`, each with a slash at its end, in the folder
 * where the part runs. They need not be there; whether a snapshot would hold them is for the store to say.
 */
export function placesMadeBy(parts: readonly (CommandPart & { readonly folder?: string | null })[]): readonly string[] {
  const made = parts.flatMap(({ argv, folder }) => {
    const words = argv.filter((word, at) => !/^\w+=/u.test(word) || argv.slice(0, at).some((one) => !/^\w+=/u.test(one)))
    const program = words[0]?.split('/').at(-1) ?? ''
    const verbs = words.slice(1).filter((word) => !word.startsWith('-'))
    // Yarn on its own installs; a script is named behind `run`.
    const told = verbs.length === 0 ? (/^yarn(?:pkg)?$/u.test(program) ? ['install'] : ['']) : verbs[0] === 'run' || verbs[0] === 'run-script' ? verbs.slice(1, 2) : verbs.slice(0, 1)
    const names = tools.flatMap((tool) => (tool.program.test(program) && told.some((word) => tool.verb.test(word)) ? tool.makes : []))
    return names.map((name) => (folder === undefined || folder === null || folder === '' ? name : `${folder}/${name}`))
  })
  return [...new Set(made)]
}
