import { go } from '../../../src/renderer/app/appStore'
import { keyOf, select, showTrust, tick } from '../../../src/renderer/features/trust/trustStore'
import { findings } from './trustWorld'

/** Brings the dialog to the state of its picture. */
export function playTrust(story: string): void {
  if (story === 'trust-all') {
    go('settings')
    return showTrust()
  }
  if (story !== 'trust') return
  const [first, , , fixtures, notes] = findings.items
  for (const item of [fixtures, notes, first]) if (item) tick(keyOf(item), true)
  if (first) select(keyOf(first))
}
