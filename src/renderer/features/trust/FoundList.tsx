import { Info, OctagonX, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Said } from '../../../shared/domain/result'
import { trustKinds, type TrustHook, type TrustItem } from '../../../shared/domain/trust'
import { classes } from '../../ui/classes'
import { Exact } from '../../ui/Exact'
import { Tick } from '../../ui/fields'
import { Chip } from '../../ui/parts'
import { useWords, type Speaker } from '../../ui/words'
import { keyOf, select, tick, useTrust } from './trustStore'

/** Everything that was found, by kind. Only items have a tick; hooks are named, and what was left out says why. */
export function FoundList({ items, hooks, faults }: { readonly items: readonly TrustItem[]; readonly hooks: readonly TrustHook[]; readonly faults: readonly Said[] }) {
  const say = useWords()
  return (
    <div className="foundlist">
      {trustKinds.map((kind) => {
        const own = items.filter((item) => item.kind === kind)
        return own.length > 0 && <Group key={kind} word={say(`trust.group.${kind}`, { count: own.length })}>{own.map((item) => <Found key={keyOf(item)} item={item} />)}</Group>
      })}
      {hooks.length > 0 && (
        <Group word={say('trust.group.hooks', { count: hooks.length })}>
          {hooks.map(({ path, runsWith }) => <li key={`${path} ${runsWith}`} className="found hook"><Info className="i faint" size={14} aria-hidden /><Exact text={path} className="mono wrap-any" /><span className="small dim end nowrap">{say('trust.runs-with')} <span className="mono">{runsWith}</span></span></li>)}
        </Group>
      )}
      {faults.length > 0 && (
        <Group word={say('trust.group.faults', { count: faults.length })}>
          {faults.map((fault, at) => <li key={at} className="found hook"><TriangleAlert className="i t-warn" size={14} aria-hidden /><Exact text={say.fact(fault)} className="small dim wrap-any" /></li>)}
        </Group>
      )}
    </div>
  )
}

function Group({ word, children }: { readonly word: string; readonly children: ReactNode }) {
  return <section aria-label={word}><h3 className="group">{word}</h3><ul>{children}</ul></section>
}

function Found({ item }: { readonly item: TrustItem }) {
  const say = useWords()
  const key = keyOf(item)
  const isTicked = useTrust((state) => state.ticked.has(key))
  const isSelected = useTrust((state) => state.selected === key)
  const name = item.kind === 'skill' ? (item.path.split('/').at(-2) ?? item.path) : item.name
  return (
    <li className={classes('found', isSelected && 'on')}>
      <Tick label={name} isOn={isTicked} onChange={(isOn) => tick(key, isOn)} />
      <div className="grow">
        <div className="row">
          <button type="button" className="foundname mono wrap-any" aria-pressed={isSelected} title={item.path} onClick={() => select(key)}><Exact text={name} /></button>
          {item.state !== 'new' && <Chip {...(item.state === 'changed' ? { tone: 'warn' as const } : item.state === 'trusted' ? { tone: 'ok' as const } : {})}>{say(`trust.${item.state}`)}</Chip>}
          <span className="end small faint"><Exact text={besideName(item, say)} /></span>
        </div>
        {item.server ? <Server item={item} server={item.server} /> : <About item={item} />}
      </div>
    </li>
  )
}

const kilobytes = (bytes: number): number => Math.max(0.1, Math.round(bytes / 102.4) / 10)

function besideName({ kind, lines, sizeBytes, server }: TrustItem, say: Speaker): string {
  if (kind === 'instructions') return say('trust.size', { lines, kilobytes: kilobytes(sizeBytes) })
  if (server === null) return say('trust.size-alone', { kilobytes: kilobytes(sizeBytes) })
  return server.variables.length === 0 ? say('trust.wants-none') : say('trust.wants', { names: server.variables.map(({ name, isSet }) => (isSet ? name : say('trust.wants-unset', { name }))) })
}

function Server({ item, server }: { readonly item: TrustItem; readonly server: NonNullable<TrustItem['server']> }) {
  const say = useWords()
  const start = server.url === '' ? [server.command, ...server.args].map(word).join(' ') : server.url
  return (
    <>
      <div className="code start"><Exact text={start} /></div>
      {item.notes.map(({ tone, say: fact }, at) => (tone === 'bad' ? <div key={at} className="small t-bad row"><OctagonX className="i" size={14} aria-hidden /><Exact text={say.fact(fact)} className="wrap-any" /></div> : <div key={at} className="small t-warn row"><TriangleAlert className="i" size={14} aria-hidden /><Exact text={say.fact(fact)} className="wrap-any" /></div>))}
      <div className="small dim">{say('trust.starts-later')}</div>
    </>
  )
}

/** A word of the start as it is told apart from its neighbours; nothing of it is left out. */
function word(text: string): string {
  return /^[\w@%+=:,./~-]+$/u.test(text) ? text : `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

function About({ item }: { readonly item: TrustItem }) {
  const say = useWords()
  const has = summary(item, say)
  return (
    <>
      {item.skill && <div className="small dim wrap-any"><Exact text={item.skill.description} /> {item.skill.tools === null ? say('trust.uses-all') : item.skill.tools.length === 0 ? say('trust.uses-nothing') : <Exact text={say('trust.uses', { tools: item.skill.tools })} />}</div>}
      {has !== '' && <div className={classes('small', item.notes.some(({ tone }) => tone === 'bad') ? 't-bad' : 'dim')}>{has}</div>}
    </>
  )
}

function summary({ notes }: TrustItem, say: Speaker): string {
  const of = (code: string): readonly TrustItem['notes'][number][] => notes.filter((note) => note.say.code === code)
  const hidden = of('trust.hidden').reduce((sum, note) => sum + Number(note.say.values['count'] ?? 0), 0)
  const asks = of('trust.asks-command').length
  const others = notes.length - of('trust.hidden').length - asks
  const what = [
    ...(hidden > 0 ? [say('trust.hidden', { count: hidden })] : []),
    ...(asks > 0 ? [say('trust.has-asks', { count: asks })] : []),
    ...(others > 0 ? [say('trust.has-other', { count: others })] : []),
  ]
  return what.length === 0 ? '' : say('trust.has', { what })
}
