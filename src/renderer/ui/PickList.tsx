import { Search } from 'lucide-react'
import { useId, useState, type KeyboardEvent, type ReactNode } from 'react'
import { isComposing } from './keys'
import { useWords } from './words'

export interface PickOption {
  readonly key: string
  readonly content: ReactNode
  readonly onPick: () => void
}

interface PickListProps {
  /** Of the text box and the list. */
  readonly name: string
  readonly placeholder: string
  readonly text: string
  readonly onText: (text: string) => void
  readonly options: readonly PickOption[]
  /** Said under the options: that there are none, or that there are more. */
  readonly foot: string | null
}

/** A text box over what it finds: arrows choose, Enter takes. */
export function PickList({ name, placeholder, text, onText, options, foot }: PickListProps) {
  const say = useWords()
  const list = useId()
  const [at, setAt] = useState(0)
  const chosen = Math.min(at, options.length - 1)
  const onKey = (event: KeyboardEvent): void => {
    if (isComposing(event)) return
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key]
    if (event.key === 'Enter') options[chosen]?.onPick()
    if (step === undefined) return
    event.preventDefault()
    const next = Math.max(0, Math.min(options.length - 1, chosen + step))
    setAt(next)
    document.getElementById(`${list}${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <>
      <div className="pal-in">
        <Search className="i" size={16} aria-hidden />
        <input role="combobox" aria-expanded aria-controls={list} aria-activedescendant={options[chosen] && `${list}${chosen}`} aria-label={name} placeholder={placeholder} value={text} spellCheck={false} onChange={(event) => { onText(event.target.value); setAt(0) }} onKeyDown={onKey} />
      </div>
      <ul id={list} role="listbox" aria-label={name} className="pal">
        {options.map((option, index) => <li key={option.key} id={`${list}${index}`} role="option" aria-selected={index === chosen} onMouseMove={() => setAt(index)} onClick={option.onPick}>{option.content}</li>)}
      </ul>
      {foot !== null && <p className="small dim" role="status" style={{ padding: '4px 18px 12px' }}>{foot}</p>}
      <div className="row small dim" style={{ padding: '8px 14px', borderTop: '1px solid var(--line)' }} aria-hidden><kbd>↑</kbd><kbd>↓</kbd><kbd>Enter</kbd>{say('ui.choose')}<kbd>Esc</kbd>{say('ui.palette-close')}</div>
    </>
  )
}
