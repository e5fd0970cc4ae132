import type { Result, Said } from '../../../shared/domain/result'
import type { Settings } from '../../../shared/domain/settings'

/** settings.json: read tolerant field by field, written by temporary file, flush and rename, last good copy kept beside it. */
export interface SettingsStore {
  read(): Promise<{ readonly settings: Settings; readonly faults: readonly Said[] }>
  /** Changes the given fields; a file that could not be read is left alone and this fails. */
  change(fields: Partial<Settings>): Promise<Result<Settings>>
}
