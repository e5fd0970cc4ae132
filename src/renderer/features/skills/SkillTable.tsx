import { OctagonX, TriangleAlert } from 'lucide-react'
import type { SkillFault } from '../../../shared/domain/skill'
import type { SkillPage, SkillRow } from '../../../shared/ipc/views'
import { Button } from '../../ui/Button'
import { classes } from '../../ui/classes'
import { Exact } from '../../ui/Exact'
import { Switch } from '../../ui/fields'
import { Chip } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { brokenOf, chooseSkillFile, isSame, keyOf, noticesOf, switchSkill, useSkillList } from './skillListStore'
import { faultText } from './skillWords'

/** Every skill, those that another of their name hides too, and the files that do not load. */
export function SkillTable({ page }: { readonly page: SkillPage }) {
  const say = useWords()
  const chosen = useSkillList((state) => state.chosen)
  return (
    <div className="card skillcard">
      <table aria-label={say('ui.page.skills')} className="skilltable">
        <thead><tr><th className="c-on">{say('skill.column.on')}</th><th>{say('skill.column.skill')}</th><th className="c-from">{say('skill.column.from')}</th><th className="c-trust">{say('skill.column.trust')}</th><th className="num c-bytes">{say('skill.column.bytes')}</th></tr></thead>
        <tbody className="tight">
          {page.rows.map((row) => <Row key={keyOf(row.skill)} row={row} isChosen={isSame(chosen, row.skill)} hasNotice={noticesOf(page, row.skill).length > 0} />)}
          {brokenOf(page).map((faults) => <BrokenRow key={keyOf(faults[0])} faults={faults} isChosen={isSame(chosen, faults[0])} />)}
        </tbody>
      </table>
    </div>
  )
}

function Row({ row, isChosen, hasNotice }: { readonly row: SkillRow; readonly isChosen: boolean; readonly hasNotice: boolean }) {
  const say = useWords()
  const { skill, isOn, isTrusted, hiddenBy } = row
  return (
    <tr className={isChosen ? 'on' : ''}>
      <td><Switch label={say('skill.use', { name: skill.name })} isOn={isOn} isDisabled={!isTrusted} hasWord={false} onChange={(next) => void switchSkill(row, next)} /></td>
      <td>
        <div className="row">
          <button type="button" className="mono med cut skillname" data-skill={keyOf(skill)} aria-current={isChosen ? 'true' : undefined} onClick={() => chooseSkillFile(skill)}><Exact text={skill.name} /></button>
          {isOn && hiddenBy !== null && <span className="chip warn" title={hiddenBy.path}>{hiddenBy.origin === skill.origin ? <Exact text={say('skill.hidden-by-file', { path: hiddenBy.path })} /> : say(`skill.hidden-by.${hiddenBy.origin}`)}</span>}
          {row.index.fate === 'left-out' && <Chip tone="warn">{say('skill.left-out')}</Chip>}
          {hasNotice && <TriangleAlert className="i t-warn" size={14} aria-label={say('skill.has-notice')} />}
        </div>
        <div className="small dim cut" title={skill.description}><Exact text={skill.description} /></div>
      </td>
      <td className="small">{say(`skill.origin.${skill.origin}`)}</td>
      <td className="small nowrap faint">{isTrusted ? say(`skill.trust.${skill.origin}`) : <span className="t-warn">{say('trust.declined')} <button type="button" className="link" onClick={() => chooseSkillFile(skill)}>{say('skill.read')}</button></span>}</td>
      <td className="num small"><Bytes row={row} /></td>
    </tr>
  )
}

function Bytes({ row: { index, isOn } }: { readonly row: SkillRow }) {
  const say = useWords()
  if (!isOn || index.fate !== 'cut') return <>{(isOn ? index.bytes : 0).toLocaleString(say.locale)}</>
  // With its name, as in a row that is whole: so the rows add up to what the index says of them.
  return <span>{index.bytes.toLocaleString(say.locale)} <span className="faint">{say('skill.bytes-of', { bytes: index.bytes - index.shownBytes + index.wholeBytes })}</span></span>
}

function BrokenRow({ faults, isChosen }: { readonly faults: readonly [SkillFault, ...SkillFault[]]; readonly isChosen: boolean }) {
  const say = useWords()
  const [first, ...more] = faults
  const name = first.path.split('/').at(-2) ?? first.path
  return (
    <tr className={classes('badskill', isChosen && 'on')}>
      <td><Switch label={say('skill.use', { name })} isOn={false} isDisabled hasWord={false} onChange={() => undefined} /></td>
      <td colSpan={4}>
        <div className="row wrap">
          <span className="mono med"><Exact text={name} /></span>
          <span className="chip bad"><OctagonX className="i" size={12} aria-hidden />{say('skill.broken')}</span>
          <span className="small t-bad wrap-any"><Exact text={faultText(first, say)} /></span>
        </div>
        {more.map((fault, at) => <p key={at} className="small t-bad wrap-any"><Exact text={faultText(fault, say)} /></p>)}
        <div className="row brokenline">
          {first.line > 0 ? <div className="code grow"><FaultLine fault={first} /></div> : <span className="grow" />}
          <span className="small faint">{say('skill.not-touched')}</span>
          <Button size="small" data-skill={keyOf(first)} onClick={() => chooseSkillFile(first)}>{first.line > 0 ? say('skill.open-at', { line: first.line }) : say('skill.open-file')}</Button>
        </div>
      </td>
    </tr>
  )
}

/** The line that a fault is about, the character where it begins marked. */
function FaultLine({ fault: { line, column, text } }: { readonly fault: SkillFault }) {
  const at = column - 1
  return (
    <div className="dl del">
      <span>{line}</span>
      <span />
      <span className="wrap-any"><Exact text={text.slice(0, at)} /><mark><Exact text={text.slice(at, at + 1)} /></mark><Exact text={text.slice(at + 1)} /></span>
    </div>
  )
}
