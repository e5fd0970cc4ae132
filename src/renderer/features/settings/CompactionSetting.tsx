import type { CompactionSettings } from '../../../shared/domain/settings'
import { Segmented, Switch } from '../../ui/fields'
import { useWords } from '../../ui/words'
import { ModelPick } from './ModelPick'
import { NumberField } from './NumberField'
import { Setting, SettingCard } from './SettingCard'

/** When and how old turns become a summary (R24, R27, R33). */
export function CompactionSetting({ value, onChange }: { readonly value: CompactionSettings; readonly onChange: (value: CompactionSettings) => void }) {
  const say = useWords()
  const keep = (change: Partial<CompactionSettings>): void => onChange({ ...value, ...change })
  return (
    <SettingCard title={say('settings.compaction')}>
      <Setting name={say('settings.compaction-at')} about={say('settings.compaction-at-about')}>
        <span className="row"><NumberField label={say('settings.compaction-at')} value={Math.round(value.atShare * 100)} min={30} max={95} onKeep={(percent) => keep({ atShare: percent / 100 })} /><span className="small dim">%</span></span>
      </Setting>
      <Setting name={say('settings.compaction-turns')} about={say('settings.compaction-turns-about')}><NumberField label={say('settings.compaction-turns')} value={value.keepTurns} min={1} max={50} onKeep={(keepTurns) => keep({ keepTurns })} /></Setting>
      <Setting name={say('settings.compaction-how')} about={say(`settings.compaction-how-about.${value.strategy}`)}>
        <Segmented label={say('settings.compaction-how')} value={value.strategy} onChange={(strategy) => keep({ strategy })} options={[{ value: 'once', label: say('settings.compaction-how.once') }, { value: 'groups', label: say('settings.compaction-how.groups') }]} />
      </Setting>
      <ModelPick name={say('settings.compaction-model')} about={say('provider.role.summary-about')} value={value.choice} onChange={(choice) => keep({ choice })} />
      <Setting name={say('settings.compaction-memory')} about={say('settings.compaction-memory-about')}><Switch label={say('settings.compaction-memory')} isOn={value.proposesMemory} onChange={(proposesMemory) => keep({ proposesMemory })} hasWord={false} /></Setting>
    </SettingCard>
  )
}
