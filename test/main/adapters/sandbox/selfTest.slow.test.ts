import { spawnSync } from 'node:child_process'
import { chmodSync, linkSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { guardArguments } from '../../../../src/main/adapters/sandbox/mountGuard'
import { findProgram } from '../../../../src/main/native/processTreeIsolation'
import { programFolders } from '../../../../src/main/native/searchPath'
import { makeSandboxWorld, noSandboxHere, type SandboxWorld } from '../../../support/sandboxWorld'

const bash = findProgram('bash', programFolders) ?? 'bash'

/** A bubblewrap that leaves something out: `edit` is bash that changes the array `a` of its arguments. */
function leaky(world: SandboxWorld, edit: string): readonly string[] {
  const folder = path.join(world.base, `leaky-${edit.length}-${Math.abs(hashOf(edit))}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'bwrap'), `#!${bash}\na=("$@")\n${edit}\nexec ${findProgram('bwrap', programFolders) ?? 'bwrap'} "\${a[@]}"\n`)
  chmodSync(path.join(folder, 'bwrap'), 0o755)
  return [folder, ...programFolders]
}

function hashOf(text: string): number {
  return [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7)
}

const without = (words: number, first: string): string => `b=(); for ((i = 0; i < \${#a[@]}; i++)); do if [[ "\${a[i]}" == ${first} ]]; then ((i += ${words - 1})); else b+=("\${a[i]}"); fi; done; a=("\${b[@]}")`
/** All empty folders but those that the pattern names. */
const withoutEmpty = (kept: string): string => `b=(); for ((i = 0; i < \${#a[@]}; i++)); do if [[ "\${a[i]}" == --perms && "\${a[i+3]}" != ${kept} ]]; then ((i += 3)); elif [[ "\${a[i]}" == --bind && "\${a[i+2]}" == /tmp ]]; then ((i += 2)); else b+=("\${a[i]}"); fi; done; a=("\${b[@]}")`

describe.skipIf(noSandboxHere !== null)('the test at the start (R72)', () => {
  let world: SandboxWorld
  beforeEach(() => void (world = makeSandboxWorld()))
  afterEach(() => world.close())
  const reportWith = async (edit: string): Promise<unknown> => {
    const other = makeSandboxWorld({ programFolders: leaky(world, edit) })
    // A place to mount the cache on, also where the home folder is not empty.
    mkdirSync(path.join(other.home, '.cache'))
    try {
      return await other.sandbox.report()
    } finally {
      await other.close()
    }
  }

  test('one that leaves nothing out is relied on', async () => {
    expect(await reportWith(':')).toMatchObject({ kind: 'on', means: 'bubblewrap' })
  })

  test.each([
    ['the network namespace', without(1, '--unshare-net'), 'sandbox.leak-network'],
    ['the namespace of processes', `${without(1, '--unshare-pid')}; ${without(1, '--as-pid-1')}`, 'sandbox.leak-process'],
    ['the read-only view of the disk', `for ((i = 0; i < \${#a[@]}; i++)); do [ "\${a[i]}" = --ro-bind ] && [ "\${a[i+1]}" = / ] && a[i]=--bind; done`, 'sandbox.leak-write'],
    ['all read-only views', `for ((i = 0; i < \${#a[@]}; i++)); do [ "\${a[i]}" = --ro-bind ] && a[i]=--bind; done`, 'sandbox.leak-'],
  ])('%s: said, and not relied on', async (_what, edit, leak) => {
    const report = await reportWith(edit)
    expect(report).toMatchObject({ kind: 'none', canTry: false, reason: { code: 'sandbox.leaks' } })
    expect(JSON.stringify(report)).toContain(leak)
  })

  test('the data folder in sight, or the home folder', async () => {
    expect(JSON.stringify(await reportWith(withoutEmpty('none')))).toContain('sandbox.leak-data')
    expect(JSON.stringify(await reportWith(withoutEmpty('*/data')))).toContain('sandbox.leak-home')
  })

  test.each([
    ['one that does not start', 'echo "No permissions to create a new namespace" >&2; exit 1', 'No permissions to create a new namespace'],
    ['one that does nothing', 'exit 0', ''],
    ['one that runs the command and mounts nothing', `for ((i = 0; i < \${#a[@]}; i++)); do [ "\${a[i]}" = -- ] && { exec "\${a[@]:i+1}"; }; done`, 'The project changed while the sandbox was made ready'],
  ])('%s is none, and says why', async (_what, edit, problem) => {
    const report = await reportWith(edit)
    expect(report).toMatchObject({ kind: 'none', reason: { code: 'sandbox.cannot-start' } })
    expect(JSON.stringify(report)).toContain(problem)
  })

  test('none installed, or another system', async () => {
    const lone = makeSandboxWorld({ programFolders: [path.dirname(leaky(world, ':')[0] ?? '')] })
    const windows = makeSandboxWorld({ platform: 'win32' })
    expect(await lone.sandbox.report()).toMatchObject({ kind: 'none', reason: { code: 'sandbox.no-bash' } })
    expect(await windows.sandbox.report()).toMatchObject({ kind: 'none', reason: { code: 'sandbox.unsupported', values: { platform: 'win32' } } })
    expect(await windows.run('echo on')).toMatchObject({ exitCode: 0, confined: 'none', hints: [] })
    await lone.close()
    await windows.close()
  })

  test('it leaves nothing behind, and can be asked again', async () => {
    await world.sandbox.report()
    await world.sandbox.test()
    expect(readdirSync(path.join(world.data, 'sandbox')).filter((name) => name.startsWith('test-'))).toEqual([])
  })

  const faultOf = async (root: string, cwd = root): Promise<string | null> => {
    const launch = await world.sandbox.launcher({ root, cwd, network: false, lifted: [] })
    return launch.ok ? null : launch.fault.code
  }

  test('what cannot be held is not started: links and second names of what is protected, too wide roots, a folder outside', async () => {
    const [linked, twice, wide] = ['linked', 'twice', 'wide'].map((name) => path.join(world.base, name)) as [string, string, string]
    for (const folder of [linked, twice, wide]) mkdirSync(folder)
    symlinkSync('/etc', path.join(linked, '.vscode'))
    writeFileSync(path.join(twice, 'plain'), '')
    linkSync(path.join(twice, 'plain'), path.join(twice, '.mcp.json'))
    expect([await faultOf(linked), await faultOf(twice)]).toEqual(['sandbox.protected-link', 'sandbox.protected-link'])
    expect([await faultOf(world.home), await faultOf(world.base), await faultOf('/'), await faultOf('/proc'), await faultOf('/tmp')]).toEqual(Array(5).fill('sandbox.root-too-wide'))
    expect(await faultOf(wide, linked)).toBe('sandbox.cwd-outside')
    expect(await faultOf(wide)).toBe(null)
  })

  test('a folder that becomes a link while all is made ready: nothing runs', async () => {
    const secret = path.join(world.base, 'secret')
    mkdirSync(secret)
    writeFileSync(path.join(secret, 'key'), 'private')
    mkdirSync(path.join(world.root, '.github'))
    const swap = `[ -d "${world.root}/.github" ] && [[ " \${a[*]} " == *" ${world.root}/.github "* ]] && rm -rf "${world.root}/.github" && ln -s ${secret} "${world.root}/.github"`
    const other = makeSandboxWorld({ programFolders: leaky(world, swap) })
    expect(await other.sandbox.report()).toMatchObject({ kind: 'on' })
    const launch = await other.sandbox.launcher({ root: world.root, cwd: world.root, network: false, lifted: [] })
    const [file = '', ...options] = launch.ok ? launch.value.argv : []
    const ran = spawnSync(file, [...options, bash, '-c', 'cat .github/key; echo ran'], { cwd: world.root, encoding: 'utf8' })
    expect([ran.status === 0, ran.stdout]).toEqual([false, ''])
    await other.close()
  })

  test('the look at the mounts lets nothing run where one is missing or comes from elsewhere', () => {
    const run = (expected: Parameters<typeof guardArguments>[1]) => {
      const [file = '', ...options] = guardArguments(bash, expected)
      return spawnSync(file, [...options, 'echo', 'ran'], { encoding: 'utf8' })
    }
    expect(run([])).toMatchObject({ status: 0, stdout: 'ran\n' })
    expect(run([{ place: '/', base: '/' }])).toMatchObject({ status: 126, stdout: '' })
    expect(run([{ place: '/not/there', base: '/' }])).toMatchObject({ status: 126, stdout: '' })
  })
})
