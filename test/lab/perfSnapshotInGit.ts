import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeProject } from './makeProject'
import { inTurn, line, pairs } from './pairs'
import type { PerfLine } from './perfLine'
import { nativeWay, ourWay } from './snapshotWays'

const rounds = 3

/**
 * S5: the first snapshot of a project that is a git repository already: just committed (its objects
 * loose), packed, and for comparison without its repository. Beside it a full add of plain git in a repository of its own.
 */
export async function perfSnapshotInGit(print: (line: PerfLine) => void, size = 20_000): Promise<void> {
  const top = fs.mkdtempSync(join(tmpdir(), 'countersign-perf-'))
  const project = join(top, 'project')
  try {
    for (const file of makeProject(project, size)) fs.readFileSync(join(project, file))
    for (const args of [['init', '-q'], ['config', 'gc.auto', '0'], ['add', '-A'], ['commit', '-qm', 'all']]) git(project, args)
    await measure({ top, project, print, variant: 'loose' })
    git(project, ['gc', '-q'])
    await measure({ top, project, print, variant: 'packed' })
    fs.rmSync(join(project, '.git'), { recursive: true })
    await measure({ top, project, print, variant: 'none' })
  } finally {
    fs.rmSync(top, { recursive: true, force: true })
  }
}

interface Bench {
  readonly top: string
  readonly project: string
  readonly print: (line: PerfLine) => void
  readonly variant: 'loose' | 'packed' | 'none'
}

async function measure({ top, project, print, variant }: Bench): Promise<void> {
  const times = pairs()
  let stored = 0
  for (let round = 0; round < rounds; round++) {
    const data = join(top, `ours-${variant}${round}`)
    const beside = join(top, `native-${variant}${round}`)
    const ours = await ourWay(project, data)
    const native = nativeWay(project, beside)
    await inTurn(round, { snap: ours.first }, { snap: native.first }, times)
    await ours.close()
    await native.close()
    stored = sizeOf(join(data, 'snapshots'))
    for (const folder of [data, beside]) fs.rmSync(folder, { recursive: true })
  }
  print(line('S5', `first snapshot, repository ${variant}`, times, 'git add -A + write-tree + commit'))
  print({ goal: 'S5', name: `stored, repository ${variant}`, value: Math.round(stored / 1e5) / 10, unit: 'MB', baseline: null, ratio: null, runs: 1 })
}

function sizeOf(folder: string): number {
  return fs.readdirSync(folder, { withFileTypes: true, recursive: true }).reduce((sum, entry) => sum + (entry.isFile() ? fs.lstatSync(join(entry.parentPath, entry.name)).size : 0), 0)
}

function git(project: string, args: readonly string[]): void {
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_AUTHOR_NAME: 'b', GIT_AUTHOR_EMAIL: 'b@x', GIT_COMMITTER_NAME: 'b', GIT_COMMITTER_EMAIL: 'b@x' }
  const ran = spawnSync('git', args, { cwd: project, env, encoding: 'utf8' })
  if (ran.status !== 0) throw new Error(`git ${args[0]}: ${ran.stderr}`)
}
