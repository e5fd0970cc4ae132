import { Check, PencilLine, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import type { ModelRow } from '../../../shared/ipc/modelViews'
import type { ProviderRow } from '../../../shared/ipc/views'
import { Button, IconButton } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { Chip, Note } from '../../ui/parts'
import { useWords, type Speaker } from '../../ui/words'
import { refreshModels, useModels } from './modelStore'
import { abilitiesOf, priceText, rolesOf, whenText, type UsedFor } from './modelWords'

interface ModelTableProps {
  readonly row: ProviderRow
  /** As it stands in the form. */
  readonly model: string
  readonly usedFor: UsedFor
  /** Null where the person cannot choose. */
  readonly onDefault: ((model: string) => void) | null
  readonly onEdit: ((row: ModelRow) => void) | null
}

/** So many rows are drawn; the rest is found by typing. */
const shownRows = 40
const searchFrom = 9
const none: readonly ModelRow[] = []

/** The models of a provider with what is known of each; what nobody says reads "unknown". */
export function ModelTable({ row, model, usedFor, onDefault, onEdit }: ModelTableProps) {
  const say = useWords()
  const [text, setText] = useState('')
  const models = useModels((state) => state.page?.models[row.id]) ?? none
  const list = useModels((state) => state.lists[row.id])
  const listedAtMs = useModels((state) => state.page?.listedAtMs[row.id])
  const fresh = list === undefined || list === 'asking' ? [] : list.fresh
  const found = models.filter((one) => `${one.id} ${one.name ?? ''}`.toLowerCase().includes(text.trim().toLowerCase())).sort((a, b) => Number(b.id === model) - Number(a.id === model))
  const isAsking = list === 'asking'
  return (
    <section className="col" style={{ gap: 8 }} aria-label={say('provider.models')}>
      <div className="row"><h3 className="strong">{say('provider.models')}</h3><span className="end row">
        {models.length > searchFrom && <input className="input" style={{ width: 200 }} aria-label={say('provider.find-model')} placeholder={say('provider.find-model')} value={text} onChange={(event) => setText(event.target.value)} />}
        <Button size="small" look="quiet" icon={RefreshCw} disabled={isAsking} onClick={() => void refreshModels(row.id)}>{say('provider.refresh')}</Button>
      </span></div>
      <ListNews count={models.length} list={list} />
      {listedAtMs !== undefined && !isAsking && <p className="small dim">{say('provider.listed-at', { when: whenText(listedAtMs, say) })}</p>}
      {models.length === 0
        ? <p className="dim">{say('provider.models-none')}</p>
        : <div className="card modelcard"><table className="modeltable">
            <thead><tr><th>{say('provider.col.model')}</th><th className="num">{say('provider.col.window')}</th><th className="num">{say('provider.col.output')}</th><th>{say('provider.col.can')}</th><th className="num">{say('provider.col.in')}</th><th className="num">{say('provider.col.out')}</th><th>{say('provider.col.used')}</th></tr></thead>
            <tbody>{found.slice(0, shownRows).map((one) => <Line key={one.id} one={one} row={row} isChosen={one.id === model} isFresh={fresh.includes(one.id)} usedFor={usedFor} onDefault={onDefault} onEdit={onEdit} />)}</tbody>
          </table></div>}
      {found.length > shownRows && <p className="small dim">{say('provider.more-models', { count: found.length - shownRows })}</p>}
      <p className="hint">{say('provider.models-about')}</p>
    </section>
  )
}

function ListNews({ count, list }: { readonly count: number; readonly list: ReturnType<typeof useModels.getState>['lists'][string] | undefined }) {
  const say = useWords()
  if (list === undefined) return null
  if (list === 'asking') return <p className="small dim" role="status">{say('provider.refreshing')}</p>
  if (list.fault) return <Note tone="warn" role="status">{say.fact(list.fault)}</Note>
  return <p className="small dim" role="status">{list.fresh.length > 0 ? say('provider.refreshed-new', { count, fresh: list.fresh.length }) : say('provider.refreshed', { count })}</p>
}

interface LineProps extends Omit<ModelTableProps, 'model'> {
  readonly one: ModelRow
  readonly isChosen: boolean
  readonly isFresh: boolean
}

function Line({ one, row, isChosen, isFresh, usedFor, onDefault, onEdit }: LineProps) {
  const say = useWords()
  const { windowTokens, maxOutputTokens } = one.facts
  const { can, unknown } = abilitiesOf(one.facts, say)
  const roles = rolesOf({ provider: row.id, model: one.id }, usedFor, say)
  const isDefault = isChosen && row.isActive
  return (
    <tr aria-selected={isChosen}>
      <td><span className="row" title={one.name ?? undefined}><Exact text={one.id} className="mono cut" />{isFresh && <Chip tone="info">{say('provider.new')}</Chip>}</span></td>
      <td className="num"><Tokens count={windowTokens} /></td>
      <td className="num"><Tokens count={maxOutputTokens} /></td>
      <td><span className="row wrap" style={{ gap: 4 }}>{can.map((word) => <Chip key={word}>{word}</Chip>)}{unknown !== null && <span className="small faint">{unknown}</span>}{can.length === 0 && unknown === null && <span className="small faint">{say('provider.can.none')}</span>}</span></td>
      <PriceCells one={one} />
      <td className="small"><span className="row wrap" style={{ gap: 6 }}>
        {isDefault && <span className="row t-you nowrap" style={{ gap: 5 }}><Check className="i" size={14} aria-hidden />{say('provider.default')}</span>}
        {isChosen && !isDefault && <span className="faint nowrap">{say('provider.default-here')}</span>}
        {roles.map((role) => <span key={role}>{role}</span>)}
        {!isDefault && onDefault && <Button size="small" look="quiet" aria-label={say('provider.make-default-of', { model: one.id })} onClick={() => onDefault(one.id)}>{say('provider.make-default')}</Button>}
        {onEdit && <span className="end"><IconButton icon={PencilLine} label={say('provider.edit-model', { model: one.id })} onClick={() => onEdit(one)} /></span>}
      </span></td>
    </tr>
  )
}

function Tokens({ count }: { readonly count: number | null }) {
  const say = useWords()
  return count === null ? <span className="small faint">{say('provider.unknown')}</span> : <>{count.toLocaleString(say.locale)}</>
}

function PriceCells({ one }: { readonly one: ModelRow }) {
  const say = useWords()
  const { prices } = one.facts
  if (prices === null) return <><td className="num"><span className="small faint">{say('provider.unknown')}</span></td><td className="num"><span className="small faint">{say('provider.unknown')}</span></td></>
  const about = priceAbout(one, say)
  const isTiered = prices.tiers !== undefined
  return <><td className="num" title={about}>{priceText(prices.input, prices.currency, say)}{isTiered && <div className="small faint">{say('provider.tiered')}</div>}</td><td className="num" title={about}>{priceText(prices.output, prices.currency, say)}</td></>
}

function priceAbout({ facts: { prices }, pricesFrom, sources }: ModelRow, say: Speaker): string {
  if (prices === null) return ''
  const { cachedInput, cacheWrite, currency, tiers = [] } = prices
  const price = (amount: number): string => priceText(amount, currency, say)
  return [
    ...(cachedInput === null ? [] : [say('provider.cached', { price: price(cachedInput) })]),
    ...(cacheWrite === null ? [] : [say('provider.cache-write', { price: price(cacheWrite) })]),
    ...tiers.map(({ above, input, output }) => say('provider.tier', { tokens: above, input: price(input), output: price(output) })),
    ...(pricesFrom === 'here' ? [say('provider.prices-here')] : pricesFrom === 'you' ? [say('provider.prices-yours')] : sources.map((page) => say('provider.prices-from', { page }))),
  ].join('\n')
}
