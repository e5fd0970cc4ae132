import type { TestProject } from 'vitest/node'
import { buildIfStale, windowParts } from '../../scripts/build.mjs'
import { electronEnv, ensureElectron, findElectron } from '../../scripts/electronRuntime.mjs'
import { say, SetupError } from '../../scripts/say.mjs'
import { ensureSqliteAddon, needsOwnAddon } from '../../scripts/sqliteAddon.mjs'

/**
 * What all tests of a run share: the native addon, a fresh build, and for windows a runtime.
 * Workers inherit the variables that are set here.
 */
// Vitest asks for a default export.
export default async function globalSetup({ vitest }: TestProject): Promise<void> {
  const names = new Set(vitest.projects.map((project) => project.name))
  const hasWindows = names.has('e2e')
  const runtime = hasWindows ? await ensureElectron() : findElectron()
  if (runtime) Object.assign(process.env, electronEnv(runtime))
  if (needsOwnAddon(runtime?.version)) process.env['COUNTERSIGN_SQLITE_BINDING'] = await ensureSqliteAddon()
  await buildFor(names)
}

/** Unit tests start the built workers, architecture tests look into the built preload. */
async function buildFor(names: ReadonlySet<string>): Promise<void> {
  try {
    if (names.has('e2e')) return await buildIfStale([...windowParts, 'lab'])
    if (names.has('architecture')) return await buildIfStale(['main', 'preload', 'lab'])
    if (names.has('unit') || names.has('slow')) return await buildIfStale(['main', 'lab'])
  } catch (error) {
    // `npm test` and CI must not test an old build; somebody who runs one file beside unfinished work may.
    if (!(error instanceof SetupError) || names.has('e2e') || process.env['CI'] || process.env['COUNTERSIGN_STRICT_BUILD']) throw error
    say('WARNING: the build failed, these tests run with the last one that worked')
  }
}
