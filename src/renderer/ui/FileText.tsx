import { FileText as FileIcon } from 'lucide-react'
import { Fragment, useContext, type ReactNode } from 'react'
import { IconButton } from './Button'
import { Exact, Readable } from './Exact'
import { FileLinksContext, TextOriginContext, useNamedFiles, type NamedPlace } from './fileLinks'
import { useWords } from './words'

interface FileTextProps {
  readonly text: string
  /** How hidden characters are drawn: as in what is signed, or as in what is read. */
  readonly area?: 'exact' | 'prose' | 'code'
  readonly className?: string
}

/** Text from outside in which every place of a file of the opened folder can be opened. */
export function FileText({ text, area = 'exact', className }: FileTextProps) {
  const files = useNamedFiles(text)
  const draw = (piece: string): ReactNode => (piece === '' ? null : area === 'exact' ? <Exact text={piece} {...(className === undefined ? {} : { className })} /> : <Readable text={piece} area={area} />)
  if (files.length === 0) return draw(text)
  return (
    <>
      {files.map((place, at) => (
        <Fragment key={place.start}>
          {draw(text.slice(at === 0 ? 0 : (files[at - 1]?.end ?? 0), place.start))}
          <FileButton place={place}>{draw(text.slice(place.start, place.end))}</FileButton>
        </Fragment>
      ))}
      {draw(text.slice(files.at(-1)?.end ?? 0))}
    </>
  )
}

/** Opens a file as it is on disk now; nothing where no folder is open. */
export function OpenFileButton({ path }: { readonly path: string }) {
  const say = useWords()
  const links = useContext(FileLinksContext)
  return links && <IconButton icon={FileIcon} label={say('files.open', { path })} onClick={() => links.open({ path, line: null, column: null }, { base: null, seq: null })} />
}

/** One place, to be opened. */
function FileButton({ place, children }: { readonly place: NamedPlace; readonly children: ReactNode }) {
  const say = useWords()
  const links = useContext(FileLinksContext)
  const origin = useContext(TextOriginContext)
  const path = links?.known(place.path, origin.base) ?? place.path
  const name = place.line === null ? say('files.open', { path }) : say('files.open-at', { path, line: place.line })
  return <button type="button" className="filelink" title={name} onClick={() => links?.open({ ...place, path }, origin)}>{children}</button>
}
