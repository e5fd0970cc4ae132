import { GraduationCap } from 'lucide-react'
import { useState } from 'react'
import type { SkillRef } from '../../../shared/domain/skill'
import { Exact } from '../../ui/Exact'
import { useWords } from '../../ui/words'
import { StoredText } from './StoredText'

/** A skill that entered the conversation here; opens to the text that the model reads. */
export function SkillRow({ skill, isByAgent, text }: { readonly skill: SkillRef; readonly isByAgent: boolean; readonly text: string }) {
  const say = useWords()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div style={{ paddingBottom: 12 }}>
      <button type="button" className="think" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <GraduationCap className="i" size={14} aria-hidden />
        <span>{say(isByAgent ? 'skill.by-agent' : 'skill.by-person')}</span>
        <span className="med"><Exact text={skill.name} /></span>
        {skill.version !== null && <span className="mono"><Exact text={skill.version} /></span>}
        <span>{say('skill.loaded-once')}</span>
      </button>
      {isOpen && <div className="thought"><StoredText text={text} outputRef={null} /></div>}
    </div>
  )
}
