import { ChevronDown, Folder, FolderOpen, PanelRight, Search } from 'lucide-react'
import { Exact } from '../ui/Exact'
import { IconButton } from '../ui/Button'
import { keyName } from '../ui/keys'
import { AppMark } from '../ui/marks'
import { Menu } from '../ui/Menu'
import { useWords } from '../ui/words'
import { chooseFolder, openFolder, showPalette, toggleTimeline, useApp } from './appStore'

/** The mark, the project, the palette, the timeline's toggle. */
export function TitleBar() {
  const say = useWords()
  const workspace = useApp((state) => state.workspace)
  const recent = useApp((state) => state.start?.recent) ?? []
  const isTimelineOpen = useApp((state) => state.isTimelineOpen)
  return (
    <header className="title">
      <div className="row place">
      <AppMark /><span className="strong">{say('ui.name')}</span>
      {workspace && (
        <>
          <Menu
            trigger={<button type="button" className="btn quiet sm" style={{ color: 'var(--fg-1)', fontWeight: 600, fontSize: 13 }} aria-label={say('ui.project-menu', { name: workspace.name })}><Folder className="i" size={14} aria-hidden /><Exact text={workspace.name} /><ChevronDown className="i" size={14} aria-hidden /></button>}
            items={[
              { key: 'open', label: say('welcome.open-folder'), icon: FolderOpen, hint: keyName('Mod+O'), onChoose: () => void chooseFolder() },
              ...recent.filter((one) => one.root !== workspace.root).slice(0, 8).map((one) => ({ key: one.root, label: one.root, icon: Folder, isDisabled: !one.isThere, onChoose: () => void openFolder(one.root) })),
            ]}
          />
          <span className="small faint mono path cut" title={workspace.root}><Exact text={workspace.root} /></span>
        </>
      )}
      </div>
      <button type="button" className="cmdk" onClick={() => showPalette(true)}><Search className="i" size={14} aria-hidden /><span className="grow cut">{say('ui.search')}</span><kbd aria-hidden>{keyName('Mod+K')}</kbd></button>
      {workspace && <span className="end"><IconButton icon={PanelRight} label={say('ui.toggle-timeline')} keys={keyName('Mod+J')} aria-pressed={isTimelineOpen} onClick={toggleTimeline} /></span>}
    </header>
  )
}
