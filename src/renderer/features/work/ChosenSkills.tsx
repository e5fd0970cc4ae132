import { GraduationCap, X } from 'lucide-react'
import { useMemo } from 'react'
import type { Said } from '../../../shared/domain/result'
import { Button, IconButton } from '../../ui/Button'
import { classes } from '../../ui/classes'
import { Exact } from '../../ui/Exact'
import { useWords } from '../../ui/words'
import type { ChosenSkill } from './drafts'
import { chooseSkill } from './offerStore'
import { declineSkill, dropSkill, offeredSkill, useSkills } from './skillStore'
import { draftKey } from './workStore'

/** The skills that go with the message in the box, each with the values that were given; one that could not be loaded says so. */
export function ChosenSkills({ skills, fault }: { readonly skills: readonly ChosenSkill[]; readonly fault: Said | null }) {
  const say = useWords()
  if (skills.length === 0) return null
  const named = fault?.code.startsWith('skill.') ? Object.values(fault.values) : []
  const isNamed = ({ name, path }: ChosenSkill): boolean => named.includes(name) || named.includes(path)
  return (
    <ul className="attached" aria-label={say('skill.chosen')}>
      {skills.map((one) => (
        <li key={`${one.origin} ${one.path}`} className={classes('chip', isNamed(one) && 'bad')} title={one.path}>
          <GraduationCap className="i" size={14} aria-hidden />
          <span className="nowrap"><Exact text={one.name} /></span>
          {Object.keys(one.inputs).length > 0 && <button type="button" className="faint cut" aria-label={say('skill.chosen.change', { name: one.name })} onClick={() => void chooseSkill(one)}><Exact text={valuesText(one)} /></button>}
          {isNamed(one) && <span>{say('skill.chosen.failed')}</span>}
          <IconButton icon={X} label={say('skill.chosen.remove', { name: one.name })} onClick={() => dropSkill(one)} />
        </li>
      ))}
    </ul>
  )
}

function valuesText({ inputs }: ChosenSkill): string {
  return Object.entries(inputs).map(([name, value]) => `${name}: ${String(value)}`).join(', ')
}

const none: readonly string[] = []

/** A quiet line when the text holds a word that a skill says it is for. Nothing is taken by itself. */
export function SkillOffer({ text, skills }: { readonly text: string; readonly skills: readonly ChosenSkill[] }) {
  const say = useWords()
  const rows = useSkills((state) => state.rows)
  const declined = useSkills((state) => state.declined[draftKey()]) ?? none
  const row = useMemo(() => offeredSkill(rows, text, skills, declined), [rows, text, skills, declined])
  if (!row) return null
  const { name, description } = row.skill
  return (
    <div className="row notes" style={{ alignItems: 'center' }} role="status">
      <GraduationCap className="i faint" size={14} aria-hidden />
      <span className="small dim nowrap"><Exact text={say('skill.offer', { name })} /></span>
      <span className="small faint cut grow"><Exact text={description} /></span>
      <Button size="small" look="quiet" onClick={() => void chooseSkill(row.skill)}>{say('skill.offer.use')}</Button>
      <IconButton icon={X} label={say('skill.offer.decline', { name })} onClick={() => declineSkill(row.skill)} />
    </div>
  )
}
