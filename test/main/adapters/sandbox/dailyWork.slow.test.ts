import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openWorkspaceFs } from '../../../../src/main/adapters/fs/workspaceFs'
import { openRoot } from '../../../../src/main/native/safePath'
import { repositoryRoot } from '../../../support/window'
import { makeSandboxWorld, noSandboxHere, type SandboxWorld } from '../../../support/sandboxWorld'

const has = (program: string): boolean => spawnSync('bash', ['-c', `command -v ${program}`]).status === 0
const identity = 'export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.invalid GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.invalid; '

// Once more: a socket that another test binds may go between the look at it and its hiding, and then bubblewrap starts nothing.
describe.skipIf(noSandboxHere !== null)('daily work in the sandbox (R72)', { retry: 1 }, () => {
  let world: SandboxWorld
  beforeEach(() => {
    world = makeSandboxWorld()
    spawnSync('git', ['init', '-q', '-b', 'main', '.'], { cwd: world.root })
    writeFileSync(path.join(world.root, 'a.txt'), 'a\n')
  })
  afterEach(() => world.close())
  const write = (files: Readonly<Record<string, string>>, root = world.root): void => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
      writeFileSync(path.join(root, name), text)
    }
  }

  test('git adds, commits, branches and stashes; what the sandbox put there is neither seen nor committed', async () => {
    const end = await world.run(`${identity}git status --porcelain && git add -A && git commit -qm one && git switch -qc two && echo b >> a.txt && git stash -q && git stash pop -q && git commit -qam two && git log --oneline | wc -l && git ls-files && git gc -q && git status --porcelain`)
    expect(end).toMatchObject({ exitCode: 0, text: '?? a.txt\n2\na.txt\n', confined: 'sandbox', hints: [] })
    expect(readdirSync(world.root).sort()).toEqual(['.git', 'a.txt'])
    expect(readdirSync(path.join(world.root, '.git'))).not.toContain('commondir')
  })

  test('the name of the person is known to git, their tokens are not', async () => {
    expect((await world.run('git config user.name; git config --get-regexp url')).text).toBe('Test\n')
  })

  test('a linked work tree commits; hooks and settings of its repository are held', async () => {
    const other = path.join(world.base, 'other')
    spawnSync('bash', ['-c', `${identity}git add -A && git commit -qm one && git worktree add -q -b side ${other}`], { cwd: world.root })
    write({ 'b.txt': 'b' }, other)
    const start = { callId: 'tree', command: `${identity}git add -A && git commit -qm two && git log --oneline | wc -l; echo x > ${world.root}/.git/hooks/pre-commit; git config a.b c; echo x > .git; echo x > ${world.root}/a.txt; echo x > ${world.root}/.git/worktrees/other/commondir`, cwd: other, timeoutMs: 60_000, confinement: { kind: 'sandboxed', root: other, network: false, lifted: [] } } as const
    const begun = await world.runner.start(start, () => {}, new AbortController().signal)
    const end = begun.ok ? await begun.value.ended : null
    expect(end?.text.split('\n')[0]).toBe('2')
    expect(existsSync(path.join(world.root, '.git/hooks/pre-commit'))).toBe(false)
    expect(readFileSync(path.join(world.root, 'a.txt'), 'utf8')).toBe('a\n')
    expect(readFileSync(path.join(world.root, '.git/worktrees/other/commondir'), 'utf8')).toBe('../..\n')
    expect(spawnSync('git', ['config', 'a.b'], { cwd: world.root }).status).toBe(1)
  })

  test('a gitfile that names a place of its own choice makes nothing writable', async () => {
    const stolen = path.join(world.base, 'stolen')
    write({ HEAD: 'ref: x', config: '', 'objects/x': '' }, stolen)
    const root = path.join(world.base, 'bait')
    write({ '.git': `gitdir: ${stolen}\n` }, root)
    const start = { callId: 'bait', command: `echo x > ${stolen}/new`, cwd: root, timeoutMs: 60_000, confinement: { kind: 'sandboxed', root, network: false, lifted: [] } } as const
    const begun = await world.runner.start(start, () => {}, new AbortController().signal)
    expect(begun.ok && (await begun.value.ended).exitCode).not.toBe(0)
    expect(existsSync(path.join(stolen, 'new'))).toBe(false)
  })

  test('node, npm test, a cache in node_modules, a private folder for temporary files', async () => {
    write({ 'package.json': '{"name":"p","version":"1.0.0","scripts":{"test":"node t.js"}}', 't.js': "const fs=require('fs'),os=require('os'),p=require('path');fs.mkdirSync('node_modules/.cache',{recursive:true});fs.writeFileSync('node_modules/.cache/x','1');fs.writeFileSync(p.join(os.tmpdir(),'t'),'1');console.log('tests passed')" })
    const end = await world.run('npm test --silent && node -e "console.log(1+1)" && ls -A /tmp | grep -v sandbox-world; echo x > package.json')
    expect(end).toMatchObject({ exitCode: 0, text: 'tests passed\n2\nt\n' })
    expect(readFileSync(path.join(world.root, 'package.json'), 'utf8')).toBe('x\n')
  })

  test('what one command leaves in /tmp the next of the project reads; another project and a trial do not', async () => {
    expect((await world.run('echo left > /tmp/note; echo $TMPDIR')).text).toBe('/tmp\n')
    expect([(await world.run('cat /tmp/note')).text, (await world.tryOut('cat /tmp/note')).end.exitCode]).toEqual(['left\n', 1])
    const other = makeSandboxWorld()
    expect([(await other.run('cat /tmp/note')).exitCode, existsSync('/tmp/note')]).toEqual([1, false])
    await other.close()
  })

  test('what holds names free while a program runs is in no list', async () => {
    const end = await world.run('sleep 30 >/dev/null 2>&1 & sleep 0.1; true')
    expect([end.leftRunning.length, existsSync(path.join(world.root, '.mcp.json'))]).toEqual([1, true])
    const root = openRoot(world.root)
    if (!root.ok) throw new Error(root.fault.code)
    const fs = openWorkspaceFs(root.value, { guarded: [] })
    const listed = await fs.list(await fs.locate('.', 'list'))
    expect(listed.ok && listed.value.map(({ name }) => name)).toEqual(['.git', 'a.txt'])
  })

  test('a file watcher sees a change; a server of the project can be reached by the project', async () => {
    const script = "const fs=require('fs'),net=require('net');fs.watch('.',(e,n)=>{if(n==='seen'&&!global.seen){global.seen=1;console.log('saw it');const s=net.createServer(c=>c.end('hi')).listen(0,()=>net.connect(s.address().port).on('data',d=>{console.log(String(d));process.exit()}))}});setTimeout(()=>fs.writeFileSync('seen','1'),100)"
    write({ 'w.js': script })
    expect((await world.run('timeout 20 node w.js')).text).toBe('saw it\nhi\n')
  })

  test('the compiler of this repository', async () => {
    write({ 'src/a.ts': 'export const a: number = 1\n' })
    // Of the project itself: this repository may lie where nothing is seen from inside.
    cpSync(path.join(repositoryRoot, 'node_modules/typescript'), path.join(world.root, 'node_modules/typescript'), { recursive: true, dereference: true })
    const end = await world.run(`node node_modules/typescript/bin/tsc --outDir out --module esnext --target es2022 src/a.ts && cat out/a.js`)
    expect(end).toMatchObject({ exitCode: 0, text: 'export const a = 1;\n' })
  })

  test.skipIf(!has('make') || !has('cc'))('make and a C compiler', async () => {
    write({ Makefile: 'all: m\n\t./m\nm: m.c\n\tcc -o m m.c\n', 'm.c': '#include <stdio.h>\nint main(){puts("made");}\n' })
    expect((await world.run('make -s')).text).toBe('made\n')
  })

  test.skipIf(!has('python3'))('python, with a package of its own', async () => {
    await world.close()
    world = makeSandboxWorld({ home: homedir() })
    write({ 'p.py': 'import json, tempfile, pathlib\npathlib.Path("out").write_text("x")\nprint(json.dumps({"t": tempfile.gettempdir()}))\n' })
    expect((await world.run('python3 p.py')).text).toBe('{"t": "/tmp"}\n')
  })

  test.skipIf(!has('cargo'))('cargo builds without the network', async () => {
    await world.close()
    world = makeSandboxWorld({ home: homedir() })
    write({ 'Cargo.toml': '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n', 'src/main.rs': 'fn main() { println!("built"); }\n' })
    expect((await world.run('cargo run -q')).text).toBe('built\n')
  })

  test('a project in the home folder, and one with blanks and letters of other scripts in its name', async () => {
    await world.close()
    world = makeSandboxWorld({ rootIn: 'home' })
    expect((await world.run('echo x > made && cat made && ls -A ~ | grep ssh')).text).toBe('x\n')
    const root = path.join(world.base, "項目 with 'quotes' \\ and #")
    mkdirSync(path.join(root, '.vscode'), { recursive: true })
    const start = { callId: 'odd', command: 'echo x > made; echo x > .vscode/y; ls -A .vscode; pwd', cwd: root, timeoutMs: 60_000, confinement: { kind: 'sandboxed', root, network: false, lifted: [] } } as const
    const begun = await world.runner.start(start, () => {}, new AbortController().signal)
    expect(begun.ok && (await begun.value.ended).text).toContain(`${root}\n`)
    expect([readdirSync(root).sort(), readdirSync(path.join(root, '.vscode'))]).toEqual([['.vscode', 'made'], []])
  })

  test('what the person allowed by name can be written this once, and nothing else', async () => {
    const end = await world.run('mkdir -p .vscode && echo x > .vscode/settings.json && git config a.b c && echo x > .mcp.json', { lifted: ['.vscode/settings.json', '.git/config'] })
    expect(end).toMatchObject({ exitCode: 1, hints: ['path'] })
    expect(readFileSync(path.join(world.root, '.vscode/settings.json'), 'utf8')).toBe('x\n')
    expect(spawnSync('git', ['config', 'a.b'], { cwd: world.root, encoding: 'utf8' }).stdout).toBe('c\n')
    expect(readdirSync(world.root).sort()).toEqual(['.git', '.vscode', 'a.txt'])
  })

  test('with the network a service of the machine is reached; its own caches stay away from the person', async () => {
    const { createServer } = await import('node:net')
    const server = createServer((socket) => socket.end('hello\n'))
    const port = await new Promise<number>((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)))
    const command = `cat < /dev/tcp/127.0.0.1/${port}; mkdir -p ~/.npm && echo x > ~/.npm/poison; echo y > ~/.cache/kept`
    expect((await world.run(command, { network: true })).text).toBe('hello\n')
    expect((await world.run('cat ~/.npm/poison ~/.cache/kept')).text).toBe('x\ny\n')
    const without = await world.run(command)
    expect([without.text.includes('hello'), without.hints]).toEqual([false, []])
    expect(existsSync(path.join(world.home, '.npm'))).toBe(false)
    server.close()
  })

  test('cancelling and programs left running work as outside', async () => {
    const left = await world.run('sleep 300 & echo on')
    expect(left).toMatchObject({ exitCode: 0, text: 'on\n', confined: 'sandbox' })
    expect(left.leftRunning).toHaveLength(1)
    expect(world.runner.leftRunning().map(({ command }) => command)).toEqual(['sleep 300'])
    await world.runner.endProgram(left.leftRunning[0] ?? 0)
    const stop = new AbortController()
    const running = world.run('trap "" TERM; sleep 300', { signal: stop.signal })
    setTimeout(() => stop.abort(), 500)
    expect(await running).toMatchObject({ isCancelled: true, confined: 'sandbox' })
  })

  test('commands that begin while others end: each finds what it looked at', async () => {
    const ends = await Promise.all(Array.from({ length: 4 }, async (_, lane) => {
      const codes: (number | null)[] = []
      for (let turn = 0; turn < 8; turn++) codes.push((await world.run(`echo ${lane} ${turn}`)).exitCode)
      return codes
    }))
    expect(ends.flat().filter((code) => code !== 0)).toEqual([])
    expect(readdirSync(world.root).sort()).toEqual(['.git', 'a.txt'])
  })

  test('two commands at a time share what is held: the first to end leaves it to the other', async () => {
    const long = world.run('sleep 1; mkdir .husky; echo x > .mcp.json')
    await world.run('true')
    expect((await long).exitCode).not.toBe(0)
    expect(readdirSync(world.root).sort()).toEqual(['.git', 'a.txt'])
  })
})
