import { Check } from 'lucide-react'
import { Button } from '../../ui/Button'
import { useWords } from '../../ui/words'
import type { Draft } from './useDraft'

interface DraftButtonsProps {
  readonly draft: Pick<Draft<unknown>, 'isChanged' | 'drop' | 'use'>
  readonly canUse: boolean
  /** What is being set up, for those who only hear the button. */
  readonly name: string
}

/** The button that keeps a draft, and the way back. Both stay, so that the keyboard is not lost when one has done its work. */
export function DraftButtons({ draft, canUse, name }: DraftButtonsProps) {
  const say = useWords()
  return (
    <div className="row">
      <p className="hint grow" role="status">{draft.isChanged ? say('web.set.draft') : ''}</p>
      {draft.isChanged && <Button size="small" onClick={draft.drop}>{say('ui.cancel')}</Button>}
      <Button size="small" look="primary" icon={Check} aria-label={say('web.set.use-of', { name })} disabled={!draft.isChanged || !canUse} onClick={draft.use}>{say('web.set.use')}</Button>
    </div>
  )
}
