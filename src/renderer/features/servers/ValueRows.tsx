import { Eye, EyeOff, Pencil, Plus, Trash2, Undo2 } from 'lucide-react'
import type { McpHiddenValue } from '../../../shared/domain/mcp'
import type { Said } from '../../../shared/domain/result'
import type { McpServerDetail } from '../../../shared/ipc/views'
import { Button, IconButton } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { Switch } from '../../ui/fields'
import { useWords } from '../../ui/words'
import { hiddenOf, looksSecret, nextId, type DraftValue, type ValueList } from './draft'
import { edit, revealKey, toggleReveal, useServers } from './serverStore'

interface RowsProps {
  readonly list: ValueList
  readonly values: readonly DraftValue[]
  readonly detail: McpServerDetail | null
  readonly faults: ReadonlyMap<number, Said>
  readonly isTried: boolean
  readonly isReadOnly: boolean
}

/** The environment or the headers: each value hidden, shown for 20 seconds on demand, those of the keychain never. */
export function ValueRows({ list, values, detail, faults, isTried, isReadOnly }: RowsProps) {
  const say = useWords()
  const put = (next: DraftValue): void => edit({ [list]: values.map((one) => (one.id === next.id ? next : one)) })
  const remove = (id: number): void => edit({ [list]: values.filter((one) => one.id !== id) })
  const add = (): void => edit({ [list]: [...values, { id: nextId(), name: '', value: { kind: 'text', text: '' } }] })
  return (
    <div className="field" role="group" aria-label={say(`servers.${list}`)}>
      <span className="lbl">{say(`servers.${list}`)}</span>
      {values.length > 0 && (
        <ul className="card valuerows">
          {values.map((value) => {
            const hidden = hiddenOf(detail, list, value.name)
            const fault = faults.get(value.id)
            const isTold = fault && (isTried || value.name.trim() !== '')
            return (
              <li key={value.id}>
                {value.value.kind === 'kept' && detail
                  ? <KeptRow server={detail.row.name} list={list} value={value} hidden={hidden} isReadOnly={isReadOnly} onChange={put} onRemove={() => remove(value.id)} />
                  : <NewRow list={list} value={value} hidden={hidden} isBad={isTold === true} onChange={put} onRemove={() => remove(value.id)} />}
                {isTold && <p className="hint t-bad" role="alert">{say.fact(fault)}</p>}
              </li>
            )
          })}
        </ul>
      )}
      {isReadOnly && values.length === 0 && <p className="faint">{say('servers.no-values')}</p>}
      {!isReadOnly && <Button size="small" icon={Plus} onClick={add}>{say(`servers.add-${list}`)}</Button>}
    </div>
  )
}

interface KeptProps {
  readonly server: string
  readonly list: ValueList
  readonly value: DraftValue
  readonly hidden: McpHiddenValue | undefined
  readonly isReadOnly: boolean
  readonly onChange: (value: DraftValue) => void
  readonly onRemove: () => void
}

function KeptRow({ server, list, value, hidden, isReadOnly, onChange, onRemove }: KeptProps) {
  const say = useWords()
  const revealed = useServers((state) => state.revealed[revealKey(server, list, value.name)])
  const { name } = value
  const begin = (): void => onChange({ ...value, value: hidden?.reference != null ? { kind: 'text', text: hidden.reference } : { kind: hidden?.place === 'keychain' || looksSecret(name) ? 'secret' : 'text', text: '' } })
  return (
    <div className="valuerow">
      <Exact text={name} className="mono cut" />
      <span className="mono wrap-any">{revealed === undefined ? <HiddenText hidden={hidden} /> : <Exact text={revealed} />}</span>
      <span className="row buttons">
        {hidden?.place === 'file' && <IconButton icon={revealed === undefined ? Eye : EyeOff} label={say(revealed === undefined ? 'servers.show-value' : 'servers.hide-value', { name })} onClick={() => void toggleReveal(server, list, name)} />}
        {!isReadOnly && <IconButton icon={Pencil} label={say('servers.change-value', { name })} onClick={begin} />}
        {!isReadOnly && <IconButton icon={Trash2} label={say('servers.remove-value', { name })} onClick={onRemove} />}
      </span>
    </div>
  )
}

/** What may be seen of a value that is kept: a reference as it is written and what it gives, else where it lies. */
function HiddenText({ hidden }: { readonly hidden: McpHiddenValue | undefined }) {
  const say = useWords()
  const ui = 'small faint uifont'
  if (hidden?.place === 'keychain') return <span className={ui}>{say('servers.in-keychain')}</span>
  if (hidden?.reference != null) return <><Exact text={hidden.reference} /> {hidden.place === 'missing' || hidden.expands === null ? <span className="small t-warn uifont">→ {say('servers.not-set')}</span> : <span className={ui}>→ <Exact text={hidden.expands} /></span>}</>
  if (hidden?.place === 'missing') return <span className="small t-warn uifont">{say('servers.missing')}</span>
  return <span className="dim"><span aria-hidden className="nowrap">••••••••••</span><span className="sr">{say('servers.hidden')}</span></span>
}

interface NewProps {
  readonly list: ValueList
  readonly value: DraftValue
  /** Set where a kept value is being changed: its name stays, and it can be kept after all. */
  readonly hidden: McpHiddenValue | undefined
  readonly isBad: boolean
  readonly onChange: (value: DraftValue) => void
  readonly onRemove: () => void
}

function NewRow({ list, value: row, hidden, isBad, onChange, onRemove }: NewProps) {
  const say = useWords()
  const { name, value } = row
  const text = value.kind === 'kept' ? '' : value.text
  const isSecret = value.kind === 'secret'
  const shownName = name.trim() === '' ? say(`servers.new-${list}`) : name
  const rename = (next: string): void => {
    // The switch follows the name until the person set it otherwise.
    const follows = isSecret === looksSecret(name) && !isReference(text)
    onChange({ ...row, name: next, value: { kind: follows ? kindFor(next) : isSecret ? 'secret' : 'text', text } })
  }
  // A reference is written down as it is; in the keychain nobody would fill it in.
  const retype = (next: string): void => onChange({ ...row, value: { kind: isReference(next) && !isReference(text) ? 'text' : isSecret ? 'secret' : 'text', text: next } })
  return (
    <div className="valuerow edited">
      {hidden ? <Exact text={name} className="mono cut" /> : <input className="input mono" aria-label={say('servers.value-name')} placeholder={say(`servers.new-${list}`)} spellCheck={false} autoComplete="off" aria-invalid={isBad} value={name} onChange={(event) => rename(event.target.value)} />}
      <input className={isSecret ? 'input mono secret' : 'input mono'} aria-label={say('servers.value-of', { name: shownName })} spellCheck={false} autoComplete="off" value={text} onChange={(event) => retype(event.target.value)} />
      <span className="row buttons">
        <Switch label={say('servers.secret')} isOn={isSecret} onChange={(on) => onChange({ ...row, value: { kind: on ? 'secret' : 'text', text } })} />
        {hidden && <IconButton icon={Undo2} label={say('servers.keep-value', { name })} onClick={() => onChange({ ...row, value: { kind: 'kept' } })} />}
        <IconButton icon={Trash2} label={say('servers.remove-value', { name: shownName })} onClick={onRemove} />
      </span>
    </div>
  )
}

function kindFor(name: string): 'secret' | 'text' {
  return looksSecret(name) ? 'secret' : 'text'
}

function isReference(text: string): boolean {
  return /\$\{\w+(:-[^}]*)?\}/.test(text)
}
