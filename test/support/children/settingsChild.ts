import { openSettings } from '../../../src/main/adapters/settings/settingsStore'

/** Changes settings until it is killed; a line on stdout a saved change. */
export interface SettingsJob {
  readonly file: string
  readonly from: number
}

const job = JSON.parse(process.argv[2] ?? '{}') as SettingsJob
const settings = openSettings(job.file)
// The first one loads what the others have at hand.
await settings.change({ maxSteps: job.from })
process.stdout.write('open\n')
for (let steps = job.from + 1; ; steps = (steps % 900) + 1) {
  const changed = await settings.change({ maxSteps: steps, recentFolders: Array.from({ length: 20 }, (_, index) => `/folder ${index} ${'x'.repeat(steps)}`) })
  if (!changed.ok) throw new Error(changed.fault.code)
  process.stdout.write(`saved ${changed.value.maxSteps}\n`)
}
