import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeOverlays } from '../../../../src/main/adapters/sandbox/overlay'
import type { Trial } from '../../../../src/main/core/ports/trialRunner'
import { fail, succeed, type Result } from '../../../../src/shared/domain/result'
import { makeSandboxWorld, noSandboxHere, type SandboxWorld } from '../../../support/sandboxWorld'

const whyNot = noSandboxHere ?? ((await canOverlay()) ? null : 'overlays do not work')
if (whyNot !== null) console.warn(`Trials are not run for real here: ${whyNot}.`)

async function canOverlay(): Promise<boolean> {
  const world = makeSandboxWorld()
  const can = await makeOverlays(world.data).canTry()
  await world.close()
  return can
}

/** Everything below a folder: kind, bits, content. */
function treeOf(folder: string, below = ''): Readonly<Record<string, string>> {
  return Object.assign({}, ...readdirSync(path.join(folder, below)).sort().map((name) => {
    const place = path.join(below, name)
    const stats = lstatSync(path.join(folder, place))
    if (stats.isSymbolicLink()) return { [place]: `-> ${readlinkSync(path.join(folder, place))}` }
    if (stats.isDirectory()) return { [place]: `folder ${(stats.mode & 0o777).toString(8)}`, ...treeOf(folder, place) }
    return { [place]: `${(stats.mode & 0o777).toString(8)} ${readFileSync(path.join(folder, place), 'utf8')}` }
  })) as Record<string, string>
}

const allow = (): Promise<Result<null>> => Promise.resolve(succeed(null))

