import { useMemo, type ReactNode } from 'react'
import { placesIn } from '../../shared/domain/filePlaces'
import type { Said } from '../../shared/domain/result'
import { FileFinder } from '../features/files/FileFinder'
import { openFile, openInEditor, showInFolder, useFiles, type Moment } from '../features/files/fileStore'
import { FileViewer } from '../features/files/FileViewer'
import { places } from '../features/files/placeStore'
import { endOfTurn } from '../features/timeline/timelineRows'
import { lookAt, select, useTimeline } from '../features/timeline/timelineStore'
import { useWork } from '../features/work/workStore'
import { FileLinksContext, type FileLinks } from '../ui/fileLinks'
import { go, tellFault, useApp } from './appStore'
import { factsOf } from './pastFacts'

/** The end of the turn that a place of the conversation belongs to, where a snapshot is known from then. */
export function momentAt(seq: number | null): Moment | null {
  const { current, chats } = useWork.getState()
  const chat = current === null ? undefined : chats[current]
  if (!chat || seq === null) return null
  const own = chat.items.findLast((item) => item.kind === 'user' && item.seq <= seq)
  const turn = own?.kind === 'user' ? factsOf(chat).turns.find((one) => one.turnId === own.turnId) : undefined
  const id = turn && endOfTurn(useTimeline.getState().timeline, turn)
  return turn && id ? { id, turn: turn.number } : null
}

function tell(act: Promise<Said | null>): void {
  void act.then((fault) => { if (fault !== null) tellFault(fault) })
}

const links: FileLinks = {
  placesIn,
  known: (name, base) => places.known(name, base),
  want: (names, base) => places.want(names, base),
  subscribe: (listener) => places.subscribe(listener),
  version: () => places.version(),
  open: ({ path, line, column }, { seq }) => void openFile({ path, line, column }, momentAt(seq)),
  openInEditor: (path) => tell(openInEditor({ path, line: null, column: null })),
  showInFolder: (path) => tell(showInFolder(path)),
}

/** Lets every text below name files of the opened folder. */
export function FileLinksOf({ children }: { readonly children: ReactNode }) {
  const hasFolder = useApp((state) => state.workspace !== null)
  const value = useMemo(() => (hasFolder ? links : null), [hasFolder])
  return <FileLinksContext.Provider value={value}>{children}</FileLinksContext.Provider>
}

/** The viewer and the box that finds files, over whatever page is open. */
export function FileDialogs() {
  const isShown = useFiles((state) => state.shown !== null || state.finder !== null)
  if (!isShown) return null
  return (
    <>
      <FileFinder />
      <FileViewer onCompare={(moment) => { go('timeline'); select(null); void lookAt(moment, null, 'compare') }} />
    </>
  )
}
