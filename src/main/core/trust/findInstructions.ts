import type { Said } from '../../../shared/domain/result'
import type { FoundInstructions } from './projectFinds'
import type { ProjectFiles } from './projectFiles'

/**
 * Names of instruction files in the folder itself, compared without case, in the order they stand in the prompt. Those of
 * sub-folders are not looked for: a dependency or a test case must not speak to the agent because it lies somewhere below.
 */
const rootNames = ['AGENTS.md', 'CLAUDE.md', 'CLAUDE.local.md', 'GEMINI.md', '.cursorrules', '.windsurfrules', '.clinerules']
const otherPlaces = ['.claude/CLAUDE.md', '.github/copilot-instructions.md']
const ruleFolder = '.cursor/rules'
/** A text that goes into every prompt is not longer than this. */
const limitBytes = 256 * 1024
const mostRules = 50

/** Reads them. Of two names that lead to one file, or two files of one content, the first counts. */
export async function findInstructions(files: ProjectFiles): Promise<{ readonly found: readonly FoundInstructions[]; readonly faults: readonly Said[] }> {
  const [here, rules] = await Promise.all([files.list(''), files.list(ruleFolder)])
  const named = rootNames.flatMap((name) => here.entries.filter((entry) => entry.name.toLowerCase() === name.toLowerCase()).map((entry) => entry.name))
  const ruled = rules.entries.filter((entry) => /\.mdc?$/iu.test(entry.name)).slice(0, mostRules).map((entry) => `${ruleFolder}/${entry.name}`)
  const found: FoundInstructions[] = []
  const faults: Said[] = []
  const seen = new Set<string>()
  for (const path of [...named, ...otherPlaces, ...ruled]) {
    const read = await files.text(path, limitBytes)
    if (read === null) continue
    if (!read.ok) {
      faults.push(read.fault)
      continue
    }
    const { real, text, hash, sizeBytes } = read.value
    if (seen.has(real) || seen.has(hash) || text.trim() === '') continue
    seen.add(real).add(hash)
    found.push({ path, text, hash, sizeBytes })
  }
  return { found, faults }
}
