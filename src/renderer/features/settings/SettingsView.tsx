import type { Said } from '../../../shared/domain/result'
import type { Settings } from '../../../shared/domain/settings'
import type { AppStart } from '../../../shared/ipc/views'
import { Button } from '../../ui/Button'
import { Choice, Segmented, Switch } from '../../ui/fields'
import { Exact } from '../../ui/Exact'
import { Chip, Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { BudgetSetting } from './BudgetSetting'
import { CeilingField } from './CeilingField'
import { EditorSetting } from './EditorSetting'
import { CompactionSetting } from './CompactionSetting'
import { SandboxSetting } from './SandboxSetting'
import { SearchAndWeb } from './SearchAndWeb'
import { NumberField } from './NumberField'
import { Setting, SettingCard } from './SettingCard'
import { SnapshotSetting } from './SnapshotSetting'

type SettingsChange = Partial<Pick<Settings, 'locale' | 'theme' | 'maxSteps' | 'sendWith' | 'reopenFolder' | 'keepsAwake' | 'commandSeconds' | 'retrieval' | 'web' | 'snapshots' | 'budget' | 'editorCommand' | 'compaction'>>

export interface SettingsViewProps {
  readonly settings: Settings
  readonly start: AppStart
  readonly faults: readonly Said[]
  /** Resolves when the main process has it. */
  readonly onChange: (change: SettingsChange) => Promise<void>
  /** Shows what of the opened folder takes part; null without a folder. */
  readonly onTrust: (() => void) | null
  readonly onTestSandbox: () => void
  /** To the page of permissions. */
  readonly onPermissions: () => void
}

/** Settings apply at once. Guards can be made stricter elsewhere, never off. */
export function SettingsView({ settings, start, faults, onChange, onTrust, onTestSandbox, onPermissions }: SettingsViewProps) {
  const say = useWords()
  return (
    <form className="page" aria-label={say('settings.title')} onSubmit={(event) => event.preventDefault()}>
      <div className="phead"><div><h1>{say('settings.title')}</h1><p>{say('settings.about')}</p></div></div>
      {faults.length > 0 && <div className="col" style={{ padding: '0 24px 12px', gap: 8 }}>{faults.map((fault, at) => <Note key={at} tone="bad" role="alert">{say.fact(fault)}</Note>)}</div>}
      <div className="setgrid">
        <div className="col" style={{ gap: 14 }}>
          <SettingCard title={say('settings.appearance')}>
            <Setting name={say('settings.language')}>
              <Choice label={say('settings.language')} value={settings.locale} onChange={(locale) => void onChange({ locale })} options={[{ value: 'system', label: say('settings.follow-system') }, { value: 'en', label: 'English' }, { value: 'zh-CN', label: '简体中文' }]} />
            </Setting>
            <Setting name={say('settings.theme')}>
              <Choice label={say('settings.theme')} value={settings.theme} onChange={(theme) => void onChange({ theme })} options={[{ value: 'system', label: say('settings.follow-system') }, { value: 'dark', label: say('settings.dark') }, { value: 'light', label: say('settings.light') }]} />
            </Setting>
          </SettingCard>
          <SettingCard title={say('settings.writing')}>
            <Setting name={say('settings.enter')} about={say('settings.enter-about')}>
              <Segmented label={say('settings.enter')} value={settings.sendWith} onChange={(sendWith) => void onChange({ sendWith })} options={[{ value: 'enter', label: say('settings.enter-sends') }, { value: 'mod-enter', label: say('settings.enter-breaks') }]} />
            </Setting>
          </SettingCard>
          <EditorSetting value={settings.editorCommand} onChange={(editorCommand) => onChange({ editorCommand })} />
          <SettingCard title={say('settings.start')}>
            <Setting name={say('settings.reopen')} about={say('settings.reopen-about')}>
              <Switch label={say('settings.reopen')} isOn={settings.reopenFolder} onChange={(reopenFolder) => void onChange({ reopenFolder })} hasWord={false} />
            </Setting>
            <Setting name={say('settings.awake')} about={say('settings.awake-about')}>
              <Switch label={say('settings.awake')} isOn={settings.keepsAwake} onChange={(keepsAwake) => void onChange({ keepsAwake })} hasWord={false} />
            </Setting>
          </SettingCard>
          <SettingCard title={say('settings.guards')}>
            <Setting name={say('settings.asks')} about={say('settings.asks-about')}><Chip>{say(`ui.level.${settings.askingLevel}`)}</Chip></Setting>
            <Setting name={say('settings.steps')} about={say('settings.steps-about')}><NumberField label={say('settings.steps')} value={settings.maxSteps} min={1} max={1000} onKeep={(maxSteps) => void onChange({ maxSteps })} /></Setting>
            <Setting name={say('settings.command-limit')} about={say('settings.command-limit-about')}><CeilingField label={say('settings.command-limit')} value={settings.commandSeconds} min={1} max={86_400} onKeep={(commandSeconds) => void onChange({ commandSeconds })} /></Setting>
            <Setting name={say('trust.setting')} about={say('trust.setting-about')}><Button size="small" disabled={onTrust === null} onClick={() => onTrust?.()}>{say('trust.setting-open')}</Button></Setting>
            <Setting name={say('permission.title')} about={say('permission.open-about')}><Button size="small" onClick={onPermissions}>{say('permission.open')}</Button></Setting>
            <SandboxSetting facts={start.sandbox} onTest={onTestSandbox} />
          </SettingCard>
        </div>
        <div className="col" style={{ gap: 14 }}>
          <SearchAndWeb retrieval={settings.retrieval} web={settings.web} onChange={onChange} />
          <BudgetSetting value={settings.budget} onChange={(budget) => void onChange({ budget })} />
          <CompactionSetting value={settings.compaction} onChange={(compaction) => void onChange({ compaction })} />
          <SnapshotSetting value={settings.snapshots} onChange={(snapshots) => void onChange({ snapshots })} />
          <SettingCard title={say('settings.data')}>
            <Setting name={<Exact text={start.dataFolder.path} className="mono wrap-any" />} about={start.dataFolder.setBy === null ? say('settings.data-about') : say('settings.data-set-by', { name: start.dataFolder.setBy })}>{null}</Setting>
            <Setting name={say('settings.version')}><span className="mono dim">{start.version}</span></Setting>
          </SettingCard>
        </div>
      </div>
    </form>
  )
}
