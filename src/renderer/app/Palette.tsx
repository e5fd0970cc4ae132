import { Search } from 'lucide-react'
import { useId, useState, type KeyboardEvent } from 'react'
import { Dialog } from '../ui/Dialog'
import { Exact } from '../ui/Exact'
import { isComposing } from '../ui/keys'
import { useWords } from '../ui/words'
import { showPalette } from './appStore'
import { useCommands, type Command } from './commands'

/** Commands and sessions by name. It never answers an approval. */
export function Palette() {
  const say = useWords()
  return <Dialog name={say('ui.palette')} isOpen onClose={() => showPalette(false)}><Body /></Dialog>
}

function Body() {
  const say = useWords()
  const list = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const all = useCommands()
  const found = all.filter((command) => fits(command, text)).slice(0, 60)
  const chosen = Math.min(at, found.length - 1)
  const run = (command: Command | undefined): void => {
    if (!command) return
    showPalette(false)
    // After the dialog gave the focus back, so that a command may move it.
    requestAnimationFrame(() => command.run())
  }
  const onKey = (event: KeyboardEvent): void => {
    if (isComposing(event)) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setAt(Math.max(0, Math.min(found.length - 1, chosen + step)))
    }
    if (event.key === 'Enter') run(found[chosen])
  }
  return (
    <>
      <div className="pal-in">
        <Search className="i" size={16} aria-hidden />
        <input role="combobox" aria-expanded aria-controls={list} aria-activedescendant={found[chosen] && `${list}${chosen}`} aria-label={say('ui.palette-input')} placeholder={say('ui.palette-input')} value={text} onChange={(event) => { setText(event.target.value); setAt(0) }} onKeyDown={onKey} />
      </div>
      <ul id={list} role="listbox" aria-label={say('ui.palette')} className="pal">
        {found.map((command, index) => (
          <li key={command.key} id={`${list}${index}`} role="option" aria-selected={index === chosen} onMouseMove={() => setAt(index)} onClick={() => run(command)}>
            <command.icon className="i" size={14} aria-hidden />
            <span className="cut"><Exact text={command.label} /></span>
            {command.about !== undefined && <span className="small faint cut grow">{command.about}</span>}
            {command.keys !== undefined && <kbd className="end">{command.keys}</kbd>}
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="dim" style={{ padding: '8px 18px 16px' }}>{say('ui.palette-none')}</p>}
      <div className="row small dim" style={{ padding: '8px 14px', borderTop: '1px solid var(--line)' }} aria-hidden><kbd>↑</kbd><kbd>↓</kbd>{say('ui.choose')}<kbd>Enter</kbd>{say('ui.run')}<kbd>Esc</kbd>{say('ui.palette-close')}</div>
    </>
  )
}

/** Every word typed stands in the name or what it says about itself. */
function fits(command: Command, text: string): boolean {
  const where = `${command.label} ${command.about ?? ''}`.toLowerCase()
  return text.toLowerCase().split(/\s+/).every((word) => where.includes(word))
}
