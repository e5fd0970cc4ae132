import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import path from 'node:path'
import type { SandboxLaunch, SandboxUse } from '../../core/ports/sandbox'
import { said, type Result, type Said } from '../../../shared/domain/result'
import { findProgram } from '../../native/processTreeIsolation'
import { programFolders } from '../../native/searchPath'
import type { Shown } from './homeView'

/** What the test works with. */
export interface SelfTestParts {
  /** A folder of the app's own, inside its data folder. */
  readonly folder: string
  readonly home: string
  readonly platform: string
  readonly prepare: (use: SandboxUse, shown: readonly Shown[]) => Promise<Result<SandboxLaunch>>
}

const limitMs = 15_000

/** Each line that says so is an escape; `done` alone shows that all was tried. Arguments: outside, data, home name, port, app's number. */
const script = [
  'leak() { printf "leak %s\\n" "$1"; }',
  'cd "$PWD" && : > inside && printf "works\\n"',
  'printf x 2>/dev/null > "$1/made" && leak write',
  'mount -o remount,bind,rw "$1" 2>/dev/null && leak remount',
  'unshare -Urm mount -o remount,bind,rw "$1" 2>/dev/null && leak remount',
  'printf x 2>/dev/null > "$1/made" && leak remount',
  '(cat "$2/canary") >/dev/null 2>&1 && leak data',
  '[ -n "$3" ] && { [ -e "$3" ] || [ -L "$3" ]; } && leak home',
  '(printf x > "/dev/tcp/127.0.0.1/$4") 2>/dev/null && leak network',
  'printf x 2>/dev/null > .git/hooks/pre-commit && leak protected',
  'printf x 2>/dev/null > .mcp.json && leak protected',
  'mv .git .moved 2>/dev/null && leak protected',
  'kill -0 "$5" 2>/dev/null && leak process',
  'if [ -d /proc/sys ]; then',
  '  [ "$$" = 1 ] || leak process',
  '  read -r pattern < /proc/sys/kernel/core_pattern && (printf "%s\\n" "$pattern" > /proc/sys/kernel/core_pattern) 2>/dev/null && leak kernel',
  'fi',
  'cat /proc/self/mountinfo 2>/dev/null',
  'printf "done\\n"',
].join('\n')

/**
 * Tries to escape, for real; what it could not try counts as an escape. Null when everything held, otherwise why there is
 * no sandbox. Never rejects for what the system does.
 */
export async function testSandbox(parts: SelfTestParts): Promise<Said | null> {
  const world = await mkdtemp(path.join(parts.folder, 'test-'))
  const [root, outside] = [path.join(world, 'root'), path.join(world, 'outside')]
  const connections: string[] = []
  const server = createServer((socket) => {
    connections.push(String(socket.remotePort))
    socket.destroy()
  })
  try {
    await mkdir(path.join(root, '.git', 'hooks'), { recursive: true })
    await mkdir(outside)
    await Promise.all([writeFile(path.join(root, '.git', 'config'), ''), writeFile(path.join(outside, 'canary'), ''), writeFile(path.join(parts.folder, 'canary'), '', { mode: 0o600 })])
    const port = await listen(server)
    const launch = await parts.prepare({ root, cwd: root, network: false, lifted: [] }, [{ from: outside, to: outside }])
    if (!launch.ok) return launch.fault
    const hidden = await hiddenName(parts, launch.value.argv)
    const output = await run(launch.value.argv, [outside, parts.folder, hidden, String(port), String(process.pid)], root)
    await launch.value.done()
    if (!output.ok) return output.fault
    const left = (await readdir(root)).filter((name) => name !== '.git' && name !== 'inside')
    return judge({ output: output.value, platform: parts.platform, root, connections, left, wasWritten: (await readdir(outside)).includes('made') })
  } finally {
    server.close()
    await rm(world, { recursive: true, force: true })
  }
}

interface Tried {
  readonly output: string
  readonly platform: string
  readonly root: string
  readonly connections: readonly string[]
  readonly left: readonly string[]
  readonly wasWritten: boolean
}

const leaks = {
  write: said('sandbox.leak-write'), remount: said('sandbox.leak-remount'), network: said('sandbox.leak-network'), home: said('sandbox.leak-home'), data: said('sandbox.leak-data'),
  protected: said('sandbox.leak-protected'), process: said('sandbox.leak-process'), kernel: said('sandbox.leak-kernel'),
} as const

function judge(tried: Tried): Said | null {
  const lines = tried.output.split('\n')
  const told = lines.flatMap((line) => /^leak (\w+)$/.exec(line)?.slice(1) ?? [])
  const found = new Set(told.filter((name): name is keyof typeof leaks => name in leaks))
  if (tried.wasWritten || writableMounts(lines, tried.root).length > 0) found.add('write')
  if (tried.connections.length > 0) found.add('network')
  if (tried.left.length > 0) found.add('protected')
  const [first] = found
  if (first !== undefined) return said('sandbox.leaks', { what: leaks[first] })
  const isWhole = lines.includes('works') && lines.includes('done') && (tried.platform !== 'linux' || lines.some((line) => line.includes(' / / ')))
  return isWhole ? null : said('sandbox.cannot-start', { problem: tried.output.trim().slice(0, 200) })
}

/** Mounts of real disks that can be written besides the project and its caches. */
function writableMounts(lines: readonly string[], root: string): readonly string[] {
  const privateKinds = ['tmpfs', 'proc', 'devpts', 'mqueue']
  return lines.flatMap((line) => {
    const [, point = '', options = '', kind = ''] = /^\d+ \d+ \S+ \S+ (\S+) (\S+) .*?- (\S+) /.exec(line) ?? []
    const isPrivate = point === '' || privateKinds.includes(kind) || point.startsWith('/dev/') || point === root || point.startsWith(`${root}/`)
    return isPrivate || options.split(',').includes('ro') || /\/(?:\.cache|\.npm)$|^\/tmp$/.test(point) ? [] : [point]
  })
}

/** Something that stands in the home folder and that no command is shown; empty when there is nothing of that kind. */
async function hiddenName({ home }: SelfTestParts, argv: readonly string[]): Promise<string> {
  const names = await readdir(home).catch(() => [])
  const hidden = names.map((name) => path.join(home, name)).filter((place) => !argv.some((word) => word === place || word.startsWith(`${place}/`)))
  return hidden.find((place) => path.basename(place).startsWith('.')) ?? hidden[0] ?? ''
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}

function run(argv: readonly string[], values: readonly string[], cwd: string): Promise<Result<string>> {
  const [file = '', ...options] = argv
  const bash = findProgram('bash', programFolders) ?? 'bash'
  const env = { PATH: programFolders.join(':') }
  return new Promise((resolve) => {
    execFile(file, [...options, bash, '--noprofile', '--norc', '-c', script, 'test', ...values], { cwd, env, timeout: limitMs, killSignal: 'SIGKILL', maxBuffer: 4 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (stdout.includes('works')) resolve({ ok: true, value: stdout })
      else resolve({ ok: false, fault: said('sandbox.cannot-start', { problem: (stderr.trim() || error?.message || '').slice(0, 200) }) })
    })
  })
}
