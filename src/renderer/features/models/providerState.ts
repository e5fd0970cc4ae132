import type { ModelFaultKind } from '../../../shared/domain/modelFaultKind'
import type { Said } from '../../../shared/domain/result'
import { isThisMachine } from '../../../shared/domain/thisMachine'
import type { CataloguePage } from '../../../shared/ipc/modelViews'
import type { ProviderRow, ProviderTest } from '../../../shared/ipc/views'

/** Where a provider stands in the list. */
export type ProviderGroup = 'ready' | 'attention' | 'not-ready'

/** Whether it asks for a key, as far as anybody knows: one that the person added may need none. */
export function needsKey(row: ProviderRow, page: CataloguePage | null): boolean {
  return page?.offered.find((one) => one.id === row.preset)?.needsKey ?? false
}

/** What could answer now, what could if something was mended, and what waits to be set up. */
export function groupOf(row: ProviderRow, page: CataloguePage | null, fault: ModelFaultKind | null): ProviderGroup {
  if (row.origin === 'practice') return 'ready'
  if (row.isKeySealed || row.keyOf !== undefined || row.keyHeaders !== undefined || fault !== null) return 'attention'
  if (row.origin === 'found' || row.origin === 'environment') return 'ready'
  const hasWay = row.baseUrl !== '' && (row.key !== null || !needsKey(row, page))
  // A server on this machine that was not found does not run.
  if (row.origin === 'catalogue') return row.key !== null ? 'ready' : 'not-ready'
  return hasWay ? 'ready' : 'not-ready'
}

/** Whether its models are offered for a session. */
export function isReady(row: ProviderRow, page: CataloguePage | null): boolean {
  return !row.isKeySealed && groupOf(row, page, null) === 'ready'
}

/** Whether what is sent to an address can be read on its way: plain http to another computer. */
export function isOpenOnTheWay(address: string): boolean {
  const url = URL.canParse(address.trim()) ? new URL(address.trim()) : null
  return url?.protocol === 'http:' && !isThisMachine(address)
}

/** The first step that failed so that no answer can come; null when one can. */
export function faultOfTest({ steps }: ProviderTest): Said | null {
  return steps.find(({ step, ok }) => ok === false && step !== 'tools' && step !== 'images')?.say ?? null
}
