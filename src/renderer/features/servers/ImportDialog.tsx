import { useEffect, useState } from 'react'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { TextField } from '../../ui/fields'
import { useWords } from '../../ui/words'
import { ImportRows } from './ImportRows'
import { beginImport, chosenRows, clashes, importTicked, scan, useImport } from './importStore'
import { closeDialog } from './serverStore'

/** From the files of other tools: what would come in is shown first, and nothing is written before it is ticked and taken. */
export function ImportDialog({ hasKeychain }: { readonly hasKeychain: boolean }) {
  const say = useWords()
  const { offers, isBusy } = useImport()
  useEffect(() => {
    void scan()
    return beginImport
  }, [])
  return (
    <Dialog name={say('servers.import-title')} isOpen isWide onClose={closeDialog}>
      <div className="head"><h2 className="cut">{say('servers.import-title')}</h2></div>
      <div className="dialogbody">
        <p className="dim">{say('servers.import-about')}</p>
        {isBusy && offers === null && <p role="status" className="dim">{say('servers.scanning')}</p>}
        {offers?.length === 0 && <p role="status">{say('servers.scan-none')}</p>}
        {offers && <ImportRows offers={offers} />}
      </div>
      <ImportBar hasKeychain={hasKeychain} />
    </Dialog>
  )
}

/** The foot of both ways in: how many, and that values go along unseen. */
export function ImportBar({ hasKeychain }: { readonly hasKeychain: boolean }) {
  const say = useWords()
  const [phrase, setPhrase] = useState('')
  const { offers, isBusy, added } = useImport()
  const rows = offers?.flatMap(chosenRows) ?? []
  const hasClash = offers !== null && clashes(offers).size > 0
  const mayHoldKeys = rows.some((row) => row.env.length + row.headers.length > 0)
  if (added) return <div className="savebar"><span className="end"><Button look="primary" onClick={closeDialog}>{say('ui.close')}</Button></span></div>
  return (
    <>
      {!hasKeychain && mayHoldKeys && <div style={{ padding: '10px 16px', borderTop: '1px solid var(--line)' }}><TextField label={say('provider.pass-phrase')} isSecret value={phrase} hint={say('servers.pass-phrase-hint')} onChange={(event) => setPhrase(event.target.value)} /></div>}
      <div className="savebar">
        <span className="small dim cut">{offers && say('servers.dry-run')}</span>
        <span className="end row">
          <Button onClick={closeDialog}>{say('ui.cancel')}</Button>
          <Button look="primary" disabled={rows.length === 0 || hasClash || isBusy} onClick={() => void importTicked(phrase)}>{rows.length === 0 ? say('servers.import') : say('servers.import-count', { count: rows.length })}</Button>
        </span>
      </div>
    </>
  )
}
