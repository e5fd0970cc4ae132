import path from 'node:path'
import { expect, test } from 'vitest'
import { cruise } from '../support/cruise'

test('the floors hold: imports go downwards only', async () => {
  expect(await cruise(path.resolve(import.meta.dirname, '../..'))).toEqual([])
})
