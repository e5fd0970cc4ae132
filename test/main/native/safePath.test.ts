import { chmodSync, existsSync, linkSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { actingHere, type Acting, type Root } from '../../../src/main/native/safeFolder'
import { isTemporaryName } from '../../../src/main/native/safeFile'
import {
  chmodNow, lookNow, makeFolderNow, openRoot, readFileNow, readLinkNow, removeEmptyFolderNow, removeFileNow, syncFolderNow, writeFileNow, writeLinkNow,
} from '../../../src/main/native/safePath'

let dir: string
let app: string
let outside: string
const bytes = (text: string): Uint8Array => Buffer.from(text)
const quick = { durable: false }

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'safe-path-'))
  app = join(dir, 'app')
  outside = join(dir, 'outside')
  mkdirSync(join(app, 'src'), { recursive: true })
  mkdirSync(outside)
  writeFileSync(join(outside, 'secret.txt'), 'outside')
})

afterEach(() => {
  rmSync(dir, { recursive: true, force: true })
})

const ways: readonly Acting[] = actingHere() === 'descriptor' ? ['descriptor', 'path'] : ['path']

function rootBy(acting: Acting): Root {
  const root = openRoot(app, acting)
  if (!root.ok) throw new Error(root.fault.code)
  return root.value
}

