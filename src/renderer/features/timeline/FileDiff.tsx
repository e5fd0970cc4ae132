import { ArrowLeftRight, ArrowRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import { bitsText, type Author, type TreeChange } from '../../../shared/domain/snapshot'
import type { LineAuthors } from '../../../shared/ipc/timelineViews'
import { Button, IconButton } from '../../ui/Button'
import { DiffEditor } from '../../ui/DiffEditor'
import { PathText } from '../../ui/Exact'
import { OpenFileButton } from '../../ui/FileText'
import type { LineBar, LineBars } from '../../ui/lineBars'
import { Note } from '../../ui/parts'
import { sizeText } from '../../ui/sizeText'
import { useWords } from '../../ui/words'
import { WhoChip } from './Filters'
import { MomentButton } from './MomentPick'
import { swap } from './openMoment'
import { whos, type Who } from './timelineRows'
import { toggleDimmed, useTimeline, type FileLook, type Look } from './timelineStore'

/** Larger ones are drawn when asked for. */
const largeBytes = 1_000_000

const barOf: Readonly<Record<Author, LineBar>> = { agent: 'agent', you: 'you', command: 'cmd', both: 'both', unknown: 'unknown' }
const whosOf: Readonly<Record<LineBar, readonly Who[]>> = { agent: ['agent'], you: ['you'], cmd: ['command'], both: ['agent', 'you'], unknown: ['command', 'you'] }
const barNames = { agent: 'timeline.bar.agent', you: 'timeline.bar.you', cmd: 'timeline.bar.command', both: 'timeline.bar.both', unknown: 'timeline.bar.unknown' } as const
const allBars = ['agent', 'you', 'cmd', 'both', 'unknown'] as const

/** The bars of a comparison's lines. */
export function barsOf({ before, after }: LineAuthors): LineBars {
  const side = (authors: readonly (Author | null)[]) => authors.map((author) => author && barOf[author])
  return { before: side(before), after: side(after) }
}

/** The bars whose every author is filtered out. */
export function dimmedBars(dimmed: ReadonlySet<Who>): ReadonlySet<LineBar> {
  return new Set(allBars.filter((bar) => whosOf[bar].every((who) => dimmed.has(who))))
}

/** One file's comparison: what is compared with what, whose lines stand out, the lines, and what the bars mean. Without a file, the first alone. */
export function FileDiff({ look, file }: { readonly look: Look; readonly file: FileLook | null }) {
  const dimmed = useTimeline((state) => state.dimmed)
  const authors = file?.authors ?? null
  const bars = useMemo(() => (authors ? barsOf(authors) : null), [authors])
  const present = useMemo(() => new Set(bars ? [...bars.before, ...bars.after].filter((bar) => bar !== null) : []), [bars])
  const standBack = useMemo(() => dimmedBars(dimmed), [dimmed])
  return (
    <>
      <DiffHead look={look} path={file?.change.path ?? null} present={present} />
      {file && <div className="card tldiff">
        <Body key={file.change.path} file={file} bars={bars} dimmed={standBack} />
        {present.size > 0 && <Legend present={present} />}
      </div>}
    </>
  )
}

/** What is compared, and by whom. */
function DiffHead({ look, path, present }: { readonly look: Look; readonly path: string | null; readonly present: ReadonlySet<LineBar> }) {
  const say = useWords()
  const dimmed = useTimeline((state) => state.dimmed)
  const shown = whos.filter((who) => [...present].some((bar) => whosOf[bar].includes(who)))
  return (
    <div className="row tldiffhead">
      {path !== null && <><PathText path={path} limit={40} /><OpenFileButton path={path} /></>}
      <span className="row moments"><MomentButton side="a" id={look.a} /><ArrowRight className="i faint" size={14} aria-hidden /><MomentButton side="b" id={look.b} />{look.kind === 'compare' && <IconButton icon={ArrowLeftRight} label={say('timeline.swap')} disabled={look.b === null} onClick={swap} />}</span>
      {shown.length > 0 && <span className="row end" role="group" aria-label={say('timeline.changes-by')} style={{ gap: 6 }}><span className="small dim nowrap" aria-hidden>{say('timeline.changes-by')}</span>{shown.map((who) => <WhoChip key={who} who={who} isOn={!dimmed.has(who)} onToggle={toggleDimmed} />)}</span>}
    </div>
  )
}

/** A file of which only the permissions changed has no lines to compare. */
function sameButBits({ before, after }: Pick<TreeChange, 'before' | 'after'>): { readonly before: string; readonly after: string } | null {
  if (!before || !after || before.oid !== after.oid || !before.mode.startsWith('100') || !after.mode.startsWith('100')) return null
  return { before: bitsText(before), after: bitsText(after) }
}

function Body({ file, bars, dimmed }: { readonly file: FileLook; readonly bars: LineBars | null; readonly dimmed: ReadonlySet<LineBar> }) {
  const say = useWords()
  const [isAsked, setIsAsked] = useState(false)
  const { change, before, after } = file
  const size = (before?.sizeBytes ?? 0) + (after?.sizeBytes ?? 0)
  const isBinary = (before !== null && before.text === null) || (after !== null && after.text === null)
  const sizeOf = (version: typeof before): string => (version ? sizeText(version.sizeBytes, say) : say('timeline.no-file'))
  const bits = sameButBits(change)
  if (bits) return <div style={{ padding: 12 }}><Note tone="info">{say('timeline.bits', bits)}</Note></div>
  if (isBinary) return <div style={{ padding: 12 }}><Note tone="info">{say('timeline.binary-sizes', { before: sizeOf(before), after: sizeOf(after) })}</Note></div>
  if (before === null && after === null) return <div className="grow" />
  if (size > largeBytes && !isAsked) return <div style={{ padding: 12 }}><Note tone="info" actions={<Button size="small" onClick={() => setIsAsked(true)}>{say('timeline.show-large')}</Button>}>{say('timeline.large', { size: sizeText(size, say) })}</Note></div>
  return <div className="editor"><div><DiffEditor before={before?.text ?? null} after={after?.text ?? null} path={change.path} name={change.path} sideNames={{ before: say('timeline.before'), after: say('timeline.after') }} bars={bars} dimmed={dimmed} /></div></div>
}

function Legend({ present }: { readonly present: ReadonlySet<LineBar> }) {
  const say = useWords()
  return <ul className="tllegend small dim">{allBars.filter((bar) => present.has(bar)).map((bar) => <li key={bar}><span className={`abk ${bar}`} aria-hidden />{say(barNames[bar])}</li>)}</ul>
}
