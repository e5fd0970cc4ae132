import { test } from 'vitest'
import { compareWithScan } from '../../../support/memorySearches'

test('D1: many searches over many entries give exactly what a scan gives', async () => {
  await compareWithScan(250, 60)
  await compareWithScan(40, 500)
})
