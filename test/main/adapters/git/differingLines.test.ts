import fc from 'fast-check'
import { expect, test } from 'vitest'
import { differingLines, encodeTree, parseTree, type TreeLine } from '../../../../src/main/adapters/git/store/gitObjects'

/** Few names, some that begin others, so that lines meet, and folders sort apart from files of their name. */
const line = fc.record({
  name: fc.constantFrom('a', 'a.b', 'a-b', 'a0', 'b', 'ba', 'c', 'd', '\u00e9', 'é'),
  mode: fc.constantFrom('100644', '100755', '120000', '40000'),
  id: fc.constantFrom('\0'.repeat(20), ' a\0'.padEnd(20, 'x'), 'y'.repeat(20)),
})
const tree = fc.uniqueArray(line, { selector: ({ name }) => name })

/** By all lines of both. */
function differing(before: readonly TreeLine[], after: readonly TreeLine[]): ReturnType<typeof differingLines> {
  const names = new Set([...before, ...after].map(({ name }) => name))
  return [...names]
    .map((name) => ({ from: before.find((one) => one.name === name), to: after.find((one) => one.name === name) }))
    .filter(({ from, to }) => from?.id !== to?.id || from?.mode !== to?.mode)
}

function byName(pairs: ReturnType<typeof differingLines>): unknown {
  return pairs.toSorted((a, b) => ((a.from ?? a.to)?.name ?? '').localeCompare((b.from ?? b.to)?.name ?? ''))
}

test('two trees differ in the lines in which they differ, wherever in them these stand', () => {
  fc.assert(
    fc.property(tree, tree, (before, after) => {
      expect(byName(differingLines(encodeTree(before), encodeTree(after)))).toEqual(byName(differing(before, after)))
    }),
    { numRuns: 2000 },
  )
})

test('a tree that is cut short is damaged, on either side', () => {
  const body = encodeTree([{ name: 'a', mode: '100644', id: 'x'.repeat(20) }, { name: 'b', mode: '100644', id: 'y'.repeat(20) }])
  const cut = body.subarray(0, -1)
  expect(() => differingLines(cut, body)).toThrow('damaged')
  expect(() => differingLines(body, cut)).toThrow('damaged')
  expect(parseTree(body)).toHaveLength(2)
})
