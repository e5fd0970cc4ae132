import { X } from 'lucide-react'
import { useState } from 'react'
import type { SnapshotSettings } from '../../../shared/domain/settings'
import { defaultLeaveOut } from '../../../shared/domain/snapshotDefaults'
import { Button, IconButton } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { TextField } from '../../ui/fields'
import { useWords } from '../../ui/words'
import { NumberField } from './NumberField'
import { Setting, SettingCard } from './SettingCard'

interface SnapshotSettingProps {
  readonly value: SnapshotSettings
  readonly onChange: (value: SnapshotSettings) => void
}

/** What snapshots hold, and how long points are kept (R80). */
export function SnapshotSetting({ value, onChange }: SnapshotSettingProps) {
  const say = useWords()
  const keep = (change: Partial<SnapshotSettings>): void => onChange({ ...value, ...change })
  return (
    <SettingCard title={say('settings.snapshots')}>
      <Setting name={say('settings.snapshots-kept')} about={say('settings.snapshots-kept-about')}>
        <span className="row">
          <NumberField label={say('settings.snapshots-days')} value={value.keepDays} min={1} max={3650} onKeep={(keepDays) => keep({ keepDays })} />
          <span className="small dim">{say('settings.days-or')}</span>
          <NumberField label={say('settings.snapshots-megabytes')} value={value.keepMegabytes} min={50} max={1_000_000} onKeep={(keepMegabytes) => keep({ keepMegabytes })} />
          <span className="small dim">MB</span>
        </span>
      </Setting>
      <Setting name={say('settings.snapshots-points')}><NumberField label={say('settings.snapshots-points')} value={value.keepPoints} min={100} max={100_000} onKeep={(keepPoints) => keep({ keepPoints })} /></Setting>
      <Setting name={say('settings.snapshots-file')} about={say('settings.snapshots-file-about')}><span className="row"><NumberField label={say('settings.snapshots-file')} value={value.fileMegabytes} min={1} max={2000} onKeep={(fileMegabytes) => keep({ fileMegabytes })} /><span className="small dim">MB</span></span></Setting>
      <Setting name={say('settings.snapshots-files')}><NumberField label={say('settings.snapshots-files')} value={value.files} min={1000} max={2_000_000} onKeep={(files) => keep({ files })} /></Setting>
      <Setting name={say('settings.snapshots-seconds')} about={say('settings.snapshots-seconds-about')}><span className="row"><NumberField label={say('settings.snapshots-seconds')} value={value.readSeconds} min={5} max={3600} onKeep={(readSeconds) => keep({ readSeconds })} /><span className="small dim">{say('settings.seconds')}</span></span></Setting>
      <LeftOut value={value.leaveOut} onChange={(leaveOut) => keep({ leaveOut })} />
    </SettingCard>
  )
}

const mostLines = 1000

/** The list of what is left out by itself; a project's own ignore files stand above it. */
function LeftOut({ value, onChange }: { readonly value: readonly string[]; readonly onChange: (value: string[]) => void }) {
  const say = useWords()
  const [text, setText] = useState('')
  const line = text.trim()
  const isBad = line.length > 500 || /[\n\r]/.test(line)
  const canAdd = line !== '' && !isBad && !value.includes(line) && value.length < mostLines
  const isDefault = value.length === defaultLeaveOut.length && defaultLeaveOut.every((one, at) => value[at] === one)
  const add = (): void => {
    if (!canAdd) return
    onChange([...value, line])
    setText('')
  }
  return (
    <>
      <Setting name={say('settings.left-out')} about={say('settings.left-out-about')}><Button size="small" look="quiet" disabled={isDefault} onClick={() => onChange([...defaultLeaveOut])}>{say('settings.left-out-default')}</Button></Setting>
      <ul className="col hosts" aria-label={say('settings.left-out')} style={{ maxHeight: 220, overflow: 'auto' }} tabIndex={0}>
        {value.map((one) => <li key={one} className="row"><Exact text={one} className="mono wrap-any grow" /><IconButton icon={X} label={say('settings.left-out-remove', { line: one })} onClick={() => onChange(value.filter((other) => other !== one))} /></li>)}
      </ul>
      <div className="row setmore" style={{ alignItems: 'flex-end', flexDirection: 'row' }}>
        <TextField className="grow" label={say('settings.left-out-add')} isMono placeholder="generated/" value={text} fault={isBad ? say('settings.left-out-bad') : null} onChange={(event) => setText(event.target.value)} onKeyDown={(event) => { if (event.key === 'Enter' && !event.nativeEvent.isComposing) add() }} />
        <Button disabled={!canAdd} onClick={add}>{say('settings.left-out-do')}</Button>
      </div>
    </>
  )
}
