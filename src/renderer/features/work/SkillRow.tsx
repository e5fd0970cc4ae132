import { GraduationCap } from 'lucide-react'
import { useState } from 'react'
import type { ChatItem } from '../../../shared/domain/chatView'
import { Exact } from '../../ui/Exact'
import { useWords } from '../../ui/words'
import { StoredText } from './StoredText'

/** A skill that entered the conversation here; opens to the text that the model reads. */
export function SkillRow({ item: { skill, isByAgent, isAgain, text } }: { readonly item: Extract<ChatItem, { readonly kind: 'skill' }> }) {
  const say = useWords()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div style={{ paddingBottom: 12 }}>
      <button type="button" className="think" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <GraduationCap className="i" size={14} aria-hidden />
        <span>{say(isByAgent ? 'skill.by-agent' : 'skill.by-person')}</span>
        <span className="med"><Exact text={skill.name} /></span>
        {skill.version !== null && <span className="mono"><Exact text={skill.version} /></span>}
        <span>{say(isAgain ? 'skill.loaded-before' : 'skill.loaded-once')}</span>
      </button>
      {isOpen && <div className="thought"><StoredText text={text} outputRef={null} /></div>}
    </div>
  )
}
