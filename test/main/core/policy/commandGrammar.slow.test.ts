import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeCommand } from '../../../../src/main/core/policy/commandGuard'
import { commandTree, printerProgram, staticWord, type CommandTree } from '../../../fuzz/guardGrammar'

const where = { cwd: '/home/ann/app', root: '/home/ann/app', home: '/home/ann', appData: '/home/ann/.local/share/countersign' }
const weight = { allowable: 0, ask: 1, deny: 2 } as const
const kindOf = (command: string): keyof typeof weight => judgeCommand(command, where).kind

/** Runs programs of printers for real, each in a shell of its own; gives for each what `p` was called with. */
function ran(programs: readonly string[]): readonly (readonly string[][])[] {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'countersign-bash-'))
  const printer = `p() { (($#)) && printf '%s\\x1f' "$@" >&9; printf '\\x1e' >&9; }`
  const quoted = programs.map((program) => `'${program.replaceAll("'", "'\\''")}'`)
  const script = `${printer}; exec 9>&1 >/dev/null 2>&1 </dev/null; for each in ${quoted.join(' ')}; do ( eval "$each" ); printf '\\x1d' >&9; done`
  const file = path.join(folder, '..', `${path.basename(folder)}.sh`)
  try {
    writeFileSync(file, script)
    const text = execFileSync('bash', ['--noprofile', '--norc', file], { cwd: folder, env: { HOME: '/home/ann', PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' }, encoding: 'utf8', timeout: 60_000, maxBuffer: 64 * 1024 * 1024 })
    return text.split('\x1d').slice(0, -1).map((one) => one.split('\x1e').slice(0, -1).map((call) => call.split('\x1f').slice(0, -1)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
    rmSync(file, { force: true })
  }
}

/** What the guard knows of a part, as a pattern for what really ran: what is not known may be any words, also none. */
function fits(known: string, real: string): boolean {
  const source = known.replaceAll(/[\\^$.|?*+()[\]{}/]/gu, '\\$&').replaceAll(/ (?=\uFDD0)/gu, ' ?').replaceAll(/[\uFDD0\uFDD1]/gu, '[^]*').replaceAll('\uFDD2', '[^]')
  return new RegExp(`^${source}$`, 'u').test(real)
}

describe('R66: the guard reads words as bash does', () => {
  test('words that are known beforehand come out as bash passes them', () => {
    const programs = fc.sample(fc.array(staticWord, { minLength: 1, maxLength: 4 }), { numRuns: 800, seed: 66 }).map((words) => `p ${words.join(' ')}`)
    const real = ran(programs)
    expect(real).toHaveLength(programs.length)
    const missed = programs.flatMap((program, at) => {
      const shown = judgeCommand(program, where).parts.map((part) => part.argv.slice(1))
      const expected = real[at] ?? []
      const isSame = shown.length === expected.length && shown.every((words, each) => words.length === expected[each]?.length && words.every((word, one) => word === expected[each]?.[one]))
      return isSame ? [] : [{ program, shown, expected }]
    })
    expect(missed).toEqual([])
  })

  test('every command that really runs is among the parts', () => {
    const programs = fc.sample(printerProgram, { numRuns: 600, seed: 67 })
    const real = ran(programs)
    expect(real).toHaveLength(programs.length)
    const missed = programs.flatMap((program, at) => {
      const judged = judgeCommand(program, where)
      if (judged.parts.length === 0) return judged.kind === 'allowable' ? [{ program, call: 'none' }] : []
      const known = judged.parts.map((part) => ['p', ...part.words.slice(1)].join(' '))
      return (real[at] ?? []).map((call) => ['p', ...call].join(' ')).filter((call) => !known.some((line) => fits(line, call))).map((call) => ({ program, call }))
    })
    expect(missed).toEqual([])
  })
})

/** Groups in groups without a space: arithmetic for bash, groups for a shell that has none. */
function inGroups(text: string, levels: number): CommandTree {
  return { text: `${'('.repeat(levels)}${text}${')'.repeat(levels)}`, pieces: [text] }
}

describe('R66: the verdict of a whole is never milder than of its parts', () => {
  test('for commands joined and wrapped in every way', () => {
    fc.assert(
      fc.property(commandTree, ({ text, pieces }) => {
        const whole = kindOf(text)
        const worse = pieces.filter((piece) => weight[kindOf(piece)] > weight[whole])
        expect({ text, whole, worse }).toEqual({ text, whole, worse: [] })
      }),
      { numRuns: 500, examples: [[inGroups('ls -la src\ndd if=/dev/zero of=/dev/sda', 3)], [inGroups('rm -rf /', 2)]] },
    )
  })

  test('spelling the words of any command otherwise makes no verdict milder', () => {
    const commands = [['rm', '-rf', 'src'], ['git', 'push', 'origin'], ['cat', '.env'], ['rm', '-rf', '/'], ['curl', 'https://example.net'], ['tee', '/home/ann/.zshrc'], ['npm', 'publish'], ['kubectl', 'delete', 'pod', 'x'], ['chmod', '-R', '777', '/etc'], ['git', 'reset', '--hard']]
    const spellings: readonly ((word: string) => string)[] = [
      (word) => `'${word}'`, (word) => `"${word}"`, (word) => `${word.slice(0, 1)}''${word.slice(1)}`, (word) => `$'${[...word].map((letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`).join('')}'`, (word) => `"$(echo ${word})"`, (word) => `"$(printf %s '${word}')"`, (word) => `\${unset_x:-${word}}`,
    ]
    fc.assert(
      fc.property(fc.constantFrom(...commands), fc.array(fc.constantFrom(...spellings), { minLength: 4, maxLength: 4 }), fc.boolean(), (words, how, isStored) => {
        const spelled = words.map((word, at) => (how[at] ?? how[0] ?? String)(word))
        const command = isStored ? `${spelled.map((word, at) => `v${at}=${word}`).join('; ')}; ${spelled.map((_, at) => `"$v${at}"`).join(' ')}` : spelled.join(' ')
        expect({ command, isHeld: weight[kindOf(command)] >= weight[kindOf(words.join(' '))] }).toEqual({ command, isHeld: true })
      }),
      { numRuns: 300 },
    )
  })
})
