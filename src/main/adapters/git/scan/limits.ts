import type { SnapshotBounds } from '../../../core/ports/snapshotStore'
import { defaultLeaveOut } from '../../../../shared/domain/snapshotDefaults'

/** The usual bounds; those of the settings are their start. */
export const defaultBounds: SnapshotBounds = { fileBytes: 50 * 1024 * 1024, files: 300_000, readMs: 120_000, leaveOut: defaultLeaveOut }
