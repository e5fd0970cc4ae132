import { compactNow, openContext } from '../features/compaction/contextStore'
import { saveFromMessage } from '../features/memory/memoryActs'
import type { OwnCommand } from '../features/work/ownCommand'
import { useWork } from '../features/work/workStore'
import { go } from './appStore'
import { searchMemories } from './MemoryPage'

/** Does what a person typed after a stroke for the app itself; false when it was not done, and it is said why. */
export async function runOwnCommand(command: OwnCommand): Promise<boolean> {
  if (command.kind === 'save') return saveFromMessage(command.text, command.scope, useWork.getState().current)
  if (command.kind === 'compact') {
    // The page shows that it is under way, how to stop it, and what came of it.
    const { current } = useWork.getState()
    go('context')
    if (current !== null) {
      openContext(current)
      void compactNow(command.words)
    }
    return true
  }
  searchMemories(command.query)
  return true
}
