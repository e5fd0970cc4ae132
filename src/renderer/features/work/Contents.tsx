import { ExternalLink, File, Link2 } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import type { Said } from '../../../shared/domain/result'
import type { ToolContent } from '../../../shared/domain/tool'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Exact } from '../../ui/Exact'
import { Lazily } from '../../ui/Lazily'
import { sizeText } from '../../ui/sizeText'
import { useWords, type Speaker } from '../../ui/words'
import { readContent } from './contentStore'
import { openLink } from './workStore'

type Stored = Exclude<ToolContent, { readonly kind: 'link' }>

interface ContentsProps {
  readonly content: readonly ToolContent[]
  readonly server: string
  /** A closed row shows its pictures and leaves the rest for when it is opened. */
  readonly onlyPictures?: boolean
}

/** What came besides text. Bytes are read when they come into view; an address is opened by nothing but the person's click. */
export function Contents({ content, server, onlyPictures = false }: ContentsProps) {
  const say = useWords()
  const shown = content.filter((one) => !onlyPictures || one.kind === 'image')
  if (shown.length === 0) return null
  return <ul className="pieces" aria-label={say('session.contents')}>{shown.map((one, at) => <li key={at}><One content={one} server={server} /></li>)}</ul>
}

function One({ content, server }: { readonly content: ToolContent; readonly server: string }) {
  const say = useWords()
  switch (content.kind) {
    case 'image': return <Picture content={content} name={nameOf(content, server, say)} />
    case 'audio': return <Sound content={content} name={nameOf(content, server, say)} />
    case 'file': return <Line icon={<File className="i" size={14} aria-hidden />}><Exact text={nameOf(content, server, say)} className="wrap-any" /> <Facts content={content} /></Line>
    case 'link': return <Address content={content} />
  }
}

function nameOf(content: Stored, server: string, say: Speaker): string {
  return content.name === '' ? say(`session.content.${content.kind}`, { server }) : content.name
}

function Line({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return <div className="contentline">{icon}<div className="grow">{children}</div></div>
}

function Facts({ content }: { readonly content: Stored }) {
  const say = useWords()
  return <span className="small faint"><Exact text={content.mimeType} /> · {sizeText(content.sizeBytes, say)}</span>
}

/** Larger ones are read when the person asks. */
const readUnasked = 8_000_000
const mimeForm = /^(?:image|audio)\/[\w.+-]+$/

type Reading = { readonly kind: 'none' | 'broken' } | { readonly kind: 'there'; readonly src: string } | { readonly kind: 'fault'; readonly say: Said }

/** Reads bytes once they are wanted; `broken` is for the page to say when it cannot draw them. */
function useSource(content: Stored, isWanted: boolean): readonly [Reading, () => void] {
  const [reading, setReading] = useState<Reading>({ kind: 'none' })
  const { ref, mimeType } = content
  useEffect(() => {
    if (!isWanted) return
    let isHere = true
    void readContent(ref).then((result) => {
      if (!isHere) return
      if (!result.ok) setReading({ kind: 'fault', say: result.fault })
      else setReading(mimeForm.test(mimeType) ? { kind: 'there', src: `data:${mimeType};base64,${result.value}` } : { kind: 'broken' })
    })
    return () => { isHere = false }
  }, [ref, mimeType, isWanted])
  return [reading, () => setReading({ kind: 'broken' })]
}

interface BytesProps {
  readonly content: Stored
  readonly name: string
}

function Picture(props: BytesProps) {
  return <Lazily className="picture">{(isNear) => <Bytes {...props} isNear={isNear} draw={(src, onBroken) => <Drawn src={src} name={props.name} onBroken={onBroken} />} />}</Lazily>
}

function Sound(props: BytesProps) {
  return <Lazily className="sound">{(isNear) => <Bytes {...props} isNear={isNear} draw={(src, onBroken) => <audio controls src={src} aria-label={props.name} onError={onBroken} />} />}</Lazily>
}

function Bytes({ content, name, isNear, draw }: BytesProps & { readonly isNear: boolean; readonly draw: (src: string, onBroken: () => void) => ReactNode }) {
  const say = useWords()
  const [isAsked, setIsAsked] = useState(false)
  const isLarge = content.sizeBytes > readUnasked && !isAsked
  const [reading, onBroken] = useSource(content, isNear && !isLarge)
  return (
    <>
      {reading.kind === 'there' && draw(reading.src, onBroken)}
      {reading.kind === 'none' && (isLarge ? <Button size="small" onClick={() => setIsAsked(true)}>{say('session.content.show', { size: sizeText(content.sizeBytes, say) })}</Button> : <span className="small faint">{say('session.content.loading')}</span>)}
      {reading.kind === 'fault' && <span className="small t-bad">{say.fact(reading.say)}</span>}
      {reading.kind === 'broken' && <span className="small t-bad">{say(content.kind === 'audio' ? 'session.content.bad-audio' : 'session.content.bad-image', { type: content.mimeType })}</span>}
      <div className="small dim wrap-any"><Exact text={name} /> <Facts content={content} /></div>
    </>
  )
}

/** A picture in bounded room; a click shows it as large as the window has room. */
function Drawn({ src, name, onBroken }: { readonly src: string; readonly name: string; readonly onBroken: () => void }) {
  const say = useWords()
  const [isLarge, setIsLarge] = useState(false)
  const close = (): void => setIsLarge(false)
  return (
    <>
      <button type="button" className="thumb" aria-label={say('session.content.enlarge', { name })} onClick={() => setIsLarge(true)}><img src={src} alt={name} draggable={false} onError={onBroken} /></button>
      <Dialog name={name} isOpen={isLarge} isWide onClose={close}>
        <div className="enlarged"><img src={src} alt={name} draggable={false} /></div>
        <div className="row" style={{ padding: '8px 14px' }}><span className="small dim grow cut"><Exact text={name} /></span><Button size="small" onClick={close}>{say('ui.close')}</Button></div>
      </Dialog>
    </>
  )
}

function Address({ content }: { readonly content: Extract<ToolContent, { readonly kind: 'link' }> }) {
  const say = useWords()
  const isWeb = /^https:\/\//i.test(content.uri) || /^mailto:/i.test(content.uri)
  return (
    <Line icon={<Link2 className="i" size={14} aria-hidden />}>
      {content.name !== '' && <div className="wrap-any"><Exact text={content.name} /></div>}
      <div className="mono wrap-any"><Exact text={content.uri} /></div>
      {content.description !== '' && <div className="small dim wrap-any"><Exact text={content.description} /></div>}
      {isWeb ? <Button size="small" look="quiet" icon={ExternalLink} onClick={() => openLink(content.uri)}>{say('session.link.open')}</Button> : <div className="small faint">{say('session.link.inert')}</div>}
    </Line>
  )
}
