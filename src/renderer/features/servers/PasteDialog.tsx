import { useEffect, useId, useState } from 'react'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Exact } from '../../ui/Exact'
import { Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { ImportBar } from './ImportDialog'
import { ImportRows } from './ImportRows'
import { beginImport, look, useImport } from './importStore'
import { closeDialog } from './serverStore'

/** By pasting what a server's page offers: JSON, TOML, or a command line. */
export function PasteDialog({ hasKeychain }: { readonly hasKeychain: boolean }) {
  const say = useWords()
  const id = useId()
  const [text, setText] = useState('')
  const { offers, isBusy, fault } = useImport()
  useEffect(() => beginImport, [])
  const type = (next: string): void => {
    setText(next)
    if (offers !== null || fault !== null) beginImport() // what was found is of another text now
  }
  return (
    <Dialog name={say('servers.paste-title')} isOpen isWide onClose={closeDialog}>
      <div className="head"><h2 className="cut">{say('servers.paste-title')}</h2></div>
      <div className="dialogbody">
        <div className="field">
          <label className="lbl" htmlFor={id}>{say('servers.paste-about')}</label>
          <textarea id={id} className="input mono" rows={8} spellCheck={false} value={text} placeholder={'{ "mcpServers": { "docs": { "command": "npx", "args": ["-y", "docs-mcp"] } } }'} onChange={(event) => type(event.target.value)} />
        </div>
        <span><Button disabled={text.trim() === '' || isBusy} onClick={() => void look(text)}>{say('servers.look')}</Button></span>
        {offers === null && fault && <Note tone="bad" role="alert"><Exact text={say.fact(fault)} className="wrap-any" /></Note>}
        {offers && <ImportRows offers={offers} />}
      </div>
      <ImportBar hasKeychain={hasKeychain} />
    </Dialog>
  )
}
