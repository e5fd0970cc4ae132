import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { extractFromTgz, extractFromZip, zipEntries } from '../../scripts/archive.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'countersign-archive-'))
  mkdirSync(path.join(folder, 'in/package'), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true }))

test('one file comes out of a .tgz whole, whatever lies before and after it', async () => {
  const wanted = randomBytes(3_000_001) // not a multiple of tar's block, longer than one chunk
  writeFileSync(path.join(folder, 'in/package/a.txt'), 'before')
  writeFileSync(path.join(folder, 'in/package/b.bin'), wanted)
  writeFileSync(path.join(folder, 'in/package/c.txt'), 'after')
  const tgz = path.join(folder, 'x.tgz')
  const out = path.join(folder, 'out.bin')
  execFileSync('tar', ['-C', path.join(folder, 'in'), '-czf', tgz, 'package/a.txt', 'package/b.bin', 'package/c.txt'])
  await extractFromTgz(tgz, 'package/b.bin', out)
  expect(readFileSync(out).equals(wanted)).toBe(true)
  await expect(extractFromTgz(tgz, 'package/none', out)).rejects.toThrow('not (wholly) in the archive')
})

test('a .tgz that ends early is an error, not a short file', async () => {
  writeFileSync(path.join(folder, 'in/package/b.bin'), randomBytes(500_000))
  const tgz = path.join(folder, 'x.tgz')
  execFileSync('tar', ['-C', path.join(folder, 'in'), '-czf', tgz, 'package/b.bin'])
  truncateSync(tgz, 200_000)
  await expect(extractFromTgz(tgz, 'package/b.bin', path.join(folder, 'out.bin'))).rejects.toThrow()
})

test('entries of a .zip keep content, size and mode', async () => {
  const zip = path.join(folder, 'x.zip')
  const script = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as z:
    for name, data, mode, kind in [('a/run', b'x' * 100000, 0o755, 8), ('a/plain', b'stored', 0o644, 0), ('a/empty', b'', 0o644, 8)]:
        info = zipfile.ZipInfo(name)
        info.external_attr = (0o100000 | mode) << 16
        z.writestr(info, data, kind)`
  execFileSync('python3', ['-c', script, zip])
  const found = []
  for (const entry of zipEntries(zip)) {
    const to = path.join(folder, 'out', entry.name)
    await extractFromZip(zip, entry, to)
    found.push({ name: entry.name, length: readFileSync(to).length, mode: statSync(to).mode & 0o777 })
  }
  expect(found).toEqual([
    { name: 'a/run', length: 100_000, mode: 0o755 },
    { name: 'a/plain', length: 6, mode: 0o644 },
    { name: 'a/empty', length: 0, mode: 0o644 },
  ])
})
