import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeOutputSink } from '../../../../src/main/adapters/pty/outputSink'
import { StreamRedactor } from '../../../../src/main/core/policy/redactionStream'

const part = fc.oneof(
  fc.constantFrom('line of words\r\n', '\x1b[32m✓\x1b[39m 署 🖋\r\n', '\r10% ', '\r\x1b[2K90%\r\n', 'password=zX81kQp0Lw\r\n', '\x1b[1A\x1b[2Kagain\r\n').map((one) => Buffer.from(one)),
  fc.constantFrom('b4edcef30d0a', 'd6d0cec42020', 'ff80').map((hex) => Buffer.from(hex, 'hex')),
  fc.integer({ min: 1, max: 4000 }).map((length) => Buffer.from(`${'x'.repeat(length)} `)),
)

test('O4 is kept and told the same, byte for byte, however it comes: masked, decoded and cut', async () => {
  const keptOf = async (bytes: Buffer, cuts: readonly number[]) => {
    const written: Buffer[] = []
    const spool = { write: (piece: Uint8Array) => void written.push(Buffer.from(piece)), onWritten: () => {}, waitingBytes: () => 0, drop: () => Promise.resolve(), keep: () => Promise.resolve('ref') }
    const sink = makeOutputSink({ spool, filter: new StreamRedactor(), show: () => {}, hold: () => {}, letGo: () => {} })
    let from = 0
    for (const length of [...cuts, bytes.length]) {
      sink.push(bytes.subarray(from, from + length))
      from += length
    }
    return { ...(await sink.end()), written: Buffer.concat(written).toString('utf8') }
  }
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 5, maxLength: 40 }), fc.array(fc.integer({ min: 0, max: 6000 }), { maxLength: 60 }), async (parts, cuts) => {
      const bytes = Buffer.concat(parts)
      const whole = await keptOf(bytes, [])
      expect(await keptOf(bytes, cuts)).toEqual(whole)
      expect(whole.text).not.toContain('zX81')
    }),
    { numRuns: 12 },
  )
})
