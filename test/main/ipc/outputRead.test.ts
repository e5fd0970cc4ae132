import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeHandlers } from '../../../src/main/ipc/handlers'
import type { WindowAbilities } from '../../../src/main/ipc/windowAbilities'
import type { HostServices } from '../../../src/main/services/hostServices'

test('F05: a stored text read in parts is whole again, no character split at an edge', async () => {
  await fc.assert(fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 4, max: 20 }), async (text, length) => {
    const bytes = new TextEncoder().encode(text)
    const host = { blobs: { get: () => Promise.resolve(bytes) }, redact: (one: string) => one } as unknown as HostServices
    const read = makeHandlers(host, {} as WindowAbilities)['output/read']
    let whole = ''
    for (let offset = 0; offset < bytes.length; offset += length) {
      const part = await read({ ref: 'a'.repeat(64), offset, length })
      if (part.ok) whole += part.value.text
    }
    expect(whole).toBe(text)
  }))
})
