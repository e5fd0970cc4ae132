import { ArrowRight, Box, Check, FlaskConical, Folder, Info, KeyRound, ScrollText, ShieldCheck, Undo2, type LucideIcon } from 'lucide-react'
import { useState, type DragEvent, type ReactNode } from 'react'
import type { AppStart } from '../../../shared/ipc/views'
import { Button } from '../../ui/Button'
import { PathText } from '../../ui/Exact'
import { keyName } from '../../ui/keys'
import { AppMark } from '../../ui/marks'
import { Chip, Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import type { Said } from '../../../shared/domain/result'

export interface WelcomeViewProps {
  readonly start: AppStart
  /** A model server found on this computer: its name and models. */
  readonly found: { readonly name: string; readonly model: string } | null
  readonly hasKey: boolean
  readonly fault: Said | null
  readonly isOpening: boolean
  readonly onPractise: () => void
  readonly onUseFound: () => void
  readonly onChooseProvider: () => void
  readonly onChooseFolder: () => void
  readonly onOpenFolder: (root: string) => void
  readonly onDropFile: (file: File) => void
}

const promises = [{ icon: ShieldCheck, code: 'approvable' }, { icon: Undo2, code: 'revertible' }, { icon: ScrollText, code: 'auditable' }] as const

/** First start: practise, use what is here, or bring a key; then a folder. */
export function WelcomeView(props: WelcomeViewProps) {
  const say = useWords()
  const { start, found, fault } = props
  return (
    <div className="page" style={{ alignItems: 'center' }}>
      <div style={{ width: '100%', maxWidth: 968, padding: '24px', margin: 'auto' }}>
        <div className="row" style={{ gap: 14, marginBottom: 8 }}><AppMark isBig /><h1 style={{ fontSize: 26, lineHeight: '34px', fontWeight: 600 }}>{say('welcome.title')}</h1></div>
        <p className="dim" style={{ fontSize: 14, lineHeight: '22px', marginBottom: 26 }}>{say('welcome.about')}</p>
        {fault && <div style={{ marginBottom: 16 }}><Note tone="bad" role="alert">{say.fact(fault)}</Note></div>}
        <ul className="cards3" style={{ gap: 24, marginBottom: 28 }}>
          {promises.map(({ icon: Icon, code }) => <li key={code} className="row" style={{ alignItems: 'flex-start', gap: 12 }}><Icon className="i t-you" size={16} aria-hidden /><div><h2 className="strong">{say(`welcome.${code}`)}</h2><p className="dim">{say(`welcome.${code}-about`)}</p></div></li>)}
        </ul>
        <div className="cards3" style={{ marginBottom: 22 }}>
          <WayIn icon={FlaskConical} title={say('welcome.practise')} chip={<Chip tone="you">{say('welcome.no-key-needed')}</Chip>} about={say('welcome.practise-about')} isFirst>
            <Button look="primary" size="large" icon={ArrowRight} disabled={props.isOpening} onClick={props.onPractise}>{say('welcome.start-practice')}</Button>
          </WayIn>
          {found && (
            <WayIn icon={Box} title={found.name} chip={<Chip tone="ok"><Check size={12} aria-hidden />{say('welcome.running')}</Chip>} about={say('welcome.found-about', { model: found.model })}>
              <Button size="large" onClick={props.onUseFound}>{say('provider.use')}</Button>
            </WayIn>
          )}
          <WayIn icon={KeyRound} title={say('welcome.key')} chip={<Chip {...(props.hasKey ? { tone: 'ok' as const } : {})}>{say(props.hasKey ? 'welcome.key-there' : 'welcome.none-yet')}</Chip>} about={say('welcome.key-about')}>
            <Button size="large" onClick={props.onChooseProvider}>{say('welcome.choose-provider')}</Button>
          </WayIn>
        </div>
        <FolderDrop {...props} />
        {start.recent.length > 0 && (
          <div style={{ marginTop: 16 }}>
            <h2 className="small faint">{say('welcome.recent')}</h2>
            <ul>{start.recent.map((one) => (
              <li key={one.root}><button type="button" className="prov" style={{ margin: 0, width: '100%' }} disabled={!one.isThere || props.isOpening} onClick={() => props.onOpenFolder(one.root)}>
                <Folder className="i faint" size={14} aria-hidden /><span className="row"><PathText path={one.root} limit={80} />{!one.isThere && <span className="end small t-warn">{say('welcome.folder-gone')}</span>}</span>
              </button></li>
            ))}</ul>
          </div>
        )}
        <p className="row small faint" style={{ marginTop: 16, alignItems: 'flex-start' }}><Info className="i" size={14} aria-hidden />{say(`welcome.sandbox-${start.sandbox.kind}`)}</p>
      </div>
    </div>
  )
}

interface WayInProps {
  readonly icon: LucideIcon
  readonly title: string
  readonly chip: ReactNode
  readonly about: string
  readonly isFirst?: boolean
  readonly children: ReactNode
}

function WayIn({ icon: Icon, title, chip, about, isFirst = false, children }: WayInProps) {
  return (
    <section className="card col" style={{ padding: '18px 20px', gap: 8, ...(isFirst ? { borderColor: 'var(--accent-line)' } : {}) }}>
      <div className="row"><Icon className="i" size={16} aria-hidden /><h2 className="strong" style={{ fontSize: 15 }}>{title}</h2><span className="end">{chip}</span></div>
      <p className="dim grow">{about}</p>
      <div>{children}</div>
    </section>
  )
}

function FolderDrop({ isOpening, onChooseFolder, onDropFile }: WelcomeViewProps) {
  const say = useWords()
  const [isOver, setIsOver] = useState(false)
  const onDrop = (event: DragEvent): void => {
    event.preventDefault()
    setIsOver(false)
    const [file] = event.dataTransfer.files
    if (file) onDropFile(file)
  }
  return (
    <div className="row drop" data-over={isOver} onDragOver={(event) => { event.preventDefault(); setIsOver(true) }} onDragLeave={() => setIsOver(false)} onDrop={onDrop}>
      <Folder className="i" size={16} aria-hidden />
      <div className="grow"><div className="med">{say('welcome.open')}</div><div className="small dim">{say('welcome.open-about')}</div></div>
      <kbd>{keyName('Mod+O')}</kbd>
      <Button disabled={isOpening} onClick={onChooseFolder}>{say('welcome.open-folder')}</Button>
    </div>
  )
}
