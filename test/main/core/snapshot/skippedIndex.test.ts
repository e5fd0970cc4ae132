import fc from 'fast-check'
import { expect, test } from 'vitest'
import { skippedIndex } from '../../../../src/main/core/snapshot/skippedIndex'
import { isSkippedBy } from '../../../../src/shared/domain/snapshot'

test('R80 property: a long list of what is skipped is looked up as line by line', () => {
  const path = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 }).map((names) => names.join('/'))
  const line = fc.oneof(path, path.map((folder) => `${folder}/*`))
  fc.assert(
    fc.property(fc.array(line, { maxLength: 4 }), path, (lines, asked) => {
      const found = skippedIndex(lines.map((one) => ({ path: one, reason: 'ignored' })))(asked)
      expect(found !== undefined).toBe(lines.some((one) => isSkippedBy(one, asked)))
      if (found) expect(isSkippedBy(found.path, asked)).toBe(true)
    }),
  )
})
