import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'

const names = ['a', 'b.txt', '-c', 'd e', '中文', 'n\nl', 'A', 'é', 'e\u0301', '🙂']
const name = fc.constantFrom(...names)
/** A path of one to three names, some of which are hard to handle. */
export const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))
const text = fc.constantFrom('', 'x', 'one\n', 'one\r\ntwo\r\n', '\0\xff', 'a'.repeat(5000))

/** Something that happens to a project. What is not possible at its time does nothing. */
export const change = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('write' as const), path, text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), path }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('move' as const), path, to: path }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('mode' as const), path, bits: fc.constantFrom(0o644, 0o755, 0o600, 0o444, 0o700) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('link' as const), path, to: fc.constantFrom('a', '../b.txt', '/nowhere') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('folder' as const), path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('same-size' as const), path, text: fc.constantFrom('y', 'two\n') }) },
)
export type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

/** Lets it happen. */
export function happen(project: string, one: Change): void {
  const at = join(project, one.path)
  try {
    if (one.kind === 'write') replace(at, () => writeFileSync(at, one.text, 'latin1'))
    else if (one.kind === 'link') replace(at, () => symlinkSync(one.to, at))
    else if (one.kind === 'folder') replace(at, () => mkdirSync(at))
    else if (one.kind === 'delete') rmSync(at, { recursive: true, force: true })
    else if (one.kind === 'move') move(at, join(project, one.to))
    else if (one.kind === 'mode') setMode(at, one.bits)
    else rewrite(at, one.text)
  } catch (error) {
    // A parent that is a file, a folder moved into itself: not possible at this time.
    if (!['ENOENT', 'ENOTDIR', 'EEXIST', 'EINVAL', 'ENOTEMPTY', 'EISDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

function replace(at: string, make: () => void): void {
  mkdirSync(join(at, '..'), { recursive: true })
  rmSync(at, { recursive: true, force: true })
  make()
}

function move(from: string, to: string): void {
  if (!lstatSync(from, { throwIfNoEntry: false }) || to.startsWith(`${from}/`) || from.startsWith(`${to}/`) || from === to) return
  mkdirSync(join(to, '..'), { recursive: true })
  rmSync(to, { recursive: true, force: true })
  renameSync(from, to)
}

function setMode(at: string, bits: number): void {
  const stats = lstatSync(at, { throwIfNoEntry: false })
  if (stats && !stats.isSymbolicLink()) chmodSync(at, stats.isDirectory() ? bits | 0o700 : bits)
}

/** Other content of the same length with the old times. */
function rewrite(at: string, content: string): void {
  const stats = lstatSync(at, { throwIfNoEntry: false })
  if (!stats?.isFile()) return
  writeFileSync(at, content.padEnd(stats.size, content).slice(0, stats.size))
  utimesSync(at, stats.atime, stats.mtime)
}
