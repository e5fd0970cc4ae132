import { showProvider, useModels } from '../features/models/modelStore'
import { useWork } from '../features/work/workStore'
import { go } from './appStore'

/** The provider that would answer the session on screen. */
function answering(): string | null {
  const { current, chats } = useWork.getState()
  const picked = current === null ? null : (chats[current]?.chosen ?? null)
  return picked?.provider ?? useModels.getState().rows.find((row) => row.isActive)?.id ?? null
}

/** To the provider that answers, wherever that page was left. */
export function openModels(): void {
  showProvider(answering())
  go('models')
}

/** To its key, ready to be written. */
export function replaceKey(): void {
  showProvider(answering(), true)
  go('models')
}
