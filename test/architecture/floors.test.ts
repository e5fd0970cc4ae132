import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const planted = path.join(root, 'src/main/core/planted')

async function cruise(...places: string[]): Promise<readonly string[]> {
  const cli = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const run = await promisify(execFile)(process.execPath, [cli, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...places], { cwd: root, maxBuffer: 1 << 28 }).catch((error: { stdout: string }) => error)
  const report = JSON.parse(run.stdout) as { summary: { violations: { rule: { name: string }; from: string; to: string }[] } }
  return report.summary.violations.map((violation) => `${violation.rule.name}: ${violation.from} → ${violation.to}`)
}

afterAll(() => rmSync(planted, { recursive: true, force: true }))

test('the floors hold: imports go downwards only', async () => {
  expect(await cruise('src')).toEqual([])
})

test('a planted violation is seen', async () => {
  mkdirSync(planted, { recursive: true })
  writeFileSync(path.join(planted, 'planted.ts'), "import { readFileSync } from 'node:fs'\nimport { app } from 'electron'\nexport const planted = [readFileSync, app]\n")
  const found = await cruise('src/main/core/planted')
  expect(found.map((line) => line.split(':')[0])).toEqual(expect.arrayContaining(['core-packages', 'electron-stays-at-the-edge']))
})
