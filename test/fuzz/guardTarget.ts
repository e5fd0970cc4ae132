import { readFileSync } from 'node:fs'
import path from 'node:path'
import { judgeCommand } from '../../src/main/core/policy/commandGuard'
import { programsOf } from '../../src/main/core/policy/commandPrograms'
import type { Where } from '../../src/main/core/policy/shell/call'
import { say } from '../../src/shared/words/say'
import type { FuzzTarget } from './run'

const weight = { allowable: 0, ask: 1, deny: 2 } as const
const where: Where = { cwd: '/home/ann/app', root: '/home/ann/app', home: '/home/ann', appData: '/home/ann/.local/share/countersign', projectGit: { executes: false }, scripts: (name) => (name === 'test' ? 'vitest run' : null) }

/** What a judgement may look at for each character of the command, and besides. Measured: the case file needs a tenth. */
const stepsEach = 60
const stepsAlways = 20_000

/** Counts how often the fence is asked about: what a judgement costs, whatever the machine is doing besides. */
function counting(): { readonly where: Where; readonly steps: () => number } {
  let steps = 0
  const fence = {
    ...where,
    get root(): string {
      steps++
      return where.root
    },
  }
  return { where: fence, steps: () => steps }
}

function check(input: string): string | null {
  if (input.trim() === '') return null
  const counted = counting()
  const { kind, reason, parts } = judgeCommand(input, counted.where)
  if (counted.steps() > stepsAlways + stepsEach * input.length) return `costs too much: ${counted.steps()} steps for ${input.length} characters`
  if (say('en', reason) === '' || say('zh-CN', reason) === '') return `says nothing: ${reason.code}`
  const worse = parts.find((part) => weight[part.verdict] > weight[kind])
  if (worse) return `is milder than its part: ${worse.argv.join(' ')}`
  programsOf(input)
  const more = judgeCommand(`true\n${input}`, where).kind
  if (weight[more] < weight[kind]) return `is milder with a command in front: ${kind}, then ${more}`
  const grave = judgeCommand(`rm -rf /\n${input}`, where).kind
  return grave === 'deny' ? null : `hides a command in front: ${grave}`
}

function seeds(): readonly string[] {
  const rows = readFileSync(path.resolve('test/cases/guard/guard-commands.jsonl'), 'utf8').trim().split('\n').map((line) => (JSON.parse(line) as { readonly cmd: string }).cmd.slice(0, 2000))
  return rows.map((text) => text.replaceAll('@PROJECT@', where.root).replaceAll('@HOME@', where.home).replaceAll('@APPDATA@', where.appData))
}

/** The command guard with the parser under it. */
export const guardTarget: FuzzTarget = {
  name: 'guard',
  seeds,
  check,
  words: [
    '\n', ';', '&', '&&', '||', '|', '|&', '(', ')', '{ ', ' }', '((', '))', '[[ ', ' ]]', '$(', '`', '${', '}', '$((', '<(', '>(', '<<E\n', '\nE\n', "<<'E'\n", '<<<', '>', '>>', '<', '2>&1', '>&', '&>', '"', "'", "$'", '$"', '\\', '\\\n', '#', '*', '?', '[a]', '{a,b}', '{1..9}', '~', '!',
    'if ', 'then ', 'else ', 'elif ', 'fi', 'for i in ', 'do ', 'done', 'while ', 'until ', 'case x in ', ' esac', ';;', ';&', 'f() {', 'function f ', 'f', 'select x in ', 'coproc ', 'time ', 'eval ', 'sh -c ', 'bash <<< ', 'env -S', 'xargs -I{} ', 'find . -exec ', ' \\;', 'sudo ', 'exec ', 'trap ', 'set -- ', 'read x', 'x=', 'x+=', '$x', '${x:-', '${x/', '${!x}', '${x@P}', '$@', '$1', 'awk ', 'sed ', 'git -c ', 'python3 -c ', 'npm run ', 'make ', 'cd ', '/', '..', '/home/ann', '.env', '-rf', '--', '=', '@', '\t', '\0', '\u202e', '\u200b', '\ufdd0', '文',
  ],
}
