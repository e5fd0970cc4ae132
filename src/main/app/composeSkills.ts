import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { makeSkillSource } from '../adapters/skills/skillSource'
import { systemClock } from '../adapters/system/clock'
import type { SkillRecord } from '../core/ports/skillRecord'
import { makeSkills, type Skills } from '../services/skills'
import type { HostOptions } from './hostOptions'

/** The skills of the app and of the user's own folder, which is made when it is missing. Those of a project take part once it is trusted; that is not built. */
export function composeSkills({ resourcesFolder, dataFolder, log }: HostOptions, record: SkillRecord): Skills {
  const own = path.join(dataFolder, 'skills')
  try {
    mkdirSync(own, { recursive: true, mode: 0o700 })
  } catch (error) {
    // Without it there are only the app's; whoever opens the folder is told that it is not there.
    log(`the skills folder cannot be made: ${String(error)}`)
  }
  return makeSkills({
    source: makeSkillSource(log),
    record,
    folders: [{ origin: 'app', folder: path.join(resourcesFolder, 'skills') }, { origin: 'user', folder: own }],
    clock: systemClock,
  })
}
