import { FileSearch } from 'lucide-react'
import { useId, useState, type KeyboardEvent } from 'react'
import { readPlaceQuery } from '../../../shared/domain/fuzzyPath'
import { Dialog } from '../../ui/Dialog'
import { Exact } from '../../ui/Exact'
import { isComposing } from '../../ui/keys'
import { useWords } from '../../ui/words'
import { closeFinder, openFile, typeName, useFiles, type Finder } from './fileStore'

const listed = 40

/** Files by name: Mod+P. A line may follow, `client.ts:40`. */
export function FileFinder() {
  const say = useWords()
  const finder = useFiles((state) => state.finder)
  return <Dialog name={say('files.finder')} isOpen={finder !== null} onClose={closeFinder}>{finder && <Body finder={finder} />}</Dialog>
}

function Body({ finder }: { readonly finder: Finder }) {
  const say = useWords()
  const list = useId()
  const [at, setAt] = useState(0)
  const { typed, found, fault } = finder
  const paths = found?.paths.slice(0, listed) ?? []
  const chosen = Math.min(at, paths.length - 1)
  const open = (path: string | undefined): void => {
    if (path === undefined) return
    const { line, column } = readPlaceQuery(typed)
    closeFinder()
    // After the box gave the focus back, so that the viewer may take it.
    requestAnimationFrame(() => void openFile({ path, line, column }))
  }
  const onKey = (event: KeyboardEvent): void => {
    if (isComposing(event)) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setAt(Math.max(0, Math.min(paths.length - 1, chosen + step)))
    }
    if (event.key === 'Enter') open(paths[chosen])
  }
  return (
    <>
      <div className="pal-in">
        <FileSearch className="i" size={16} aria-hidden />
        <input role="combobox" aria-expanded aria-controls={list} aria-activedescendant={paths[chosen] && `${list}${chosen}`} aria-label={say('files.finder-input')} placeholder={say('files.finder-input')} value={typed} onChange={(event) => { void typeName(event.target.value); setAt(0) }} onKeyDown={onKey} />
      </div>
      <ul id={list} role="listbox" aria-label={say('files.finder')} className="pal">
        {paths.map((path, index) => <Row key={path} id={`${list}${index}`} path={path} isChosen={index === chosen} onPoint={() => setAt(index)} onOpen={() => open(path)} />)}
      </ul>
      <p className="small dim" role="status" style={{ padding: '8px 18px 12px' }}>{fault ? say.fact(fault) : found && aboutFound(found.total, paths.length)}{found?.isCut === true && ` ${say('files.cut', { count: 200_000 })}`}</p>
    </>
  )

  function aboutFound(total: number, shown: number): string {
    return total === 0 ? say('files.none') : total > shown ? say('files.first', { shown, total }) : ''
  }
}

function Row({ id, path, isChosen, onPoint, onOpen }: { readonly id: string; readonly path: string; readonly isChosen: boolean; readonly onPoint: () => void; readonly onOpen: () => void }) {
  const slash = path.lastIndexOf('/') + 1
  return (
    <li id={id} role="option" aria-label={path} aria-selected={isChosen} title={path} onMouseMove={onPoint} onClick={onOpen}>
      <span className="nowrap"><Exact text={path.slice(slash)} /></span>
      <span className="small faint cut grow"><Exact text={path.slice(0, Math.max(0, slash - 1))} className="mono" /></span>
    </li>
  )
}
