import type { Arg, Call, Judge, Outcome } from '../shell/call'
import { allow, ask, join, nothing, withOutput } from '../shell/outcomes'
import { touchAll, type PlaceUse } from '../shell/places'
import { judgeOptions, optionTable, readOptions, type Given } from './options'

/**
 * What a reader's operands are: `paths` are read, `trees` with all below, `folders` only listed, `text` means nothing to the
 * disk, `pattern` is one text (unless an option brings it) and then paths.
 */
export type Operands = 'paths' | 'trees' | 'folders' | 'text' | 'pattern' | 'pattern-trees'

/** A program that only reads: its options, and what its operands are. */
export function reader(options: string, operands: Operands, patternOptions: readonly string[] = []): Judge {
  const table = optionTable(options)
  return (call) => {
    const given = readOptions(call.args, table)
    return judgeReader(call, given, operands, patternOptions)
  }
}

/** The same for words that were read already. */
export function judgeReader(call: Call, given: Given, operands: Operands, patternOptions: readonly string[] = []): Outcome {
  const isUnknownPattern = operands === 'text' || operands.startsWith('pattern')
  const calm = isUnknownPattern && given.unknown !== null && given.operands[0] === given.unknown && operands === 'text' ? { ...given, unknown: null } : given
  const paths = pathsOf(calm, operands, patternOptions)
  const found = join(allow('guard.reads'), judgeOptions(call, calm), touchAll(call, paths, useOf(operands)))
  const isSecret = found.output.isSecret || call.stdin.isSecret || call.args.some((arg) => arg.isSecret)
  const isRemote = call.stdin.isRemote || call.args.some((arg) => arg.isRemote || arg.stream?.isRemote === true)
  const writes = found.writes.length > 0 ? ask('guard.writes-by-option', { program: call.program }, true) : nothing
  return withOutput(join(found, writes), { isSecret, isRemote })
}

function pathsOf(given: Given, operands: Operands, patternOptions: readonly string[]): readonly Arg[] {
  if (operands === 'text') return []
  const isPattern = operands === 'pattern' || operands === 'pattern-trees'
  const isGivenByOption = given.options.some((option) => patternOptions.includes(option.name))
  return isPattern && !isGivenByOption ? given.operands.slice(1) : given.operands
}

function useOf(operands: Operands): PlaceUse {
  if (operands === 'folders') return 'list'
  return operands === 'trees' || operands === 'pattern-trees' ? 'read-tree' : 'read'
}
