import { useMemo, useState } from 'react'
import type { ApprovalRequest } from '../../../shared/domain/approval'
import { partsToRead, signedText, type Readers, type Reading, type ReadPart } from './cardText'

/** Which texts were read to their end. What takes their place has to be read anew. */
export function useReading(request: ApprovalRequest, isEdited: boolean): { readonly mustRead: boolean; readonly readers: Readers } {
  const whole = useMemo(() => signedText(request, null), [request])
  const [read, setRead] = useState<{ readonly of: string; readonly parts: Readonly<Partial<Record<ReadPart, Reading>>> }>({ of: '', parts: {} })
  const done = read.of === whole ? read.parts : {}
  const readers = useMemo((): Readers => {
    const reader = (part: ReadPart) => (how: Reading): void => setRead((now) => {
      const parts = now.of === whole ? now.parts : {}
      return parts[part] === how || parts[part] === 'scrolled' ? now : { of: whole, parts: { ...parts, [part]: how } }
    })
    return { command: reader('command'), arguments: reader('arguments'), change: reader('change'), messages: reader('messages') }
  }, [whole])
  return { mustRead: partsToRead(request, isEdited).some(({ part, how }) => done[part] === undefined || (how === 'scrolled' && done[part] !== 'scrolled')), readers }
}
