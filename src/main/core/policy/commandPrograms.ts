import { forEachChild, parse, type SyntaxNode, type Word } from 'unbash'

/** Longer texts are not parsed (see `judgeCommand`). */
const maxParseLength = 200_000

/**
 * The programs that a command line names, as they are written: of every simple command in its lists, pipelines, functions and
 * substitutions. Null when that cannot be said: it is no whole bash, or a name is made while it runs. Never throws.
 *
 * What those programs start by themselves is not seen here; the parts of `judgeCommand` name it where it is known.
 */
export function programsOf(command: string): readonly string[] | null {
  if (command.length > maxParseLength) return null
  try {
    return namesIn(parse(command))
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function namesIn(script: SyntaxNode): readonly string[] | null {
  const names = new Set<string>()
  const waiting: SyntaxNode[] = [script]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === 'Script' && node.errors?.length) return null
    if ((node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution' || node.type === 'ArithmeticCommandExpansion') && node.script === undefined) return null
    if (node.type === 'Command' && node.name !== undefined) {
      if (!isPlain(node.name)) return null
      names.add(node.name.value)
    }
    forEachChild(node, (child) => waiting.push(child))
  }
  return [...names]
}

/** Written out, in quotes or not: nothing in it is filled in when it runs. */
function isPlain({ value, parts = [] }: Word): boolean {
  return !/^~|[*?[\]{}]/.test(value) && parts.every((part) => part.type === 'Literal' || part.type === 'SingleQuoted' || (part.type === 'DoubleQuoted' && part.parts.every((inner) => inner.type === 'Literal')))
}
