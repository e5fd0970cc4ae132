import { Brain } from 'lucide-react'
import { useState } from 'react'
import type { InjectedMemory } from '../../../shared/domain/memory'
import { Exact } from '../../ui/Exact'
import { useWords } from '../../ui/words'

/** What of the long-term memory went along with a message, word for word: nothing enters unseen (R39). */
export function MemoriesRow({ memories }: { readonly memories: readonly InjectedMemory[] }) {
  const say = useWords()
  const [isOpen, setIsOpen] = useState(false)
  const tokens = memories.reduce((sum, memory) => sum + memory.tokens, 0)
  return (
    <div style={{ paddingBottom: 12 }}>
      <button type="button" className="think" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}><Brain className="i" size={14} aria-hidden />{say('memory.used', { count: memories.length, tokens })}</button>
      {isOpen && <ul className="thought">{memories.map((memory) => <li key={memory.id}><Exact text={memory.text} className="wrap-any" /> <span className="faint nowrap">{say(`memory.scope.${memory.scope}`)}</span></li>)}</ul>}
    </div>
  )
}
