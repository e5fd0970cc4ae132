import { ArrowLeft, ArrowRight, X } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import type { SkillFault } from '../../../shared/domain/skill'
import type { SkillPage, SkillRow } from '../../../shared/ipc/views'
import { Button, IconButton } from '../../ui/Button'
import { classes } from '../../ui/classes'
import { Exact } from '../../ui/Exact'
import { Chip, Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { chooseSkillFile, isSame, noticesOf, useSkillList, type SkillPlace } from './skillListStore'
import { answerText, dayText, faultText, inputText } from './skillWords'

/** The chosen skill: what it declares, its file as it is, and the way into the next message. A broken file is shown too. */
export function SkillPanel({ page, place, isAlone, onUse, onTrust }: { readonly page: SkillPage; readonly place: SkillPlace; readonly isAlone: boolean; readonly onUse: ((place: SkillPlace) => void) | null; readonly onTrust: () => void }) {
  const say = useWords()
  const row = page.rows.find(({ skill }) => isSame(skill, place)) ?? null
  const fatal = page.faults.filter((fault) => fault.isFatal && isSame(fault, place))
  const name = row?.skill.name ?? place.path.split('/').at(-2) ?? place.path
  const back = <IconButton icon={isAlone ? ArrowLeft : X} label={isAlone ? say('skill.back') : say('ui.close')} onClick={() => chooseSkillFile(null)} />
  return (
    <section className={classes('main skillpane', isAlone && 'alone')} aria-label={name} data-zone="skill" tabIndex={-1}>
      <div className="head">
        {isAlone && back}
        <h2 className="mono cut"><Exact text={name} /></h2>
        {row ? <Chip>{say(`skill.trust.${row.skill.origin}`)}</Chip> : <Chip tone="bad">{say('skill.broken')}</Chip>}
        {!isAlone && <span className="end">{back}</span>}
      </div>
      <div className="panelbody">
        {[...fatal, ...noticesOf(page, place)].map((fault, at) => <Note key={at} tone={fault.isFatal ? 'bad' : 'warn'}><Exact text={faultText(fault, say)} className="wrap-any" /></Note>)}
        {row?.isTrusted === false && <Note tone="warn" actions={<Button size="small" onClick={onTrust}>{say('trust.setting-open')}</Button>}>{say('trust.skill-question')}</Note>}
        {row && <Facts row={row} />}
        <FileText row={row} place={place} fault={fatal[0] ?? null} />
      </div>
      {row && <div className="savebar"><span className="small dim">{usesText(row, say)}</span><span className="end"><Button icon={ArrowRight} disabled={onUse === null || !row.isOn || row.hiddenBy !== null} onClick={() => onUse?.(row.skill)}>{say('skill.use-next')}</Button></span></div>}
    </section>
  )
}

function usesText({ lastUsedAtMs, usesThisMonth }: SkillRow, say: ReturnType<typeof useWords>): string {
  return lastUsedAtMs === null ? say('skill.never-used') : say('skill.last-used', { day: dayText(lastUsedAtMs, say), count: usesThisMonth })
}

function Facts({ row: { skill } }: { readonly row: SkillRow }) {
  const say = useWords()
  return (
    <dl className="kv">
      <Fact word={say('skill.fact.description')}><Exact text={skill.description} className="wrap-any" /></Fact>
      {skill.version !== null && <Fact word={say('skill.fact.version')}><Exact text={skill.version} className="mono" /></Fact>}
      {skill.triggers.length > 0 && <Fact word={say('skill.fact.triggers')}><Exact text={skill.triggers.map((one) => `“${one}”`).join(say.locale === 'en' ? ', ' : '、')} className="wrap-any" /></Fact>}
      {skill.inputs.length > 0 && <Fact word={say('skill.fact.inputs')}>{skill.inputs.map((input) => <div key={input.name} className="wrap-any"><Exact text={input.name} className="mono" /> <Exact text={inputText(input, say)} /></div>)}</Fact>}
      <Fact word={say('skill.fact.tools')}>{skill.tools === null ? say('skill.tools-all') : <><Exact text={skill.tools.map(({ tool, programs }) => (programs === null ? tool : `${tool} (${programs.join(', ')})`)).join(', ')} className="mono wrap-any" /> {say(skill.tools.length === 0 ? 'skill.tools-none' : 'skill.tools-ask')}</>}</Fact>
      {skill.outputSchema !== null && <Fact word={say('skill.fact.answer')}><Exact text={answerText(skill.outputSchema, say)} className="wrap-any" /></Fact>}
      <Fact word={say('skill.fact.file')}><Exact text={skill.path} className="mono wrap-any" /></Fact>
    </dl>
  )
}

function Fact({ word, children }: { readonly word: string; readonly children: ReactNode }) {
  return <><dt>{word}</dt><dd>{children}</dd></>
}

/** The file with its line numbers; the line of the first fault is marked, and brought into view. */
function FileText({ row, place, fault }: { readonly row: SkillRow | null; readonly place: SkillPlace; readonly fault: SkillFault | null }) {
  const say = useWords()
  const text = useSkillList((state) => state.text)
  const marked = useRef<HTMLDivElement>(null)
  useEffect(() => marked.current?.scrollIntoView({ block: 'center' }), [text, place])
  const lines = (text?.text ?? '').replace(/\n$/, '').split(/\r\n|\r|\n/)
  return (
    <>
      <div className="row filehead"><h3 className="small med dim">{place.path.split('/').at(-1)}</h3>{row && <span className="small faint">{say('skill.loaded-when-used', { kilobytes: Math.max(0.1, Math.round(row.skill.bodyBytes / 102.4) / 10) })}</span>}</div>
      <div className="code skilltext" tabIndex={0} role="region" aria-label={say('skill.file-text', { path: place.path })} aria-busy={text === null}>
        {text !== null && lines.map((line, at) => {
          const isMarked = fault !== null && fault.line === at + 1
          return <div key={at} {...(isMarked ? { ref: marked } : {})} className={classes('dl', isMarked && 'del')}><span aria-hidden>{at + 1}</span><span /><span className="wrap-any"><Exact text={line} /></span></div>
        })}
      </div>
    </>
  )
}
