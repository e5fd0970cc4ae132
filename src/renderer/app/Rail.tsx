import { Boxes, Brain, Gauge, GraduationCap, History, MessagesSquare, ScrollText, Server, Settings, type LucideIcon } from 'lucide-react'
import { keyName } from '../ui/keys'
import { Tip } from '../ui/Tip'
import { useWords } from '../ui/words'
import { go, type Page } from './appStore'

const entries: readonly { readonly page: Exclude<Page, 'plan' | 'permissions' | 'context' | 'turn'>; readonly icon: LucideIcon; readonly keys: string }[] = [
  { page: 'work', icon: MessagesSquare, keys: 'Mod+1' },
  { page: 'timeline', icon: History, keys: 'Mod+2' },
  { page: 'memory', icon: Brain, keys: 'Mod+3' },
  { page: 'servers', icon: Server, keys: 'Mod+4' },
  { page: 'skills', icon: GraduationCap, keys: 'Mod+5' },
  { page: 'audit', icon: ScrollText, keys: 'Mod+6' },
  { page: 'models', icon: Boxes, keys: 'Mod+7' },
  { page: 'usage', icon: Gauge, keys: 'Mod+8' },
  { page: 'settings', icon: Settings, keys: 'Mod+,' },
]

/** What a page's entry warns of: something failed, or answers are waited for. */
export interface Badge {
  readonly failed: boolean
  readonly waiting: number
}

/** The pages. An entry is here when its feature is. A badge counts answers that are waited for; a red one says that something failed. */
export function Rail({ page, waiting, servers, hasBrokenSkill }: { readonly page: Page; readonly waiting: number; readonly servers: Badge; readonly hasBrokenSkill: boolean }) {
  const say = useWords()
  return (
    <nav className="rail" aria-label={say('ui.pages')}>
      {entries.map((entry) => {
        const isCurrent = entry.page === page || (page === 'plan' && entry.page === 'timeline') || (page === 'permissions' && entry.page === 'settings') || ((page === 'context' || page === 'turn') && entry.page === 'work')
        return (
          <Tip key={entry.page} text={say(`ui.page.${entry.page}`)} keys={keyName(entry.keys)} side="right">
            <a href={`#${entry.page}`} className={entry.page === 'settings' ? 'foot' : ''} aria-current={isCurrent ? 'page' : undefined} onClick={(event) => { event.preventDefault(); go(entry.page) }}>
              <entry.icon className="i" size={18} aria-hidden />
              <span className="word">{say(`ui.page.${entry.page}`)}</span>
              {entry.page === 'work' && waiting > 0 && <span className="badge" aria-label={say('ui.waiting', { count: waiting })}>{waiting}</span>}
              {entry.page === 'servers' && (servers.failed ? <span className="badge bad" aria-label={say('ui.page-failed')}>!</span> : servers.waiting > 0 && <span className="badge" aria-label={say('ui.waiting', { count: servers.waiting })}>{servers.waiting}</span>)}
              {entry.page === 'skills' && hasBrokenSkill && <span className="badge bad" aria-label={say('ui.page-failed')}>!</span>}
            </a>
          </Tip>
        )
      })}
    </nav>
  )
}
