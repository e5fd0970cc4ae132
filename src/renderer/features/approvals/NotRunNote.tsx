import { Copy, HardDrive, Package } from 'lucide-react'
import { useState } from 'react'
import { said, type Said } from '../../../shared/domain/result'
import { host } from '../../bridge/host'
import { Button } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { sizeText } from '../../ui/sizeText'
import { leading, useWords } from '../../ui/words'

/** Why a call that was allowed was not run, what was not done, and what makes room (DESIGN 5.18). The signature is asked for again below. */
export function NotRunNote({ fault }: { readonly fault: Said }) {
  const say = useWords()
  const [packing, setPacking] = useState<'no' | 'now' | Said>('no')
  const isFull = isOutOfRoom(fault)
  const pack = async (): Promise<void> => {
    setPacking('now')
    setPacking(await packOldPoints((bytes) => sizeText(bytes, say)))
  }
  return (
    <div className="notrun" role="group" aria-label={say('approval.not-run')}>
      <p className="t-bad med row"><HardDrive className="i" size={14} aria-hidden /><Exact text={say.fact(fault)} className="wrap-any" /></p>
      <p><b>{leading(say('approval.not-run.undone'))}</b>{say('approval.not-run.signature')}</p>
      <p><b>{leading(say('approval.not-run.to-do'))}</b>{say(isFull ? 'approval.not-run.make-room' : 'approval.not-run.mend')}</p>
      <p className="row">
        {isFull && <Button size="small" look="primary" icon={Package} disabled={packing === 'now'} onClick={() => void pack()}>{say('approval.not-run.pack')}</Button>}
        <Button size="small" look="quiet" icon={Copy} onClick={() => void navigator.clipboard.writeText(say.fact(fault))}>{say('ui.copy-details')}</Button>
        {typeof packing === 'object' && <span className="small" role="status"><Exact text={say.fact(packing)} className="wrap-any" /></span>}
      </p>
    </div>
  )
}

/** Packing helps then: it is the first thing to do. */
export function isOutOfRoom({ values: { why } }: Said): boolean {
  return typeof why === 'object' && 'code' in why && why.code === 'snapshot.disk-full'
}

/** Packs, and says what that freed. */
async function packOldPoints(sizeOf: (bytes: number) => string): Promise<Said> {
  const before = await host().snapshotSpace({})
  const packed = await host().snapshotPack({})
  if (!packed.ok) return said('approval.not-run.not-packed', { why: packed.fault })
  const freed = before.ok ? Math.max(0, before.value.bytes - packed.value.bytes) : 0
  return freed > 0 ? said('approval.not-run.packed', { size: sizeOf(freed) }) : said('approval.not-run.packed-none')
}