describe.skipIf(whyNot !== null)('a trial on a copy (R73)', () => {
  let world: SandboxWorld
  const at = (name: string): string => path.join(world.root, name)
  beforeEach(() => {
    world = makeSandboxWorld()
    for (const folder of ['sub/deep', 'gone']) mkdirSync(at(folder), { recursive: true })
    for (const file of ['a', 'b', 'c', 'sub/1', 'sub/deep/2', 'gone/z', 'turns']) writeFileSync(at(file), file)
  })
  afterEach(() => world.close())
  /** Waits until the command of the running trial has made something. */
  const reached = async (name: string): Promise<void> => {
    const trials = path.join(world.data, 'trials')
    while (!existsSync(trials) || !readdirSync(trials).some((trial) => existsSync(path.join(trials, trial, name)))) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const rows = (trial: Trial): readonly string[] => trial.files.map((file) => `${file.change} ${file.kind} ${file.path}`)

  test('it tells every kind of change with both hashes, and writes nothing', async () => {
    const before = treeOf(world.root)
    const trial = await world.tryOut('echo more >> a; rm b; touch b2; rm b2; chmod +x c; rm -r sub; mkdir sub; echo new > sub/1; rm -r gone; mkdir n; printf "\\0" > n/bin; ln -s a link; rm turns; mkdir turns; echo i > turns/in; touch sub/../a; mkfifo pipe; exit 3')
    expect(rows(trial)).toEqual([
      'changed file a', 'deleted file b', 'changed file c', 'deleted folder gone', 'deleted file gone/z', 'created symlink link', 'created folder n', 'created file n/bin', 'changed file sub/1', 'deleted folder sub/deep',
      'deleted file sub/deep/2', 'changed folder turns', 'created file turns/in',
    ])
    expect(trial.end).toMatchObject({ exitCode: 3, confined: 'sandbox', leftRunning: [] })
    const [a] = trial.files
    expect(a).toMatchObject({ beforeBytes: 1, afterBytes: 6, mode: lstatSync(at('a')).mode & 0o777, isBinary: false })
    expect(trial.files.find((file) => file.path === 'n/bin')).toMatchObject({ isBinary: true, beforeHash: null })
    const sides = await trial.read('a', 3)
    expect(sides.ok && { before: Buffer.from(sides.value.before ?? []).toString(), after: Buffer.from(sides.value.after ?? []).toString(), isCut: sides.value.isCut }).toEqual({ before: 'a', after: 'amo', isCut: true })
    expect(treeOf(world.root)).toEqual(before)
    await trial.discard()
    expect(readdirSync(path.join(world.data, 'trials'))).toEqual([])
    expect(await trial.read('a', 3)).toMatchObject({ ok: false, fault: { code: 'trial.gone' } })
    expect(await trial.keep(allow, () => {})).toMatchObject({ ok: false, fault: { code: 'trial.gone' } })
  })

  test('keeping makes the project equal to the copy', async () => {
    const trial = await world.tryOut('echo more >> a; rm b; rm -r sub; mkdir sub; echo new > sub/1; rm -r gone; mkdir -m 500 n; ln -s a link; rm turns; mkdir turns; echo i > turns/in; find . -printf "%P %m %y\\n" | grep -v "^\\.\\|^ " | sort')
    const done: string[] = []
    expect(await trial.keep(allow, (place, outcome) => void (outcome.ok && done.push(place)))).toEqual(succeed(null))
    await trial.discard()
    expect(done.sort()).toEqual(trial.files.map((file) => file.path))
    const now = spawnSync('bash', ['-c', 'find . -printf "%P %m %y\\n" | grep -v "^\\.\\|^ " | sort'], { cwd: world.root, encoding: 'utf8' }).stdout
    expect(now).toBe(trial.end.text)
    chmodSync(at('n'), 0o700)
  })

  test('one path that may not be written, and nothing is', async () => {
    const trial = await world.tryOut('echo more >> a; echo x > z')
    const before = treeOf(world.root)
    const kept = await trial.keep((file) => Promise.resolve(file.path === 'z' ? fail('path.outside', { path: 'z' }) : succeed(null)), () => {})
    expect(kept).toEqual(fail('path.outside', { path: 'z' }))
    expect(treeOf(world.root)).toEqual(before)
    await trial.discard()
  })

  test.each<readonly [string, (name: (name: string) => string) => void, string]>([
    ['a changed file', (name) => writeFileSync(name('a'), 'mine'), 'a'],
    ['a file with the same content written again by rename', (name) => renameOver(name('a'), 'other'), 'a'],
    ['a deleted file', (name) => rmSync(name('a')), 'a'],
    ['a file where the trial made one', (name) => writeFileSync(name('made'), 'mine'), 'made'],
    ['a file that the trial deleted', (name) => writeFileSync(name('b'), 'mine'), 'b'],
    ['other bits', (name) => chmodSync(name('a'), 0o600), 'a'],
  ])('while it ran, and after it: %s is found, and nothing is kept', async (_what, act, found) => {
    const running = world.tryOut('echo more >> a; echo x > made; rm b; mkdir done; sleep 1')
    await reached('upper/done')
    act(at)
    const trial = await running
    expect(await trial.changedSince()).toContain(found)
    const mine = treeOf(world.root)
    expect(await trial.keep(allow, () => {})).toMatchObject({ ok: false, fault: { code: 'trial.changed-since' } })
    expect(treeOf(world.root)).toEqual(mine)
    await trial.discard()
    await world.close()

    world = makeSandboxWorld()
    for (const name of ['a', 'b']) writeFileSync(at(name), name)
    const later = await world.tryOut('echo more >> a; echo x > made; rm b')
    expect(await later.changedSince()).toEqual([])
    act(at)
    expect(await later.changedSince()).toEqual(found === 'a' && readText(at('a')) === 'a' && (lstatSync(at('a')).mode & 0o777) !== 0o600 ? [] : [found])
    await later.discard()
  })

  test('a folder that became a link to elsewhere is not followed', async () => {
    const outside = path.join(world.base, 'elsewhere')
    mkdirSync(outside)
    const trial = await world.tryOut('echo x > sub/new; echo more >> a')
    rmSync(at('sub'), { recursive: true })
    symlinkSync(outside, at('sub'))
    expect(await trial.keep(allow, () => {})).toEqual(fail('trial.changed-since', { paths: ['sub/new'] }))
    expect(readdirSync(outside)).toEqual([])
    await trial.discard()
  })

  test('what was refused is told; programs left running are ended; nothing leads out', async () => {
    const command = `echo x > .mcp.json; echo x > /etc/countersign; node -e "fetch('http://example.com').catch(e => console.log(String(e.cause)))"; (sleep 400; echo x > late) & ln -s ${world.base} out; echo x > out/stolen; true`
    const trial = await world.tryOut(command)
    expect(trial.refused.map(({ kind, what }) => `${kind} ${what}`)).toEqual(expect.arrayContaining(['write .mcp.json', 'write /etc/countersign', expect.stringMatching(/^network .*(?:ENOTFOUND|EAI_AGAIN)/) as unknown]))
    expect(trial.files.map((file) => file.path)).toEqual(['out'])
    expect(world.runner.leftRunning()).toEqual([])
    expect(spawnSync('pgrep', ['-f', 'sleep 400']).status).toBe(1)
    expect([existsSync(path.join(world.base, 'stolen')), existsSync('/etc/countersign')]).toEqual([false, false])
    await trial.discard()
  })

  test('a commit in the copy is a commit when it is kept', async () => {
    spawnSync('bash', ['-c', 'git init -q . && git add -A && git -c user.name=a -c user.email=a@example.invalid commit -qm one'], { cwd: world.root })
    const trial = await world.tryOut('echo more >> a; git -c user.name=a -c user.email=a@example.invalid commit -qam two; git status --porcelain; echo x > .git/hooks/pre-commit')
    expect(trial.end.text).not.toContain('?? ')
    expect(trial.files.filter(({ path: place }) => /hooks|config|commondir|exclude/.test(place))).toEqual([])
    await trial.keep(allow, () => {})
    await trial.discard()
    expect(spawnSync('git', ['log', '--oneline'], { cwd: world.root, encoding: 'utf8' }).stdout.trim().split('\n')).toHaveLength(2)
    expect(spawnSync('git', ['fsck'], { cwd: world.root }).status).toBe(0)
  })

  test('cancelled, it tells what had happened by then', async () => {
    const stop = new AbortController()
    const running = world.tryOut('echo more >> a; mkdir done; sleep 300; echo x > never', { signal: stop.signal })
    await reached('upper/done')
    stop.abort()
    const trial = await running
    expect([trial.end.isCancelled, rows(trial)]).toEqual([true, ['changed file a', 'created folder done']])
    await trial.discard()
  })

  test('the copy of an app that was killed is removed with the next start', async () => {
    const dead = path.join(world.data, 'trials/dead')
    mkdirSync(path.join(dead, 'work/work'), { recursive: true })
    writeFileSync(path.join(dead, 'owner.json'), JSON.stringify({ pid: 999_999_999, startedAt: '1', scope: 'another boot' }))
    chmodSync(path.join(dead, 'work/work'), 0)
    expect(await makeOverlays(world.data).canTry()).toBe(true)
    expect(readdirSync(path.join(world.data, 'trials'))).toEqual([])
  })

  test.each([
    ['made', 'printf x > "$(printf \'bad\\377name\')"; echo more >> a'],
    ['deleted', 'rm odd*; echo more >> a'],
    ['deleted with its folder', 'rm -r odd'],
  ])('a name that is no text and was %s is said to be one, and no copy is left', async (_how, command) => {
    spawnSync('bash', ['-c', command.includes('-r') ? 'mkdir odd; echo x > "odd/$(printf \'bad\\377name\')"' : 'echo x > "$(printf \'odd\\377name\')"'], { cwd: world.root })
    await expect(world.tryOut(command)).rejects.toThrow('trial.name-no-text')
    expect([readText(at('a')), readdirSync(path.join(world.data, 'trials'))]).toEqual(['a', []])
  })

  test('folders deeper than a path can be long are refused, and no copy is left', async () => {
    await expect(world.tryOut('for i in {1..300}; do mkdir aaaaaaaaaaaaaaaaaaaa; cd aaaaaaaaaaaaaaaaaaaa; done; echo more > f')).rejects.toThrow('path.too-long')
    expect(readdirSync(path.join(world.data, 'trials'))).toEqual([])
  })

  test('a file too large to be kept keeps all the rest from being written', async () => {
    const trial = await world.tryOut('echo more >> a; truncate -s 257M big')
    expect(await trial.keep(allow, () => {})).toEqual(fail('trial.too-large', { path: 'big' }))
    expect([readText(at('a')), existsSync(at('big'))]).toEqual(['a', false])
    await trial.discard()
  })

  const place = fc.constantFrom('a', 'b', 'd', 'd/a', 'd/b', 'd/e', 'd/e/a', 'f', 'f/a')
  const act = fc.oneof(
    fc.tuple(place, fc.nat(9)).map(([to, text]) => `echo ${text} > ${to}`),
    place.map((to) => `echo more >> ${to}`),
    place.map((to) => `rm -rf ${to}`),
    place.map((to) => `mkdir -p ${to}`),
    fc.tuple(place, place).map(([from, to]) => `mv -T ${from} ${to}`),
    fc.tuple(place, place).map(([from, to]) => `cp -rT ${from} ${to}`),
    fc.tuple(place, place).map(([from, to]) => `ln -sfn ${from} ${to}`),
    fc.tuple(place, fc.constantFrom('755', '700', '750')).map(([to, bits]) => `[ -L ${to} ] || chmod ${bits} ${to}`),
  )

  test('whatever a command does: kept, the project is as if it had run there', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 8 }), fc.array(act, { minLength: 1, maxLength: 8 }), async (first, second) => {
        for (const name of readdirSync(world.root)) rmSync(at(name), { recursive: true, force: true })
        const command = (acts: readonly string[]): string => `umask 022; ${acts.map((one) => `(${one}) 2>/dev/null`).join('; ')}; true`
        spawnSync('bash', ['-c', command(first)], { cwd: world.root })
        const twin = path.join(world.base, 'twin')
        rmSync(twin, { recursive: true, force: true })
        cpSync(world.root, twin, { recursive: true, verbatimSymlinks: true })
        spawnSync('bash', ['-c', command(second)], { cwd: twin })
        const trial = await world.tryOut(command(second))
        const kept = await trial.keep(allow, (name, outcome) => expect([name, outcome.ok]).toEqual([name, true]))
        await trial.discard()
        expect(kept).toEqual(succeed(null))
        expect(treeOf(world.root)).toEqual(treeOf(twin))
      }),
      { numRuns: 25 },
    )
  })
})

function readText(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** As an editor saves: a new file over the old one. */
function renameOver(file: string, temporary: string): void {
  writeFileSync(`${file}.${temporary}`, 'a')
  renameSync(`${file}.${temporary}`, file)
}
