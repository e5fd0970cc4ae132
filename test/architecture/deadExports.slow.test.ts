import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

test('nothing is exported, kept or installed that nobody uses', () => {
  const ran = spawnSync(process.execPath, ['node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints'], { cwd: root, encoding: 'utf8' })
  expect({ code: ran.status, found: ran.stdout, words: ran.stderr }).toEqual({ code: 0, found: '', words: '' })
})
