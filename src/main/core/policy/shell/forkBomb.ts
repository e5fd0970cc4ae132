import { forEachChild, type Function as FunctionNode, type SyntaxNode } from 'unbash'

/** True for a function that calls itself in a pipe or in the background: it multiplies without end, whatever its name. */
export function isForkBomb(node: FunctionNode): boolean {
  const name = node.name.value
  let isBomb = false
  const visit = (child: SyntaxNode, isMultiplied: boolean): void => {
    if (child.type === 'Command' && isMultiplied && child.name?.value === name) isBomb = true
    const multiplies = (child.type === 'Pipeline' && child.commands.length > 1) || (child.type === 'Statement' && child.background === true)
    if (!isBomb) forEachChild(child, (inner) => visit(inner, isMultiplied || multiplies))
  }
  forEachChild(node.body, (child) => visit(child, false))
  return isBomb
}
