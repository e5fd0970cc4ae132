import { expect, test } from 'vitest'
import { outputOfCall } from '../../../../src/main/core/mcp/results'

const bytes = new Uint8Array(10)
const call = (fit: (given: Uint8Array) => Promise<{ readonly bytes: Uint8Array; readonly mimeType: string } | null>) => outputOfCall(
  { parts: [{ kind: 'image', mimeType: 'image/tiff', bytes }], structured: null, isError: false },
  { server: 's', tool: 't' },
  { keep: (kept) => Promise.resolve(`ref${kept.length}`), keepText: () => Promise.resolve('text'), fit },
)

test('R49 R90: a picture of a server is kept as models take it; one that nobody can read is a file, and is said to be none', async () => {
  const fitted = await call(() => Promise.resolve({ bytes: new Uint8Array(4), mimeType: 'image/png' }))
  expect(fitted.content).toEqual([{ kind: 'image', mimeType: 'image/png', ref: 'ref4', sizeBytes: 4, name: '' }])
  const broken = await call(() => Promise.resolve(null))
  expect(broken.content).toEqual([{ kind: 'file', mimeType: 'image/tiff', ref: 'ref10', sizeBytes: 10, name: '' }])
  expect(broken.body).toContain('cannot be read as a picture')
})
