import { Brain, Ellipsis, Plus } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import type { Memory } from '../../../shared/domain/memory'
import { Button } from '../../ui/Button'
import { Menu } from '../../ui/Menu'
import { Empty, Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { AddForm } from './AddForm'
import { exportFile, importFile } from './memoryActs'
import { MemoryDialogs } from './MemoryDialogs'
import { MemoryTable } from './MemoryTable'
import { beginAdding, reload, setQuery, setShown, stopReading, useMemories, type MemoryState } from './memoryStore'
import { Tools } from './MemoryTools'
import { SelectionBar } from './SelectionBar'
import { DraftLine, UnsavedEdits } from './UnsavedEdits'

export interface MemoryViewProps {
  readonly hasFolder: boolean
  /** What the agent proposes to remember, above the table. */
  readonly proposals: ReactNode
  readonly onChangeDraft: () => void
  readonly onOpenFolder: () => void
  readonly onOpenSource: (memory: Memory) => void
}

/** The long-term memory of the project and the general one: searched, sorted, edited, and what of it would go to the model (R33 to R40). */
export function MemoryView({ hasFolder, proposals, onChangeDraft, onOpenFolder, onOpenSource }: MemoryViewProps) {
  const say = useWords()
  if (!hasFolder) return <div className="page"><Empty icon={Brain} action={<Button look="primary" onClick={onOpenFolder}>{say('welcome.open-folder')}</Button>}>{say('memory.no-folder')}</Empty></div>
  return (
    <div className="page memory">
      <Header />
      <Tools />
      <DraftLine onChange={onChangeDraft} />
      {proposals}
      <AddForm />
      <UnsavedEdits />
      <Body onOpenSource={onOpenSource} />
      <SelectionBar />
      <MemoryDialogs />
    </div>
  )
}

function Header() {
  const say = useWords()
  const shown = useMemories((state) => state.shown)
  const counts = useMemories((state) => state.head?.counts)
  const scopes = (['project', 'general'] as const).filter((scope) => shown === 'all' || shown === scope)
  const hint = shown === 'project' || shown === 'general' ? say(`memory.scope.${shown}`) : ''
  return (
    <div className="phead">
      <div className="grow"><h1>{say('ui.page.memory')}</h1><p>{say('memory.about')}</p></div>
      <Menu trigger={<button type="button" className="btn quiet">{say('memory.import')}</button>} items={(['project', 'general'] as const).map((scope) => ({ key: scope, label: say(`memory.import.${scope}`), onChoose: () => void importFile(scope) }))} />
      <Menu trigger={<button type="button" className="btn quiet">{say('memory.export')}</button>} items={(['json', 'markdown'] as const).map((format) => ({ key: format, label: say(`memory.export.${format}`), hint, onChoose: () => void exportFile(format) }))} />
      {scopes.length > 0 && (
        <Menu
          trigger={<button type="button" className="btn quiet ic" aria-label={say('memory.more')} title={say('memory.more')}><Ellipsis className="i" size={14} aria-hidden /></button>}
          items={scopes.map((scope) => ({ key: scope, label: say(`memory.clear.${scope}`), isDisabled: (counts?.[scope] ?? 0) === 0, onChoose: () => useMemories.setState({ dialog: { kind: 'clear', scope, isAgain: false } }) }))}
        />
      )}
      <Button look="primary" icon={Plus} onClick={beginAdding}>{say('memory.add')}</Button>
    </div>
  )
}

function Body({ onOpenSource }: { readonly onOpenSource: (memory: Memory) => void }) {
  const say = useWords()
  const { head, progress } = useMemories()
  if (progress === 'failed') return <div className="memscroll"><Note tone="bad" role="alert" actions={<Button size="small" onClick={() => void reload()}>{say('memory.again')}</Button>}>{say('memory.failed')}</Note></div>
  if (head === null) return <Reading />
  if (head.total === 0 && progress === 'read') return <Nothing />
  return <MemoryTable onOpenSource={onOpenSource} />
}

const slowMs = 10_000

/** Rows of the final height, seen only when it takes a moment; after ten seconds why, and a way out. */
function Reading() {
  const say = useWords()
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), slowMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="memscroll" aria-busy aria-label={say('memory.reading')} role="status">
      {isSlow && <Note tone="info" actions={<Button size="small" onClick={stopReading}>{say('ui.cancel')}</Button>}>{say('memory.slow')}</Note>}
      <div className="card memcard">{Array.from({ length: 8 }, (_, at) => <div key={at} className="skelrow"><span className="skeleton" /></div>)}</div>
    </div>
  )
}

function Nothing() {
  const say = useWords()
  const { query, shown } = useMemories()
  const words = emptyWords({ query, shown })
  const action = query.trim() !== '' || shown !== 'all'
    ? <Button onClick={() => { setQuery(''); setShown('all') }}>{say('memory.show-all')}</Button>
    : <Button onClick={() => useMemories.setState({ adding: { text: '', scope: 'project', fault: null } })}>{say('memory.add')}</Button>
  return <Empty icon={Brain} action={action}>{say(words, { query: query.trim() })}</Empty>
}

function emptyWords({ query, shown }: Pick<MemoryState, 'query' | 'shown'>) {
  if (query.trim() !== '') return 'memory.none-found'
  return shown === 'all' ? 'memory.none' : `memory.none-${shown}` as const
}
