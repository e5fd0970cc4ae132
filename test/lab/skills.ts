import { statSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { makeSkillSource } from '../../src/main/adapters/skills/skillSource'
import { usedOf } from '../../src/main/core/skills/choose'
import { makeIndex } from '../../src/main/core/skills/index'
import type { SkillFolder } from '../../src/main/core/ports/skillSource'
import { skillOrigins, type SkillRef } from '../../src/shared/domain/skill'
import { say } from '../../src/shared/words/say'
import type { LabInput, Print } from './index'

/**
 * `skills --dir DIR ...`: what the folders hold, the index that a prompt would hold, and what is wrong. The first folder is
 * the nearest: of one it is the user's; of two the project's and the user's; of three the project's, the user's, the app's.
 */
export async function skillsLab(args: readonly string[], _: Pick<LabInput, 'lines'>, print: Print): Promise<void> {
  const folders = foldersOf(args)
  const { skills, faults } = await makeSkillSource(() => undefined).read(folders)
  const index = makeIndex(skills.map((skill) => ({ skill, isOn: true, lastUsedAtMs: null })))
  const used = usedOf(skills)
  const fileOf = ({ origin, path: at }: Pick<SkillRef, 'origin' | 'path'>): string => path.join(folders.find((one) => one.origin === origin)?.folder ?? '', at)
  print({
    index: index.text,
    bytes: index.bytes,
    skills: skills.map((skill, at) => {
      const other = used.get(skill.name)
      const entry = index.entries[at]
      return { ...skill, file: fileOf(skill), used: other === skill, hiddenBy: other === undefined || other === skill ? null : fileOf(other), fate: entry?.fate, bytes: entry?.bytes, shownBytes: entry?.shownBytes, wholeBytes: entry?.wholeBytes }
    }),
    faults: faults.map(({ say: what, text, line, column, isFatal, ...place }) => ({ file: fileOf(place), line, column, say: say('en', what), code: what.code, text, fatal: isFatal })),
  })
}

function foldersOf(args: readonly string[]): readonly SkillFolder[] {
  const dirs = dirsOf(args)
  const nearest = [...skillOrigins].reverse()
  if (dirs.length > nearest.length) throw usage(`--dir takes at most ${nearest.length} folders`)
  return dirs.map((folder, at) => {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw new Error(`there is no folder ${folder}`)
    return { folder, origin: (dirs.length === 1 ? 'user' : nearest[at]) ?? 'app' }
  })
}

function dirsOf(args: readonly string[]): readonly string[] {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: { dir: { type: 'string', multiple: true }, data: { type: 'string' } }, allowPositionals: true })
    const dirs = [...(values.dir ?? []), ...positionals]
    if (dirs.length > 0) return dirs
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error))
  }
  throw usage('skills --dir DIR ...')
}

function usage(sentence: string): Error {
  return Object.assign(new Error(sentence), { name: 'LabUsage' })
}
