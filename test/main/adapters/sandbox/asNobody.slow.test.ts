import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePlaceholders } from '../../../../src/main/adapters/sandbox/placeholders'
import { hasUserNamespaces } from '../../../support/asNobody'
import { bundleForNode } from '../../../support/bundleForNode'
import type { SandboxJob } from '../../../support/children/sandboxChild'
import { attacks } from '../../../support/sandboxAttacks'
import { noSandboxHere } from '../../../support/sandboxWorld'

const whyNot = noSandboxHere ?? (hasUserNamespaces() ? null : 'not root, or no user namespaces for others')
if (whyNot !== null) console.warn(`The sandbox is not tried as another user here: ${whyNot}.`)

let file = ''
beforeAll(async () => {
  file = await bundleForNode(path.join(import.meta.dirname, '../../../support/children/sandboxChild.ts'))
  chmodSync(path.dirname(file), 0o755)
})
afterAll(() => rmSync(path.dirname(file), { recursive: true, force: true }))

function start(job: SandboxJob, as: readonly string[]) {
  const [command, ...options] = [...as, process.execPath, file, JSON.stringify(job)]
  const child = spawn(command, options, { cwd: '/', stdio: ['ignore', 'pipe', 'inherit'], env: { PATH: process.env['PATH'] } })
  let text = ''
  const waiting: { readonly word: string; readonly resolve: () => void }[] = []
  child.stdout.on('data', (piece: Buffer) => {
    text += piece.toString()
    for (const one of waiting) if (text.includes(one.word)) one.resolve()
  })
  const ended = new Promise<string>((resolve) => child.on('close', () => resolve(text)))
  return { child, ended, saw: (word: string) => new Promise<void>((resolve) => waiting.push({ word, resolve })) }
}

describe.skipIf(whyNot !== null)('as an ordinary user (R72, R73)', () => {
  test('no attack gets out, and a trial tells what it did', async () => {
    const lines = (await start({ mode: 'attacks' }, ['runuser', '-u', 'nobody', '--']).ended).trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines[0]).toMatchObject({ report: { kind: 'on', means: 'bubblewrap', canTry: true } })
    expect(lines[0]?.['userId']).toBe(Number(spawnSync('id', ['-u', 'nobody']).stdout.toString()))
    expect(lines.slice(1, 1 + attacks.length)).toEqual(attacks.map(([name]) => ({ name, escaped: [], damage: [], started: true })))
    expect(lines.slice(1 + attacks.length)).toEqual([
      { left: ['.git', '.github', '.vscode'] },
      { trial: ['created closed', 'created closed/in', 'changed plain', 'created src/new', 'deleted src/old', 'deleted src/old/file'], as: true, refused: expect.arrayContaining([{ kind: 'write', what: '.mcp.json' }]) as unknown },
      { kept: true, faults: [], names: ['new'], trials: [] },
    ])
  })
})

describe.skipIf(noSandboxHere !== null)('an app that was killed (R72, R15)', () => {
  test('what it left in a project is gone with the next start, but for what somebody made of it', async () => {
    const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'sandbox-killed-')))
    const project = path.join(base, 'project')
    const { child, ended, saw } = start({ mode: 'hang', base }, [])
    await saw('held')
    child.kill('SIGKILL')
    await ended
    const left = readdirSync(project)
    expect(left).toEqual(expect.arrayContaining(['.mcp.json', '.envrc', '.husky', '.claude']))
    chmodSync(path.join(project, '.envrc'), 0o644)
    writeFileSync(path.join(project, '.envrc'), 'mine')
    chmodSync(path.join(project, '.husky'), 0o755)
    mkdirSync(path.join(project, '.husky/mine'))
    makePlaceholders(path.join(base, 'data/sandbox'))
    expect(readdirSync(project).filter((name) => name.startsWith('.')).sort()).toEqual(['.envrc', '.git', '.github', '.husky', '.vscode'])
    expect(existsSync(path.join(project, '.git/commondir'))).toBe(false)
    expect(readdirSync(path.join(base, 'data/sandbox')).filter((name) => name.startsWith('held-'))).toEqual([])
    rmSync(base, { recursive: true, force: true })
  })
})
