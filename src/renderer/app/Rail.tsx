import { Boxes, History, MessagesSquare, Settings, type LucideIcon } from 'lucide-react'
import { keyName } from '../ui/keys'
import { Tip } from '../ui/Tip'
import { useWords } from '../ui/words'
import { go, type Page } from './appStore'

const entries: readonly { readonly page: Exclude<Page, 'plan'>; readonly icon: LucideIcon; readonly keys: string }[] = [
  { page: 'work', icon: MessagesSquare, keys: 'Mod+1' },
  { page: 'timeline', icon: History, keys: 'Mod+2' },
  { page: 'models', icon: Boxes, keys: 'Mod+7' },
  { page: 'settings', icon: Settings, keys: 'Mod+,' },
]

/** The pages. An entry is here when its feature is. The badge counts answers that are waited for. */
export function Rail({ page, waiting }: { readonly page: Page; readonly waiting: number }) {
  const say = useWords()
  return (
    <nav className="rail" aria-label={say('ui.pages')}>
      {entries.map((entry) => {
        const isCurrent = entry.page === page || (page === 'plan' && entry.page === 'timeline')
        return (
          <Tip key={entry.page} text={say(`ui.page.${entry.page}`)} keys={keyName(entry.keys)} side="right">
            <a href={`#${entry.page}`} className={entry.page === 'settings' ? 'foot' : ''} aria-current={isCurrent ? 'page' : undefined} onClick={(event) => { event.preventDefault(); go(entry.page) }}>
              <entry.icon className="i" size={18} aria-hidden />
              <span className="word">{say(`ui.page.${entry.page}`)}</span>
              {entry.page === 'work' && waiting > 0 && <span className="badge" aria-label={say('ui.waiting', { count: waiting })}>{waiting}</span>}
            </a>
          </Tip>
        )
      })}
    </nav>
  )
}
