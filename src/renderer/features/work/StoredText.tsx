import { useState } from 'react'
import type { Said } from '../../../shared/domain/result'
import { Button } from '../../ui/Button'
import { FileText } from '../../ui/FileText'
import { Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { partBytes, readPart } from './contentStore'

interface Part {
  readonly from: number
  readonly text: string
  readonly total: number
}

/** A text as the model was told it, and the whole of it a part at a time where that was cut. */
export function StoredText({ text, outputRef }: { readonly text: string; readonly outputRef: string | null }) {
  const say = useWords()
  const [part, setPart] = useState<Part | null>(null)
  const [fault, setFault] = useState<Said | null>(null)
  const read = async (from: number): Promise<void> => {
    if (outputRef === null) return
    const result = await readPart(outputRef, from)
    setFault(result.ok ? null : result.fault)
    if (result.ok) setPart({ from, text: result.value.text, total: result.value.totalBytes })
  }
  const shown = part?.text ?? text
  if (shown === '' && outputRef === null) return null
  return (
    <>
      {shown !== '' && <pre key={part?.from ?? -1} className="code quote" tabIndex={0} style={{ padding: '8px 14px' }}><FileText text={shown} /></pre>}
      {fault && <div style={{ padding: '6px 14px' }}><Note tone="bad" role="alert">{say.fact(fault)}</Note></div>}
      {outputRef !== null && part === null && <div style={{ padding: '6px 14px' }}><Button size="small" look="quiet" onClick={() => void read(0)}>{say('session.show-all')}</Button></div>}
      {part && part.total > partBytes && (
        <div className="row small dim" role="group" aria-label={say('session.whole-text')} style={{ padding: '6px 14px' }}>
          <span className="grow" role="status">{say('session.part', { from: part.from + 1, to: Math.min(part.from + partBytes, part.total), total: part.total })}</span>
          <Button size="small" look="quiet" disabled={part.from === 0} onClick={() => void read(Math.max(0, part.from - partBytes))}>{say('session.part-earlier')}</Button>
          <Button size="small" look="quiet" disabled={part.from + partBytes >= part.total} onClick={() => void read(part.from + partBytes)}>{say('session.part-later')}</Button>
        </div>
      )}
    </>
  )
}
