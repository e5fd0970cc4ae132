import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { judgeCommand, type JudgedCommand } from '../../src/main/core/policy/commandGuard'
import { applyRules, type CommandRules } from '../../src/main/core/policy/commandRules'
import { projectGitExecutes } from '../../src/main/core/policy/projectGit'
import { say } from '../../src/shared/words/say'
import type { LabInput, Print } from './index'

const commandCase = z.object({ id: z.unknown(), cmd: z.string(), shell: z.enum(['bash', 'powershell', 'cmd']).default('bash') })
const rulesFile = z.object({
  allow: z.array(z.string()).default([]), ask: z.array(z.string()).default([]), deny: z.array(z.string()).default([]), builtinReadOnly: z.boolean().default(false),
})

/** `guard-command --project DIR --home DIR --appdata DIR [--rules FILE]`: the verdict on each command of stdin; nothing is run. */
export async function guardCommand(args: readonly string[], input: Pick<LabInput, 'lines'>, print: Print): Promise<void> {
  const { project, home, appdata, rules } = optionsOf(args)
  const root = realPath(project)
  const where = { cwd: root, root, home: realPath(home), appData: realPath(appdata), projectGit: { executes: gitExecutes(root) } }
  for (const line of input.lines()) {
    const given = commandCase.parse(JSON.parse(line))
    const judged = judgeCommand(given.cmd, { ...where, shell: given.shell })
    const ruled = rules ? applyRules(judged, rules, root) : { verdict: judged, allowedBy: null }
    print({ id: given.id, ...described(ruled.verdict), ...(ruled.allowedBy ? { allowedBy: ruled.allowedBy } : {}) })
  }
  return Promise.resolve()
}

function described(verdict: JudgedCommand): object {
  return {
    verdict: verdict.kind,
    reason: say('en', verdict.reason),
    code: verdict.reason.code,
    parts: verdict.parts.map((part) => ({
      argv: part.argv, verdict: part.verdict, reason: say('en', part.reason), reads: part.reads, writes: part.writes, deletes: part.deletes, hosts: part.hosts, canUndo: part.canUndo,
    })),
  }
}

function optionsOf(args: readonly string[]): { readonly project: string; readonly home: string; readonly appdata: string; readonly rules: CommandRules | null } {
  const { project, home, appdata, rules } = parseOptions(args)
  if (project === undefined || home === undefined || appdata === undefined) throw usage()
  return { project, home, appdata, rules: rules === undefined ? null : readRules(rules) }
}

/** A rules file, or a file of cases that holds its rules beside them. */
function readRules(path: string): CommandRules {
  const content = z.looseObject({ rules: z.unknown().optional() }).parse(JSON.parse(readFileSync(path, 'utf8')))
  return rulesFile.parse(content.rules ?? content)
}

function parseOptions(args: readonly string[]): Readonly<Record<string, string | undefined>> {
  const text = { type: 'string' } as const
  try {
    return parseArgs({ args: [...args], options: { project: text, home: text, appdata: text, rules: text, data: text } }).values
  } catch {
    throw usage()
  }
}

function usage(): Error {
  return Object.assign(new Error('usage: guard-command --project DIR --home DIR --appdata DIR [--rules FILE]'), { name: 'LabUsage' })
}

/** The real path of a folder; as given when it does not exist. */
function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path
}

/** Whether the settings of the repository that holds the project run anything; null when its folder is elsewhere. */
function gitExecutes(root: string): boolean | null {
  for (let folder = root; ; folder = dirname(folder)) {
    const git = join(folder, '.git')
    if (existsSync(git)) {
      if (!statSync(git).isDirectory()) return null
      return projectGitExecutes({ config: textOf(join(git, 'config')) + textOf(join(git, 'config.worktree')), hasSubmodules: existsSync(join(folder, '.gitmodules')) })
    }
    if (folder === dirname(folder)) return false
  }
}

function textOf(path: string): string {
  return existsSync(path) ? `${readFileSync(path, 'utf8')}\n` : ''
}
