import path from 'node:path'
import { expect, test } from 'vitest'
import { checkTypesAndLint } from '../../scripts/check.mjs'

test('everything compiles and the linter finds nothing', { timeout: 600_000 }, async () => {
  expect(await checkTypesAndLint(path.resolve(import.meta.dirname, '../..'))).toBe(true)
})
