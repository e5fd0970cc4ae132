import type { Result, Said } from '../../../shared/domain/result'

/**
 * What a store rejects with when not the program but the disk or the file is at fault: full, read-only, damaged, written by
 * a newer version. `fault` says it in words; whoever waits ends what it was doing with them. Any other rejection is a bug.
 */
export class StorageFault extends Error {
  readonly fault: Said

  constructor(fault: Said) {
    super(fault.code)
    this.name = 'StorageFault'
    this.fault = fault
  }
}

/** What work comes to, the disk's fault in words; bugs go on. */
export async function orFault<Value>(work: () => Promise<Result<Value>>): Promise<Result<Value>> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StorageFault) return { ok: false, fault: error.fault }
    throw error
  }
}
