import { FolderOpen, RotateCw } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { IndexCard } from './IndexCard'
import { keyOf, looseNotices, openSkillFolder, reloadSkills, useSkillList, type SkillPlace } from './skillListStore'
import { SkillPanel } from './SkillPanel'
import { SkillTable } from './SkillTable'
import { faultText, summaryOf } from './skillWords'

export interface SkillsViewProps {
  /** There is room for one thing beside the rail. */
  readonly isNarrow: boolean
  /** Puts a skill to the next message; null where there is none to write. */
  readonly onUse: ((place: SkillPlace) => void) | null
  /** Shows what the opened folder brings, and asks what of it may take part. */
  readonly onTrust: () => void
}

/** The skills: what every prompt holds of them, which take part, what is wrong with a file (R56, R57, R59). */
export function SkillsView({ isNarrow, onUse, onTrust }: SkillsViewProps) {
  const page = useSkillList((state) => state.page)
  const chosen = useSkillList((state) => state.chosen)
  const isAlone = isNarrow && chosen !== null
  useFocusOf(chosen, isAlone)
  if (page === null) return <div className="page" aria-busy />
  return (
    <>
      {!isAlone && <List />}
      {chosen !== null && <SkillPanel page={page} place={chosen} isAlone={isNarrow} onUse={onUse} onTrust={onTrust} />}
    </>
  )
}

/** Where the list gives way to a skill, the keyboard goes along; where the skill is closed, back to its row. */
function useFocusOf(chosen: SkillPlace | null, isAlone: boolean): void {
  const left = useRef<SkillPlace | null>(null)
  useEffect(() => {
    const key = left.current && keyOf(left.current)
    if (chosen === null && key !== null) [...document.querySelectorAll<HTMLElement>('[data-skill]')].find((one) => one.dataset['skill'] === key)?.focus()
    else if (isAlone) document.querySelector<HTMLElement>('[data-zone="skill"]')?.focus()
    left.current = chosen
  }, [chosen, isAlone])
}

function List() {
  const say = useWords()
  const { page, fault, isReading } = useSkillList()
  if (page === null) return null
  return (
    <section className="main skills" aria-label={say('skill.list')} data-zone="skills" tabIndex={-1}>
      <div className="head">
        <h1>{say('ui.page.skills')}</h1>
        <span className="small faint cut" role="status">{summaryOf(page, say)}</span>
        <span className="end row">
          <Button size="small" look="quiet" icon={RotateCw} disabled={isReading} onClick={() => void reloadSkills()}>{say('skill.reload')}</Button>
          <Button size="small" icon={FolderOpen} onClick={() => void openSkillFolder()}>{say('skill.open-folder')}</Button>
        </span>
      </div>
      <div className="skillscroll">
        {fault && <Note tone="bad" role="alert"><Exact text={say.fact(fault)} className="wrap-any" /></Note>}
        <IndexCard page={page} />
        <SkillTable page={page} />
        {looseNotices(page).map((notice, at) => <Note key={at} tone="warn"><Exact text={`${notice.path}: ${faultText(notice, say)}`} className="wrap-any" /></Note>)}
        <p className="hint wrap-any">{say('skill.kept-in', { folder: page.folder })}</p>
      </div>
    </section>
  )
}
