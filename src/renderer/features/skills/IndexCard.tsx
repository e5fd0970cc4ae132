import { TriangleAlert } from 'lucide-react'
import { skillOrigins } from '../../../shared/domain/skill'
import type { SkillPage } from '../../../shared/ipc/views'
import { useWords } from '../../ui/words'
import { indexNote } from './skillWords'

const limitBytes = 4096

/** How full the index is and whose skills fill it, and the rule by which it is cut (R57). */
export function IndexCard({ page }: { readonly page: SkillPage }) {
  const say = useWords()
  const entries = page.rows.map(({ index }) => index)
  const parts = skillOrigins.map((origin) => ({ origin, bytes: entries.filter(({ skill }) => skill.origin === origin).reduce((sum, { bytes }) => sum + bytes, 0) })).filter(({ bytes }) => bytes > 0)
  const headBytes = page.indexBytes - parts.reduce((sum, { bytes }) => sum + bytes, 0)
  const note = indexNote(entries, say)
  const total = page.indexBytes.toLocaleString(say.locale)
  return (
    <div className="card indexcard">
      <div className="row">
        <h2 className="med">{say('skill.index')}</h2>
        <span className="end num" aria-label={say('skill.index.meter', { bytes: page.indexBytes, limit: limitBytes })}>{total} <span className="faint">{say('skill.index.of', { limit: limitBytes })}</span></span>
      </div>
      <span className="meter" aria-hidden>{parts.map(({ origin, bytes }) => <span key={origin} className={`sk-${origin}`} style={{ width: `${(bytes / limitBytes) * 100}%` }} />)}{headBytes > 0 && <span className="sk-head" style={{ width: `${(headBytes / limitBytes) * 100}%` }} />}</span>
      <div className="row small dim legend">
        {parts.map(({ origin, bytes }) => <span key={origin} className="row"><i className={`swatch sk-${origin}`} aria-hidden />{say(`skill.origin.${origin}`)} {bytes.toLocaleString(say.locale)}</span>)}
        {headBytes > 0 && <span className="row"><i className="swatch sk-head" aria-hidden />{say('skill.index.head', { bytes: headBytes })}</span>}
        {note !== null && <span className="end t-warn row"><TriangleAlert className="i" size={14} aria-hidden />{note}</span>}
      </div>
      <p className="hint">{say('skill.index.rule')}</p>
    </div>
  )
}
