import { readFileSync } from 'node:fs'
import path from 'node:path'
import { judgeCommand } from '../../src/main/core/policy/commandGuard'
import type { Print } from './index'
import { median, type PerfLine } from './perfLine'

const where = { cwd: '/home/ann/app', root: '/home/ann/app', home: '/home/ann', appData: '/home/ann/.local/share/countersign', projectGit: { executes: false } }
const defaultRounds = 20

/** What a usual guard does instead: a list of patterns on the raw text. */
const blacklist = [
  /\brm\s+(?:-\w+\s+)*-?\w*[rf]\w*\s+\//u, /\bmkfs(?:\.\w+)?\b/u, /\bdd\b.*\bof=\/dev\//u, /\b(?:shutdown|reboot|halt|poweroff)\b/u, /:\(\)\s*\{.*\};\s*:/u, /\bsudo\b/u, /\bchmod\s+-R\s+777\b/u, />\s*\/dev\/(?:sd|nvme)/u,
  /\b(?:curl|wget)\b.*\|\s*(?:ba)?sh\b/u, /\bkill\s+-9\s+-1\b/u, /\.ssh\/id_/u, /\/etc\/(?:passwd|shadow)/u, /\bgit\s+push\b/u,
]

/** `perf guard`: what judging a command costs, over the cases that the tests hold, beside a blacklist of patterns in the same run. */
export function perfGuard(print: Print, size: number | undefined): Promise<void> {
  const commands = corpus()
  const rounds = size ?? defaultRounds
  const judged = timesOf(commands, rounds, (command) => judgeCommand(command, where).kind)
  const matched = timesOf(commands, rounds, (command) => blacklist.some((pattern) => pattern.test(command)))
  const line = (name: string, of: (times: readonly number[]) => number): void => {
    const [value, baseline] = [of(judged), of(matched)]
    print({ goal: 'guard', name: `judge a command, ${name}`, value, unit: 'ms', baseline, ratio: value / baseline, runs: judged.length } satisfies PerfLine)
  }
  line('p50', median)
  line('p95', (times) => [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? NaN)
  line('max', (times) => Math.max(...times))
  return Promise.resolve()
}

/** Milliseconds for each command in each round; rounds change over, so that both sides meet the same moments. */
function timesOf(commands: readonly string[], rounds: number, act: (command: string) => unknown): readonly number[] {
  for (const command of commands) act(command)
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    for (const command of commands) {
      const startedAt = performance.now()
      act(command)
      times.push(performance.now() - startedAt)
    }
  }
  return times
}

function corpus(): readonly string[] {
  const cases = path.resolve('test/cases')
  const rows = readFileSync(path.join(cases, 'guard/guard-commands.jsonl'), 'utf8').trim().split('\n').map((line) => (JSON.parse(line) as { readonly cmd: string }).cmd)
  const others = ['e04', 'e09', 'e11', 'e13', 'e17'].flatMap((name) => (JSON.parse(readFileSync(path.join(cases, `E/${name}.json`), 'utf8')) as { readonly cases: readonly { readonly command: string }[] }).cases.map(({ command }) => command))
  return [...rows.map((text) => text.replaceAll('@PROJECT@', where.root).replaceAll('@HOME@', where.home).replaceAll('@APPDATA@', where.appData)), ...others]
}
