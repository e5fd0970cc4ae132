import { Check, Folder, Link } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Exact, PathText } from '../../ui/Exact'
import { Note } from '../../ui/parts'
import { usePointerGuard } from '../../ui/pointerGuard'
import { useArming } from '../../ui/useArming'
import { useWords } from '../../ui/words'
import { FoundList } from './FoundList'
import { FoundText } from './FoundText'
import { goOnWithout, keyOf, shownItems, trustTicked, useTrust } from './trustStore'

/** The dialog "Trust this folder" (SECURITY decision 12): what the opened folder brings, and the question what of it may take part. */
export function TrustDialog({ name, onCloseFolder }: { readonly name: string; readonly onCloseFolder: () => void }) {
  const say = useWords()
  const open = useTrust((state) => state.open)
  const findings = useTrust((state) => state.findings)
  if (findings === null || open === null) return null
  return (
    <Dialog name={say('trust.title')} isOpen isAsking className="trustdialog" onClose={() => void goOnWithout()}>
      <Content name={name} onCloseFolder={onCloseFolder} />
    </Dialog>
  )
}

function Content({ name, onCloseFolder }: { readonly name: string; readonly onCloseFolder: () => void }) {
  const say = useWords()
  const state = useTrust()
  const { findings, open, ticked, selected, fault } = state
  const items = shownItems(state)
  const whole = useRef<HTMLDivElement>(null)
  // All that would be answered: another tick, or another content, begins anew.
  const arm = useArming(whole, JSON.stringify([open, items.map(keyOf), [...ticked]]))
  const isFirst = items.every((item) => item.state === 'new')
  const about = open === 'all' ? (items.length === 0 ? 'trust.empty' : 'trust.about-all') : isFirst ? 'trust.about' : 'trust.about-changed'
  return (
    <div ref={whole} className="trustwhole">
      <div className="trusthead">
        <div className="row" style={{ gap: 10 }}><Folder className="i" size={18} aria-hidden /><h2 className="wrap-any"><Exact text={say(open === 'all' ? 'trust.question-all' : 'trust.question', { name })} /></h2><span className="end small faint cut"><PathText path={findings?.root ?? ''} /></span></div>
        <p className="dim">{say(about)}</p>
      </div>
      <div className="trustgrid">
        <FoundList items={items} hooks={findings?.hooks ?? []} faults={findings?.faults ?? []} />
        <FoundText item={items.find((item) => keyOf(item) === selected) ?? null} />
      </div>
      {fault && <Note tone="bad" role="alert"><Exact text={say.fact(fault)} /></Note>}
      <Foot isArmed={arm === 'armed'} arm={arm} content={JSON.stringify([...ticked])} onCloseFolder={onCloseFolder} />
    </div>
  )
}

interface FootProps {
  readonly isArmed: boolean
  readonly arm: string
  readonly content: string
  readonly onCloseFolder: () => void
}

/** Close folder, trust what is ticked, open without: only the middle one needs arming, and only it has no key. */
function Foot({ isArmed, arm, content, onCloseFolder }: FootProps) {
  const say = useWords()
  const { open, ticked, isDeciding, findings } = useTrust()
  const answers = useRef<HTMLSpanElement>(null)
  const counts = usePointerGuard(answers, content, isArmed)
  const mayBeNone = open === 'all' && (findings?.items.some(({ state }) => state === 'trusted') ?? false)
  const isInert = isDeciding || !isArmed || (ticked.size === 0 && !mayBeNone)
  const trust = (): void => { if (!isInert && counts()) void trustTicked() }
  const isFirst = findings?.items.every(({ state }) => state === 'new') ?? true
  const rest: ReactNode = open === 'all' ? say('trust.leave') : say(isFirst ? 'trust.without' : 'trust.leave-out')
  return (
    <div className="row trustfoot">
      <Link className="i faint" size={14} aria-hidden /><span className="small dim about">{say('trust.exact')}</span>
      <span className="end row">
        {open === 'asking' && <Button look="quiet" disabled={isDeciding} onClick={onCloseFolder}>{say('trust.close-folder')}</Button>}
        <span ref={answers} className="armline" data-arm={ticked.size === 0 && !mayBeNone ? 'waiting' : arm}>
          <Button icon={Check} disabled={isInert} onKeyDown={(event) => { if (event.repeat) event.preventDefault() }} onClick={trust}>{ticked.size === 0 && mayBeNone ? say('trust.trust-none') : say('trust.trust', { count: ticked.size })}</Button>
        </span>
        <Button look="primary" disabled={isDeciding} onClick={() => void goOnWithout()}>{rest}</Button><kbd aria-hidden>Esc</kbd>
      </span>
    </div>
  )
}
