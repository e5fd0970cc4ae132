import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeOutsideWorld, type OutsideWorld } from '../../../support/outsideWorld'
import { attacks, harmlessAttacks, lateAttack } from '../../../support/sandboxAttacks'
import { makeSandboxWorld, noSandboxHere, type SandboxWorld } from '../../../support/sandboxWorld'

const held = ['.git/config', '.vscode/settings.json', 'nested/inner/.git/config']

/** A project with a repository, one nested in it, and settings of an editor. */
function fill(root: string): void {
  for (const folder of ['.vscode', 'nested/inner', 'src', '.github']) mkdirSync(path.join(root, folder), { recursive: true })
  for (const folder of ['.', 'nested/inner']) spawnSync('git', ['init', '-q', folder], { cwd: root })
  writeFileSync(path.join(root, '.vscode/settings.json'), '{}')
  writeFileSync(path.join(root, 'src/a.ts'), 'a')
}

function contents(root: string): readonly string[] {
  return held.map((name) => readFileSync(path.join(root, name), 'utf8'))
}

describe.skipIf(noSandboxHere !== null)('ways out of the sandbox (R72)', () => {
  let world: SandboxWorld
  let outside: OutsideWorld
  let before: readonly string[]
  let names: readonly string[]
  let hooks: readonly string[]
  beforeAll(async () => {
    world = makeSandboxWorld()
    fill(world.root)
    outside = await makeOutsideWorld(world.data)
    before = contents(world.root)
    names = readdirSync(world.root)
    hooks = readdirSync(path.join(world.root, '.git/hooks'))
    expect(await world.sandbox.report()).toMatchObject({ kind: 'on', means: 'bubblewrap' })
    // Sockets that were just bound are not hidden: they may be gone before a command starts.
    await delay(2200)
  })
  afterAll(async () => {
    await world.close()
    outside.close()
  })
  const given = (): string => Object.entries(outside.variables).map(([name, value]) => `export ${name}='${value}'`).join('; ')

  test.each(attacks)('%s', async (_name, command) => {
    const end = await world.run(`${given()}; { ${command}\n} 2>&1`)
    expect({ escaped: end.text.split('\n').filter((line) => line.includes('ESCAPED')), confined: end.confined }).toEqual({ escaped: [], confined: 'sandbox' })
    expect(outside.damage()).toEqual([])
    expect(contents(world.root)).toEqual(before)
    expect(readdirSync(path.join(world.root, '.git/hooks'))).toEqual(hooks)
    const added = readdirSync(world.root).filter((name) => !names.includes(name) && name.startsWith('.'))
    expect(added).toEqual([])
  })

  test('what goes on after the command has ended is held as well, and leaves nothing', async () => {
    const end = await world.run(`${given()}; ${lateAttack}`)
    expect(end.leftRunning.length).toBeGreaterThan(0)
    await delay(2000)
    await world.runner.closeAll()
    expect(outside.damage()).toEqual([])
    expect(contents(world.root)).toEqual(before)
    expect(readdirSync(world.root).filter((name) => !names.includes(name) && name.startsWith('.'))).toEqual([])
    expect(existsSync(path.join(world.root, '.vscode/tasks.json'))).toBe(false)
    expect(readdirSync(path.join(world.root, '.git'))).not.toContain('commondir')
  })

  test('the harmless ones of them work where nothing holds them', async () => {
    const idle: string[] = []
    for (const [name, command] of attacks.filter(([name]) => harmlessAttacks.includes(name))) {
      const open = makeSandboxWorld()
      fill(open.root)
      const outside = await makeOutsideWorld(open.data)
      const variables = Object.entries(outside.variables).map(([name, value]) => `export ${name}='${value}'`).join('; ')
      const start = { callId: 'call', command: `${variables}; { ${command}\n} 2>&1`, cwd: open.root, timeoutMs: 30_000, confinement: { kind: 'outside' } } as const
      const begun = await open.runner.start(start, () => {}, new AbortController().signal)
      const text = begun.ok ? (await begun.value.ended).text : ''
      if (!text.includes('ESCAPED') && outside.damage().length === 0) idle.push(name)
      await open.close()
      outside.close()
    }
    expect(idle).toEqual([])
  })
})
