import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { idOf } from '../../../../src/main/adapters/git/store/gitObjects'
import { PackWriter } from '../../../../src/main/adapters/git/pack/packWriter'
import { projectObjectFolders } from '../../../../src/main/adapters/git/project/projectGitFolder'
import { RawPack } from '../../../../src/main/adapters/git/project/projectGitPack'

let top: string
let name: string
let index: Buffer
let pack: Buffer
const bodies = Array.from({ length: 12 }, (_, i) => Buffer.from(`body ${i}\n`.repeat(i * 3)))
const ids = bodies.map((body) => idOf('blob', body))

beforeAll(async () => {
  top = fs.mkdtempSync(join(tmpdir(), 'countersign-pack-'))
  const writer = new PackWriter(top, 'x')
  bodies.forEach((body, i) => writer.add('blob', ids[i] ?? '', body))
  const written = await writer.finish()
  index = fs.readFileSync(`${written}.idx`)
  pack = fs.readFileSync(`${written}.pack`)
  name = join(top, 'pack-x')
})

afterAll(() => fs.rmSync(top, { recursive: true }))

test('S5 every whole entry of a pack is given as it lies there', () => {
  write(index, pack)
  const opened = RawPack.open(name)
  const entries = ids.map((id) => opened?.entry(id))
  opened?.close()
  expect(entries.map((entry) => [entry?.type, entry?.size])).toEqual(bodies.map((body) => [3, body.length]))
  expect(entries.reduce((sum, entry) => sum + (entry?.bytes.length ?? 0), 0)).toBe(pack.length - 32)
})

test('S5 an entry that takes more than it may is not read', () => {
  write(index, pack)
  const opened = RawPack.open(name)
  const found = ids.map((id) => (opened?.entry(id, 60) ? 1 : 0) as number).reduce((a, b) => a + b)
  opened?.close()
  expect(found).toBe(3)
})

test('S5 a pack of which bytes were changed at random throws nothing, hangs nowhere and gives only what its sums confirm', () => {
  const change = fc.record({ at: fc.nat(), bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }), inHead: fc.boolean() })
  const whole = new Map(ids.map((id, i) => [id, entryOf(i)]))
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), fc.boolean(), fc.option(fc.nat()), (changes, inIndex, cut) => {
      const [newIndex, newPack] = [Buffer.from(index), Buffer.from(pack)]
      const target = inIndex ? newIndex : newPack
      for (const { at, bytes, inHead } of changes) target.set(bytes.subarray(0, target.length - (at % target.length)), inHead ? at % Math.min(48, target.length - 8) : at % target.length)
      // The sum of the index is made right, so that what it says is believed.
      createHash('sha1').update(newIndex.subarray(0, -20)).digest().copy(newIndex, newIndex.length - 20)
      const end = cut === null ? target.length : cut % target.length
      write(inIndex ? newIndex.subarray(0, end) : newIndex, inIndex ? newPack : newPack.subarray(0, end))
      const opened = RawPack.open(name)
      for (const id of opened?.ids() ?? []) {
        const entry = opened?.entry(id)
        if (entry && !inIndex) expect(entry.bytes).toEqual(whole.get(id))
        if (entry) expect(entry.bytes.length).toBeLessThanOrEqual(pack.length)
      }
      opened?.close()
    }),
    { numRuns: 30 },
  )
})

function entryOf(place: number): Buffer | undefined {
  write(index, pack)
  const opened = RawPack.open(name)
  const bytes = opened?.entry(ids[place] ?? '')?.bytes
  opened?.close()
  return bytes
}

test('S5 a pointer file of any content leads at most to folders that are there', () => {
  const root = join(top, 'root')
  fs.mkdirSync(root)
  const text = fc.oneof(fc.string(), fc.uint8Array().map((bytes) => Buffer.from(bytes)), fc.constantFrom('', '.', '/', '..', '//host/share', '\\\\host\\share', '.git', '/dev', '/proc/self/fd/0', 'x\n', 'C:').map((target) => `gitdir: ${target}`))
  fc.assert(
    fc.property(text, (content) => {
      fs.writeFileSync(join(root, '.git'), content)
      expect(projectObjectFolders(root)).toEqual([])
    }),
    { numRuns: 20 },
  )
})

function write(indexBytes: Uint8Array, packBytes: Uint8Array): void {
  fs.writeFileSync(`${name}.idx`, indexBytes)
  fs.writeFileSync(`${name}.pack`, packBytes)
}
