import { plainArg, type Arg, type Call } from '../shell/call'

/** File names that a call reads from its input, one a line: the known lines, or what stands for them. */
export function namesFromInput(call: Call): readonly Arg[] {
  const { stdin } = call
  if (stdin.text !== null) return stdin.text.split(/[\n\0]/u).filter((line) => line !== '').slice(0, 200).map(plainArg)
  return stdin.paths.map((text) => ({ ...plainArg(text), shown: '…', isSecret: stdin.isSecret, isRemote: stdin.isRemote }))
}
