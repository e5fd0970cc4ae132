import { X } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { TextField } from '../../ui/fields'
import { useWords } from '../../ui/words'
import { Setting } from './SettingCard'

const mostHosts = 100

/** Hosts in private networks that pages may be fetched from. */
export function PrivateHosts({ value, onChange }: { readonly value: readonly string[]; readonly onChange: (value: string[]) => void }) {
  const say = useWords()
  const [text, setText] = useState('')
  const host = hostOf(text)
  const isBad = text.trim() !== '' && host === null
  const add = (): void => {
    if (host === null) return
    onChange([...value.filter((one) => one !== host), host])
    setText('')
  }
  return (
    <>
      <Setting name={say('web.set.private')} about={say('web.set.private-about')}>{null}</Setting>
      {value.length > 0 && <ul className="col hosts" aria-label={say('web.set.private')}>
        {value.map((one) => <li key={one} className="row"><Exact text={one} className="mono wrap-any grow" /><IconButton icon={X} label={say('web.set.private-remove', { host: one })} onClick={() => onChange(value.filter((other) => other !== one))} /></li>)}
      </ul>}
      <div className="row setmore" style={{ alignItems: 'flex-end', flexDirection: 'row' }}>
        <TextField className="grow" label={say('web.set.private-add')} isMono placeholder="wiki.example:8080" value={text} fault={isBad ? say('web.set.private-bad') : null} onChange={(event) => setText(event.target.value)} onKeyDown={(event) => { if (event.key === 'Enter' && !event.nativeEvent.isComposing) add() }} />
        <Button disabled={host === null || value.length >= mostHosts} onClick={add}>{say('web.set.private-allow')}</Button>
      </div>
    </>
  )
}

/** The host with its port as an address has it; null for what is none. A whole address gives its host. */
export function hostOf(text: string): string | null {
  const given = text.trim()
  const address = /^https?:\/\//i.test(given) ? given : `http://${given}`
  if (given === '' || /[\s@\\]/.test(given) || !URL.canParse(address)) return null
  const url = new URL(address)
  const isOnlyHost = /^https?:\/\//i.test(given) || (url.pathname === '/' && url.search === '' && url.hash === '' && !given.includes('/'))
  return isOnlyHost && url.host !== '' && url.host.length <= 255 ? url.host : null
}
