import { useEffect } from 'react'
import { readEditorCommand } from '../../../shared/domain/editorCommand'
import { Button } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { forgetTest, loadEditors, testEditor, useEditors } from './editorStore'
import { KeptField } from './KeptField'
import { SettingCard } from './SettingCard'

interface EditorSettingProps {
  readonly value: string
  /** Resolves when the main process has it, which asks the person about a program it does not know. */
  readonly onChange: (editorCommand: string) => Promise<void>
}

/** The person's own editor: offered where one is found, never taken from a project. */
export function EditorSetting({ value, onChange }: EditorSettingProps) {
  const say = useWords()
  const { offers, tested, isTesting } = useEditors()
  useEffect(() => void loadEditors(), [])
  useEffect(forgetTest, [value])
  const faultOf = (text: string): string | null => {
    const words = text === '' ? null : readEditorCommand(text)
    return words === null || words.ok ? null : say.fact(words.fault)
  }
  const words = readEditorCommand(value)
  return (
    <SettingCard title={say('editor.title')}>
      <div className="set" style={{ flexWrap: 'wrap' }}>
        <KeptField label={say('editor.command')} value={value} placeholder={say('editor.placeholder')} hint={say('editor.setting-about', { places: '{path} {line} {column}' })} faultOf={faultOf} onKeep={(text) => void onChange(text)} />
        <Button size="small" disabled={!words.ok || isTesting} title={say('editor.test-about')} onClick={() => { if (words.ok) void testEditor(words.value[0]) }}>{say('editor.test')}</Button>
      </div>
      {offers.length > 0 && (
        <div className="set" role="group" aria-label={say('editor.found')}>
          <span className="small dim">{say('editor.found')}</span>
          <span className="row" style={{ flexWrap: 'wrap' }}>{offers.filter(({ command }) => command !== value).map(({ name, command }) => <Button key={name} size="small" look="quiet" onClick={() => void onChange(command)}>{say('editor.use', { name })}</Button>)}</span>
        </div>
      )}
      {tested && <Note tone={tested.isOk ? 'ok' : 'bad'} role={tested.isOk ? 'status' : 'alert'}><Exact text={say.fact(tested.say)} className="wrap-any" /></Note>}
    </SettingCard>
  )
}
