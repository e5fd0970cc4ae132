/**
 * Waits until an event and the entry of the audit that says the same are both on the disk. They are two files with a flush
 * each; begun together, a decision waits for one of them. Only for what is true whichever of them fails: that somebody decided.
 *
 * Rejects with what failed, the event's fault first, when neither is under way any more: then nothing may follow from the decision.
 */
export async function bothStored(event: Promise<unknown>, entry: Promise<unknown>): Promise<void> {
  for (const one of await Promise.allSettled([event, entry])) if (one.status === 'rejected') throw one.reason
}
