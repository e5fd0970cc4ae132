import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

/** Larger than the house allows, each with its reason. The list may only shrink. */
const exceptions: Readonly<Record<string, string>> = {}

const fileLines = 400
const functionLines = 60
const parameters = 8

function sources(): readonly string[] {
  return readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => path.join('src', file))
}

function tooLarge(file: string): readonly string[] {
  const text = readFileSync(path.join(root, file), 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true, file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS)
  const found: string[] = []
  const lines = text.split('\n').length - 1
  if (lines > fileLines) found.push(`${file}: ${lines} lines`)
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const from = source.getLineAndCharacterOfPosition(node.getStart(source)).line
      const to = source.getLineAndCharacterOfPosition(node.end).line
      const name = 'name' in node && node.name && ts.isIdentifier(node.name) ? node.name.text : `at line ${from + 1}`
      if (to - from + 1 > functionLines && !isFactory(node)) found.push(`${file} ${name}: ${to - from + 1} lines`)
      if (node.parameters.length > parameters) found.push(`${file} ${name}: ${node.parameters.length} parameters`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found.filter((line) => !(line.split(':')[0] ?? '').split(' ').some((word) => word in exceptions))
}

/** A factory only holds functions together, as a class would: its own functions are measured one by one. */
function isFactory(node: ts.Node): boolean {
  return ts.isFunctionDeclaration(node) && /^make[A-Z]/.test(node.name?.text ?? '')
}

test('files, functions and parameter lists stay small', () => {
  expect(sources().flatMap(tooLarge)).toEqual([])
})
