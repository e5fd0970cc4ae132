import { Boxes, Brain, FileSearch, Folder, FolderLock, GitCompare, GraduationCap, History, Languages, MessagesSquare, OctagonX, PanelLeft, PanelRight, Plus, Search, Scale, ScrollText, Server, Settings, ShieldCheck, Square, SunMoon, Undo2, type LucideIcon, Gauge } from 'lucide-react'
import { askingLevels } from '../../shared/domain/session'
import { showFinder } from '../features/files/fileStore'
import { beginAdding } from '../features/memory/memoryStore'
import { startRule } from '../features/rules/ruleStore'
import { addServer, showDialog, useServers } from '../features/servers/serverStore'
import { showTrust } from '../features/trust/trustStore'
import { openFind } from '../features/work/findStore'
import { selectSession, setLevel, startNewSession, stopTurn, useWork } from '../features/work/workStore'
import { keyName } from '../ui/keys'
import { useWords, type Speaker } from '../ui/words'
import { changeSettings, chooseFolder, go, toggleSessions, toggleTimeline, useApp, verifyRecord } from './appStore'
import { stopAll } from './stopAll'
import { compareMoments, findFile, lastTurnWish, openPlan } from './wishes'

export interface Command {
  readonly key: string
  readonly icon: LucideIcon
  readonly label: string
  /** What it does first, where that matters. */
  readonly about?: string
  readonly keys?: string
  readonly run: () => void
}

/** Every command that exists now. */
export function useCommands(): readonly Command[] {
  const say = useWords()
  const hasFolder = useApp((state) => state.workspace !== null)
  const sessions = useWork((state) => state.sessions)
  const isFileBroken = useServers((state) => state.page?.fault != null)
  const everywhere: readonly Command[] = [
    { key: 'stop-all', icon: OctagonX, label: say('run.stop-all'), about: say('run.stop-all-about'), run: () => void stopAll() },
    { key: 'open', icon: Folder, label: say('welcome.open-folder'), keys: keyName('Mod+O'), run: () => void chooseFolder() },
    { key: 'servers', icon: Server, label: say('ui.go', { page: say('ui.page.servers') }), keys: keyName('Mod+4'), run: () => go('servers') },
    { key: 'skills', icon: GraduationCap, label: say('ui.go', { page: say('ui.page.skills') }), keys: keyName('Mod+5'), run: () => go('skills') },
    ...(isFileBroken ? [] : serverCommands(say)),
    { key: 'audit', icon: ScrollText, label: say('ui.go', { page: say('ui.page.audit') }), keys: keyName('Mod+6'), run: () => go('audit') },
    { key: 'models', icon: Boxes, label: say('ui.go', { page: say('ui.page.models') }), keys: keyName('Mod+7'), run: () => go('models') },
    { key: 'usage', icon: Gauge, label: say('ui.go', { page: say('ui.page.usage') }), keys: keyName('Mod+8'), run: () => go('usage') },
    { key: 'settings', icon: Settings, label: say('ui.go', { page: say('ui.page.settings') }), keys: keyName('Mod+,'), run: () => go('settings') },
    { key: 'permissions', icon: Scale, label: say('ui.go', { page: say('permission.title') }), about: say('permission.open-about'), run: () => go('permissions') },
    { key: 'rule-new', icon: Plus, label: say('permission.new'), run: () => { startRule(); go('permissions') } },
    { key: 'dark', icon: SunMoon, label: say('ui.set-theme', { theme: say('settings.dark') }), run: () => void changeSettings({ theme: 'dark' }) },
    { key: 'light', icon: SunMoon, label: say('ui.set-theme', { theme: say('settings.light') }), run: () => void changeSettings({ theme: 'light' }) },
    { key: 'en', icon: Languages, label: 'English', about: say('ui.set-language'), run: () => void changeSettings({ locale: 'en' }) },
    { key: 'zh', icon: Languages, label: '简体中文', about: say('ui.set-language'), run: () => void changeSettings({ locale: 'zh-CN' }) },
    { key: 'verify', icon: ShieldCheck, label: say('ui.verify'), run: () => void verifyRecord() },
  ]
  if (!hasFolder) return everywhere
  return [
    { key: 'new', icon: Plus, label: say('session.new'), keys: keyName('Mod+N'), run: () => { startNewSession(); go('work') } },
    { key: 'stop', icon: Square, label: say('session.stop-turn'), keys: 'Esc', run: () => void stopTurn() },
    { key: 'work', icon: MessagesSquare, label: say('ui.go', { page: say('ui.page.work') }), keys: keyName('Mod+1'), run: () => go('work') },
    { key: 'timeline', icon: History, label: say('ui.go', { page: say('ui.page.timeline') }), keys: keyName('Mod+2'), run: () => go('timeline') },
    { key: 'open-file', icon: FileSearch, label: say('files.finder'), keys: keyName('Mod+P'), run: showFinder },
    { key: 'find', icon: Search, label: say('find.bar'), keys: keyName('Mod+F'), run: () => { go('work'); openFind() } },
    { key: 'find-file', icon: FileSearch, label: say('timeline.cmd-find'), about: say('ui.page.timeline'), run: findFile },
    { key: 'compare', icon: GitCompare, label: say('timeline.cmd-compare'), about: say('ui.page.timeline'), run: compareMoments },
    { key: 'memory', icon: Brain, label: say('ui.go', { page: say('ui.page.memory') }), keys: keyName('Mod+3'), run: () => go('memory') },
    { key: 'memory-add', icon: Plus, label: say('memory.add'), run: () => { beginAdding(); go('memory') } },
    { key: 'back-turn', icon: Undo2, label: say('ui.roll-back-turn'), about: say('ui.plan-first'), run: () => { const wish = lastTurnWish(); if (wish) openPlan(wish, say) } },
    ...askingLevels.map((level): Command => ({ key: level, icon: ShieldCheck, label: say('ui.set-level', { level: say(`ui.level.${level}`) }), about: say(`ui.level-hint.${level}`), run: () => void setLevel(level) })),
    { key: 'trust', icon: FolderLock, label: say('trust.title'), run: showTrust },
    { key: 'sessions', icon: PanelLeft, label: say('ui.toggle-sessions'), keys: keyName('Mod+B'), run: toggleSessions },
    { key: 'pane', icon: PanelRight, label: say('ui.toggle-timeline'), keys: keyName('Mod+J'), run: toggleTimeline },
    ...everywhere,
    ...sessions.filter((row) => row.deletedAtMs === null).map((row): Command => ({ key: row.id, icon: MessagesSquare, label: row.title, about: say('session.one'), run: () => { void selectSession(row.id); go('work') } })),
  ]
}

/** Ways to add a server; each leads to the page first. */
function serverCommands(say: Speaker): readonly Command[] {
  const onPage = (run: () => void) => () => { go('servers'); run() }
  return [
    { key: 'server-add', icon: Plus, label: say('servers.add'), about: say('servers.add.command'), run: onPage(() => addServer({ transport: 'stdio' })) },
    { key: 'server-address', icon: Plus, label: say('servers.add'), about: say('servers.add.address'), run: onPage(() => addServer({ transport: 'http' })) },
    { key: 'server-paste', icon: Server, label: say('servers.paste-title'), about: say('servers.dry-run'), run: onPage(() => showDialog('paste')) },
    { key: 'server-import', icon: Server, label: say('servers.import-title'), about: say('servers.dry-run'), run: onPage(() => showDialog('import')) },
  ]
}
