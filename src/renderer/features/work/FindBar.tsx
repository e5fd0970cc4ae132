import { CaseSensitive, ChevronDown, ChevronUp, WholeWord, X } from 'lucide-react'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import { IconButton } from '../../ui/Button'
import { isComposing } from '../../ui/keys'
import { useWords } from '../../ui/words'
import { changeQuery, closeFind, isMany, step, useFind } from './findStore'

/** The search in the conversation (R111): Mod+F opens it, Enter goes on, Esc closes. */
export function FindBar() {
  const isOpen = useFind((state) => state.isOpen)
  return isOpen ? <Bar /> : null
}

function Bar() {
  const say = useWords()
  const { query, asked } = useFind()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [asked])
  const leave = (): void => {
    closeFind()
    document.querySelector<HTMLElement>('[data-zone="conversation"]')?.focus()
  }
  const onKey = (event: KeyboardEvent): void => {
    if (isComposing(event)) return
    if (event.key === 'Escape') leave()
    else if ((event.key === 'Enter' && event.target === field.current) || event.key === 'F3') step(event.shiftKey ? -1 : 1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="findbar" role="search" aria-label={say('find.bar')} data-esc="own" onKeyDown={onKey}>
      <input ref={field} className="input" aria-label={say('find.input')} placeholder={say('find.bar')} value={query.text} spellCheck={false} autoComplete="off" onChange={(event) => changeQuery({ text: event.target.value })} />
      <Count />
      <IconButton icon={ChevronUp} label={say('find.previous')} keys="Shift+Enter" onClick={() => step(-1)} />
      <IconButton icon={ChevronDown} label={say('find.next')} keys="Enter" onClick={() => step(1)} />
      <IconButton icon={CaseSensitive} label={say('find.case')} aria-pressed={query.isCase} onClick={() => changeQuery({ isCase: !query.isCase })} />
      <IconButton icon={WholeWord} label={say('find.word')} aria-pressed={query.isWord} onClick={() => changeQuery({ isWord: !query.isWord })} />
      <IconButton icon={X} label={say('find.close')} keys="Esc" onClick={leave} />
    </div>
  )
}

function Count() {
  const say = useWords()
  const text = useFind((state) => state.query.text)
  const isSearching = useFind((state) => state.isSearching)
  const count = useFind((state) => state.hits.length)
  const at = useFind((state) => state.at)
  const many = useFind(isMany)
  const words = text === '' ? '' : count > 0 ? say(many ? 'find.many' : 'find.count', { at: at + 1, count }) : say(isSearching ? 'find.searching' : 'find.none')
  return <span className="count small dim num" role="status">{words}</span>
}