describe.each(ways)('restoring by %s', (acting) => {
  test('R78: a file is written with its bits, missing folders are made, nothing temporary stays', () => {
    const root = rootBy(acting)
    expect(writeFileNow(root, 'a/b/run.sh', bytes('#!/bin/sh\n'), { mode: 0o755, durable: true })).toMatchObject({ ok: true })
    expect(readFileSync(join(app, 'a/b/run.sh'), 'utf8')).toBe('#!/bin/sh\n')
    expect(statSync(join(app, 'a/b/run.sh')).mode & 0o777).toBe(0o755)
    expect(writeFileNow(root, 'a/b/run.sh', bytes('x'), { mode: null, durable: false })).toMatchObject({ ok: true })
    expect(statSync(join(app, 'a/b/run.sh')).mode & 0o777).toBe(0o755)
    expect(readdirSync(join(app, 'a/b'))).toEqual(['run.sh'])
  })

  test('R65: new bits for a file of several names leave the others as they are', () => {
    const root = rootBy(acting)
    chmodSync(join(outside, 'secret.txt'), 0o640)
    linkSync(join(outside, 'secret.txt'), join(app, 'second'))
    expect(chmodNow(root, 'second', 0o755)).toEqual({ ok: true, value: null })
    expect([statSync(join(outside, 'secret.txt')).mode & 0o777, statSync(join(app, 'second')).mode & 0o777, readFileSync(join(app, 'second'), 'utf8'), readdirSync(app).sort()]).toEqual([0o640, 0o755, 'outside', ['second', 'src']])
  })

  test('R65: a link at the name is replaced, a link on the way is refused, never followed', () => {
    const root = rootBy(acting)
    symlinkSync(join(outside, 'secret.txt'), join(app, 'link.txt'))
    symlinkSync(outside, join(app, 'dir'))
    expect(writeFileNow(root, 'link.txt', bytes('in'), { mode: 0o644, durable: false })).toMatchObject({ ok: true })
    expect(lstatSync(join(app, 'link.txt')).isFile()).toBe(true)
    const moved = { ok: false, fault: { code: 'path.moved' } }
    expect(writeFileNow(root, 'dir/new.txt', bytes('x'), { mode: null, durable: false })).toMatchObject(moved)
    expect(removeFileNow(root, 'dir/secret.txt', quick)).toMatchObject(moved)
    expect(makeFolderNow(root, 'dir/sub', { mode: null, durable: false })).toMatchObject(moved)
    expect(makeFolderNow(root, 'dir', { mode: 0o700, durable: false })).toMatchObject(moved)
    expect(chmodNow(root, 'dir/secret.txt', 0o777)).toMatchObject(moved)
    expect(chmodNow(root, 'dir', 0o777)).toMatchObject(moved)
    expect(readFileNow(root, 'dir/secret.txt', 100)).toMatchObject(moved)
    expect(writeLinkNow(root, 'dir/l', 'x', quick)).toMatchObject(moved)
    expect(readdirSync(outside)).toEqual(['secret.txt'])
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('outside')
  })

  test('R65: paths that are not one plain place below the root are refused', () => {
    const root = rootBy(acting)
    for (const path of ['', '.', '..', '../outside/secret.txt', 'src/../../outside/x', '/etc/passwd', 'src//a', 'src/', 'a\0b']) {
      expect([path, writeFileNow(root, path, bytes('x'), { mode: null, durable: false })]).toMatchObject([path, { ok: false, fault: { code: 'path.outside' } }])
    }
  })

  test('R78: links are made as text, also over a file, and deleted themselves', () => {
    const root = rootBy(acting)
    writeFileSync(join(app, 'x'), 'file')
    expect(writeLinkNow(root, 'x', '../outside/secret.txt', { durable: true })).toMatchObject({ ok: true })
    expect(readlinkSync(join(app, 'x'))).toBe('../outside/secret.txt')
    expect(readLinkNow(root, 'x')).toEqual({ ok: true, value: Buffer.from('../outside/secret.txt') })
    expect(lookNow(root, 'x')).toMatchObject({ ok: true, value: { kind: 'link' } })
    expect(removeFileNow(root, 'x', { durable: true })).toEqual({ ok: true, value: null })
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('outside')
    expect(lookNow(root, 'none/at/all')).toEqual({ ok: true, value: { kind: 'missing' } })
  })

  test('R78: what is expected is looked at by content, and anything else stays', () => {
    const root = rootBy(acting)
    writeFileSync(join(app, 'f'), 'mine')
    const was = (text: string) => (found: { kind: string }, read: { content(limit: number): ReturnType<typeof readFileNow> }): boolean => {
      const content = found.kind === 'file' ? read.content(100) : null
      return content?.ok === true && Buffer.from(content.value.bytes).toString() === text
    }
    expect(writeFileNow(root, 'f', bytes('new'), { mode: null, durable: false, expect: was('theirs') })).toMatchObject({ ok: false, fault: { code: 'path.stale' } })
    expect(removeFileNow(root, 'f', { durable: false, expect: was('theirs') })).toMatchObject({ ok: false, fault: { code: 'path.stale' } })
    expect(readFileSync(join(app, 'f'), 'utf8')).toBe('mine')
    expect(writeFileNow(root, 'f', bytes('new'), { mode: null, durable: false, expect: was('mine') })).toMatchObject({ ok: true })
    expect(writeFileNow(root, 'f', bytes('x'), { mode: null, durable: false, expect: (found) => found.kind === 'missing' })).toMatchObject({ ok: false })
    expect(readFileSync(join(app, 'f'), 'utf8')).toBe('new')
  })

  test('R78: folders are made with their bits, deleted only when empty, synced by name', () => {
    const root = rootBy(acting)
    expect(makeFolderNow(root, 'e/f', { mode: 0o700, durable: true })).toEqual({ ok: true, value: null })
    expect(statSync(join(app, 'e/f')).mode & 0o777).toBe(0o700)
    expect(removeEmptyFolderNow(root, 'e', quick)).toEqual({ ok: true, value: false })
    expect(removeEmptyFolderNow(root, 'e/f', { durable: true })).toEqual({ ok: true, value: true })
    expect(syncFolderNow(root, 'e')).toEqual({ ok: true, value: null })
    expect(syncFolderNow(root, '')).toEqual({ ok: true, value: null })
    expect(chmodNow(root, 'e', 0o711)).toEqual({ ok: true, value: null })
    expect(statSync(join(app, 'e')).mode & 0o777).toBe(0o711)
  })

  test('R65: a pipe, a folder and a too large file are refused at once', () => {
    const root = rootBy(acting)
    execFileSync('bash', ['-c', 'mkfifo "$0"', join(app, 'pipe')])
    writeFileSync(join(app, 'big'), 'x'.repeat(101))
    const refusals = [
      readFileNow(root, 'pipe', 100), readFileNow(root, 'src', 100), readFileNow(root, 'big', 100),
      writeFileNow(root, 'pipe', bytes('x'), { mode: null, durable: false }), removeFileNow(root, 'pipe', quick), writeFileNow(root, 'src', bytes('x'), { mode: null, durable: false }),
    ]
    expect(refusals.map((result) => (result.ok ? 'done' : result.fault.code))).toEqual([
      'path.special', 'path.is-folder', 'path.too-large', 'path.special', 'path.special', 'path.is-folder',
    ])
  })

  test('R65: a root that was swapped for another folder is noticed', () => {
    const root = rootBy(acting)
    renameSync(app, join(dir, 'old'))
    symlinkSync(outside, app)
    expect(writeFileNow(root, 'x', bytes('x'), { mode: null, durable: false })).toMatchObject({ ok: false, fault: { code: 'path.moved' } })
    rmSync(app)
    mkdirSync(app)
    expect(writeFileNow(root, 'x', bytes('x'), { mode: null, durable: false })).toMatchObject({ ok: false, fault: { code: 'path.moved' } })
    expect(existsSync(join(outside, 'x'))).toBe(false)
  })

  test('R65: the other name of a hard-linked file keeps its content', () => {
    const root = rootBy(acting)
    linkSync(join(outside, 'secret.txt'), join(app, 'hard'))
    expect(writeFileNow(root, 'hard', bytes('in'), { mode: null, durable: false })).toMatchObject({ ok: true })
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('outside')
  })
})

test('R78: a folder that cannot be written is a fault in words and leaves nothing behind', () => {
  const root = rootBy(actingHere())
  if (process.getuid?.() === 0) {
    // Root may write everywhere; a full name does the same for this test.
    const long = 'x'.repeat(256)
    expect(writeFileNow(root, long, bytes('x'), { mode: null, durable: false })).toMatchObject({ ok: false, fault: { code: 'path.too-long' } })
  } else {
    chmodSync(app, 0o555)
    expect(writeFileNow(root, 'x', bytes('x'), { mode: null, durable: false })).toMatchObject({ ok: false, fault: { code: 'path.not-permitted' } })
    chmodSync(app, 0o755)
  }
  expect(readdirSync(app)).toEqual(['src'])
})

test('temporary names are known by their form', () => {
  expect([isTemporaryName('.countersign-0123456789abcdef.tmp'), isTemporaryName('.countersign-x.tmp'), isTemporaryName('a.tmp')]).toEqual([true, false, false])
})
