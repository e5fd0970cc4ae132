import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

// A small repository with our build script and stand-ins for the two build tools.
let root: string
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'countersign-build-'))
  cpSync(path.resolve(import.meta.dirname, '../../scripts'), path.join(root, 'scripts'), { recursive: true })
  mkdirSync(path.join(root, 'src/main'), { recursive: true })
  mkdirSync(path.join(root, 'out'))
  writeFileSync(path.join(root, 'src/main/index.ts'), 'one')
  tool(`
    import fs from 'node:fs'
    const out = process.argv.at(-1)
    fs.appendFileSync('calls', process.env.COUNTERSIGN_BUILD_PARTS + ' ' + process.env.NODE_ENV + '\\n')
    await new Promise((done) => setTimeout(done, 300))
    const text = fs.readFileSync('src/main/index.ts', 'utf8')
    fs.mkdirSync(out + '/main', { recursive: true })
    fs.writeFileSync(out + '/main/index.js', text)
    fs.writeFileSync(out + '/main/chunk-' + text.padEnd(8, 'x') + '.js', '')`)
})
afterEach(() => rmSync(root, { recursive: true }))

function tool(script: string): void {
  const file = path.join(root, 'node_modules/electron-vite/bin/electron-vite.js')
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(path.join(root, 'node_modules/electron-vite/package.json'), '{"type":"module"}')
  writeFileSync(file, script)
}

function build(): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [path.join(root, 'scripts/build.mjs'), 'main'], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes.toString('utf8')))
    child.once('close', (code) => resolve({ code, output }))
  })
}

const calls = (): string[] => readFileSync(path.join(root, 'calls'), 'utf8').trim().split('\n')
const built = (): string[] => readdirSync(path.join(root, 'out/main')).sort()

test('what is fresh is not built again, what changed is, and its leavings go', async () => {
  expect((await build()).code).toBe(0)
  expect(await build()).toEqual({ code: 0, output: '' })
  expect({ calls: calls(), built: built() }).toEqual({ calls: ['main production'], built: ['chunk-onexxxxx.js', 'index.js'] })
  writeFileSync(path.join(root, 'src/main/index.ts'), 'two')
  await build()
  expect({ calls: calls().length, built: built() }).toEqual({ calls: 2, built: ['chunk-twoxxxxx.js', 'index.js'] })
})

test('two at once build once: the second waits and finds it done', async () => {
  const results = await Promise.all([build(), build(), build()])
  expect({ codes: results.map((each) => each.code), calls: calls().length }).toEqual({ codes: [0, 0, 0], calls: 1 })
})

test('a failed build says so, keeps the last good one and leaves no scratch folder', async () => {
  await build()
  tool('process.exit(1)')
  writeFileSync(path.join(root, 'src/main/index.ts'), 'broken')
  const { code, output } = await build()
  expect(code).toBe(1)
  expect(output).toContain('[countersign] the build failed: mend what it says above, then run the same command again\n')
  expect({ built: built(), out: readdirSync(path.join(root, 'out')).sort() }).toEqual({ built: ['chunk-onexxxxx.js', 'index.js'], out: ['.built-main', 'main'] })
})
