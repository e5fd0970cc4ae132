import { useState, type FormEvent } from 'react'
import type { Said } from '../../../shared/domain/result'
import { Button } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { TextField } from '../../ui/fields'
import { Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { showPicks } from './modelPicks'
import { ModelWays } from './ModelWays'
import { unsealAndSend } from './workStore'

interface SendFaultProps {
  readonly fault: Said
  readonly onOpenModels: () => void
  readonly onReplaceKey: () => void
  readonly onUnsealed: () => void
}

/** Why the last message did not go out, with the next step beside it. Its text is back in the box. */
export function SendFault({ fault, onOpenModels, onReplaceKey, onUnsealed }: SendFaultProps) {
  const say = useWords()
  return (
    <div className="lane"><div className="pb-2">
      <Note tone="bad" role="alert" actions={<ModelWays fact={fault} onOpenModels={onOpenModels} onReplaceKey={onReplaceKey} onOtherModel={() => showPicks(true)} />}><Exact text={say.fact(fault)} /></Note>
      {fault.code === 'model.key-sealed' && <Unseal onUnsealed={onUnsealed} />}
    </div></div>
  )
}

/** The pass phrase, where it is needed; it leaves the window at once and is not kept in the field. */
function Unseal({ onUnsealed }: { readonly onUnsealed: () => void }) {
  const say = useWords()
  const [phrase, setPhrase] = useState('')
  const [fault, setFault] = useState<Said | null>(null)
  const [isOpening, setIsOpening] = useState(false)
  const open = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (phrase === '' || isOpening) return
    setIsOpening(true)
    setPhrase('')
    const why = await unsealAndSend(phrase)
    setFault(why)
    setIsOpening(false)
    if (why === null) onUnsealed()
  }
  return (
    <form className="row" style={{ alignItems: 'flex-start', paddingTop: 8 }} aria-label={say('provider.unseal')} onSubmit={(event) => void open(event)}>
      <TextField className="grow" label={say('provider.pass-phrase')} isSecret autoFocus value={phrase} fault={fault && say.fact(fault)} onChange={(event) => setPhrase(event.target.value)} />
      <Button type="submit" style={{ marginTop: 22 }} disabled={phrase === '' || isOpening}>{say('session.unseal-and-send')}</Button>
    </form>
  )
}
