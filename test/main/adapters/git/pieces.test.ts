import { expect, test } from 'vitest'
import { piecesOf, rowsOf } from '../../../../src/main/adapters/git/store/pieces'

test('R13 a long list crosses to another thread in pieces, and is the same behind it', async () => {
  const rows = Array.from({ length: 1001 }, (_, at) => ({ path: `名\udc80 ${at}\n`, before: null, after: { oid: 'a', mode: '100644', bits: at } }))
  const pieces = piecesOf(rows)
  expect([pieces.length, await rowsOf(structuredClone(pieces)), await rowsOf(piecesOf([]))]).toEqual([5, rows, []])
})
