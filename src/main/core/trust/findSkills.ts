import { said, type Result, type Said } from '../../../shared/domain/result'
import type { Skill, SkillFault } from '../../../shared/domain/skill'
import type { Hasher } from '../ports/hasher'
import type { FoundSkill } from './projectFinds'
import type { ProjectFiles } from './projectFiles'

/** Reads a SKILL.md, as those of the person's own folder are read. */
export type ReadSkill = (place: { readonly origin: 'project'; readonly path: string }, text: string) => Promise<{ readonly skill: Skill | null; readonly faults: readonly SkillFault[] }>

/** Where skills of a project lie: ours, the place that tools share, and the one that most projects have. */
const skillFolders = ['.countersign/skills', '.agents/skills', '.claude/skills']
const maxDepth = 4
const mostFolders = 1000
const mostSkills = 200
const limitBytes = 1024 * 1024
/** Files of one skill that are hashed with it; a larger one is not seen whole by anybody. */
const mostFiles = 500
const mostBytes = 32 * 1024 * 1024

interface Found {
  readonly skills: FoundSkill[]
  readonly faults: Said[]
  readonly skillFaults: SkillFault[]
}

/** Finds the skills of a project with the hash of all that lies in each one's folder. No folder is entered twice. */
export async function findSkills(files: ProjectFiles, readSkill: ReadSkill, hasher: Hasher): Promise<Found> {
  const found: Found = { skills: [], faults: [], skillFaults: [] }
  const seen = new Set<string>()
  let looked = 0
  const waiting = skillFolders.map((path) => ({ path, depth: 0 }))
  for (let place = waiting.shift(); place !== undefined; place = waiting.shift()) {
    const { real, entries } = await files.list(place.path)
    if (seen.has(real)) continue
    seen.add(real)
    looked += 1
    if (looked > mostFolders || found.skills.length >= mostSkills) {
      found.faults.push(said('trust.too-many-skills', { path: place.path }))
      break
    }
    const own = entries.find((entry) => entry.name === 'SKILL.md') ?? entries.find((entry) => entry.name.toLowerCase() === 'skill.md')
    if (own !== undefined && place.depth > 0) await take(files, `${place.path}/${own.name}`, { readSkill, hasher, found })
    else if (place.depth < maxDepth) {
      for (const { name, kind } of entries) if (kind === 'folder' || kind === 'link') waiting.push({ path: `${place.path}/${name}`, depth: place.depth + 1 })
    }
  }
  return found
}

interface Taking {
  readonly readSkill: ReadSkill
  readonly hasher: Hasher
  readonly found: Found
}

async function take(files: ProjectFiles, path: string, { readSkill, hasher, found }: Taking): Promise<void> {
  const file = await files.text(path, limitBytes)
  if (file === null) return
  if (!file.ok) {
    found.faults.push(file.fault)
    return
  }
  const read = await readSkill({ origin: 'project', path }, file.value.text)
  found.skillFaults.push(...read.faults)
  if (read.skill === null) return
  const whole = await hashOfFolder(files, path.slice(0, path.lastIndexOf('/')), { name: path.slice(path.lastIndexOf('/') + 1), hash: file.value.hash })
  if (!whole.ok) found.faults.push(said('trust.left-out', { path, reason: whole.fault }))
  else found.skills.push({ skill: read.skill, text: file.value.text, hash: hasher.ofText(whole.value.lines.join('\n')), sizeBytes: whole.value.sizeBytes, others: whole.value.others })
}

/** One line a file below the skill's folder. SKILL.md counts as it was read, so that the hash is of the text that was shown. A link inside counts by what it leads to, and is a fault where that lies outside. */
async function hashOfFolder(files: ProjectFiles, folder: string, own: { readonly name: string; readonly hash: string }): Promise<Result<{ readonly lines: readonly string[]; readonly sizeBytes: number; readonly others: readonly string[] }>> {
  const lines: string[] = []
  const others: string[] = []
  const seen = new Set<string>()
  let sizeBytes = 0
  const waiting = ['']
  for (let below = waiting.shift(); below !== undefined; below = waiting.shift()) {
    const { real, entries } = await files.list(folder + below)
    if (seen.has(real)) continue
    seen.add(real)
    for (const { name, kind } of entries) {
      const path = `${below}/${name}`
      if (kind === 'special') return { ok: false, fault: said('path.special', { path: folder + path }) }
      const file = kind === 'folder' ? null : await files.hash(folder + path, mostBytes)
      if (file?.ok === false) return file
      if (file === null) {
        // A folder, or a link to one; a link to nothing is a name without content.
        if (kind === 'link') lines.push(`${path} ->`)
        waiting.push(path)
        continue
      }
      const isOwn = below === '' && name === own.name
      sizeBytes += file.value.sizeBytes
      lines.push(`${path} ${isOwn ? own.hash : file.value.hash}`)
      if (!isOwn) others.push(path.slice(1))
      if (lines.length > mostFiles || sizeBytes > mostBytes) return { ok: false, fault: said('trust.skill-too-large', { files: mostFiles, megabytes: mostBytes / 1024 / 1024 }) }
    }
  }
  return { ok: true, value: { lines: lines.sort(), sizeBytes, others: others.sort() } }
}
