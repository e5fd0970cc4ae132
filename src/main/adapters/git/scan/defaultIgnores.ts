import { parseRules, type RuleChain } from './ignoreRules'

/** A folder that counts as output when one of these stands beside it. */
const outputsBeside: Readonly<Record<string, readonly string[]>> = {
  target: ['Cargo.toml', 'pom.xml', 'build.sbt'],
  dist: ['package.json', 'pyproject.toml', 'setup.py'],
  build: ['build.gradle', 'build.gradle.kts', 'setup.py'],
  venv: ['requirements.txt', 'pyproject.toml', 'setup.py'],
  _build: ['mix.exs', 'dune-project'],
}

/** The outermost rules, under those of the project. */
export function outermostRules(leaveOut: readonly string[]): RuleChain {
  return { rules: parseRules(leaveOut.join('\n')), base: '', outer: null }
}

/** The marker of a folder of caches (bford.info/cachedir): whoever makes one says that it can be lost. */
export const cacheMarker = 'CACHEDIR.TAG'
export const cacheSignature = 'Signature: 8a477f597d28d172789f06886806bc55'

/** `hasBeside` tells which names stand in the folder that holds `name`. */
export function isOutputFolder(name: string, hasBeside: (name: string) => boolean): boolean {
  const makers = Object.hasOwn(outputsBeside, name) ? outputsBeside[name] : undefined
  return makers?.some(hasBeside) ?? false
}

/** A repository's own folder or file, also in the forms that other systems take for it. It is never touched. */
export function isGitName(name: string): boolean {
  return /^(\.git|git~1)[. ]*$/i.test(name)
}
