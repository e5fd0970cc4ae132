import type { TrustHook } from '../../../shared/domain/trust'
import type { CommandPart } from '../../../shared/domain/verdict'

/** Package managers that run the scripts of an installation. */
const installers: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'bun'])
const installs: ReadonlySet<string> = new Set(['install', 'i', 'add', 'ci'])

/**
 * The hooks of the folder that a command may set off, by its programs and their words. Rather one too many: options may stand
 * before the word that decides.
 */
export function hooksRunBy(parts: readonly Pick<CommandPart, 'argv'>[], hooks: readonly TrustHook[]): readonly string[] {
  const found = hooks.filter(({ runsWith }) => {
    const [program = '', word] = runsWith.split(' ')
    return parts.some(({ argv: [first = '', ...words] }) => {
      const name = first.replace(/^.*\//u, '')
      if (program === 'npm' && word === 'install') return installers.has(name) && (words.some((each) => installs.has(each)) || (name === 'yarn' && words.length === 0))
      return name === program && (word === undefined || words.includes(word))
    })
  })
  return [...new Set(found.map(({ path }) => path))]
}
