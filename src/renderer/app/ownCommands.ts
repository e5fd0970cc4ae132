import { saveFromMessage } from '../features/memory/memoryActs'
import type { OwnCommand } from '../features/work/ownCommand'
import { useWork } from '../features/work/workStore'
import { searchMemories } from './MemoryPage'

/** Does what a person typed after a stroke for the app itself; false when it was not done, and it is said why. */
export async function runOwnCommand(command: OwnCommand): Promise<boolean> {
  if (command.kind === 'save') return saveFromMessage(command.text, command.scope, useWork.getState().current)
  searchMemories(command.query)
  return true
}
