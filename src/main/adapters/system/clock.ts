import type { Clock } from '../../core/ports/clock'

/** The machine's clock. */
export const systemClock: Clock = { nowMs: () => Date.now() }
