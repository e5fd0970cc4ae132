import { go } from '../../../src/renderer/app/appStore'
import { beginEdit, saveFromMessage, tick, typeEdit } from '../../../src/renderer/features/memory/memoryActs'
import { beginAdding, rowAt, setQuery, setShown, useMemories } from '../../../src/renderer/features/memory/memoryStore'
import { setDraft } from '../../../src/renderer/features/work/workStore'
import { memory } from './memoryWorld'

const drawn = (ms = 300): Promise<void> => new Promise((done) => setTimeout(done, ms))

/** The memory page in one of its states; the cards of a proposal are on Work. */
export async function playMemory(story: string): Promise<void> {
  if (story === 'memory-card' || story === 'memory-outside') return
  if (story === 'memory-saved') return void saveFromMessage('x', 'project', null)
  if (story === 'memory-sent') {
    await drawn()
    document.querySelector<HTMLElement>('.pick[aria-haspopup="dialog"]')?.click()
    return
  }
  if (story !== 'memory-no-draft') setDraft(useMemories.getState().isOpen ? '' : document.documentElement.lang.startsWith('zh') ? '测试都通过之后，顺便在 CHANGELOG.md 里记一笔' : 'Also add a note to CHANGELOG.md when the tests pass')
  go('memory')
  await drawn()
  const first = rowAt(useMemories.getState().chunks, 2)?.memory
  if (story === 'memory') { await tick(2, true, false); await tick(3, true, false) }
  if (story === 'memory-edit' && first) { beginEdit(first); typeEdit(first.id, `${first.text} No emoji.`) }
  if (story === 'memory-conflict' && first) { beginEdit(first); typeEdit(first.id, `${first.text} No emoji.`); useMemories.setState({ dialog: { kind: 'conflict', id: first.id, now: memory(first.id, 'Commit messages: imperative, no prefix.', { rev: 2 }) } }) }
  if (story === 'memory-clear') useMemories.setState({ dialog: { kind: 'clear', scope: 'project', isAgain: true } })
  if (story === 'memory-add') beginAdding()
  if (story === 'memory-bin') setShown('bin')
  if (story === 'memory-none') setQuery('zebra')
}
