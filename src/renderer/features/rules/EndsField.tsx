import { Choice, Segmented } from '../../ui/fields'
import { useNow } from '../../ui/useNow'
import { useWords, type Speaker } from '../../ui/words'
import { timeUnits, type EditEnds, type EndKind } from './editing'
import { edit } from './ruleStore'
import { endsText } from './ruleWords'

/** When the rule ends: soon, after a few uses, never by itself, or as one writes it. */
export function EndsField({ ends }: { readonly ends: EditEnds }) {
  const say = useWords()
  const nowMs = useNow()
  const kinds: readonly EndKind[] = [...(ends.kept ? ['kept' as const] : []), 'minutes', 'uses', 'never', 'custom']
  return (
    <>
      <Segmented label={say('permission.when')} value={ends.kind} onChange={(kind) => change({ kind })} options={kinds.map((value) => ({ value, label: labelOf(value, ends, nowMs, say) }))} />
      {ends.kind === 'custom' && (
        <span className="row customends">
          <span className="small dim" aria-hidden>{say('permission.custom.time')}</span>
          <input className="input num" inputMode="numeric" aria-label={say('permission.custom.time')} value={ends.amount} onChange={(event) => change({ amount: event.target.value })} />
          <Choice label={say('permission.custom.unit')} value={ends.unit} onChange={(unit) => change({ unit })} options={timeUnits.map((value) => ({ value, label: say(`permission.custom.${value}`) }))} />
          <span className="small dim" aria-hidden>{say('permission.custom.uses')}</span>
          <input className="input num" inputMode="numeric" aria-label={say('permission.custom.uses')} value={ends.uses} onChange={(event) => change({ uses: event.target.value })} />
        </span>
      )}
    </>
  )
}

function change(part: Partial<EditEnds>): void {
  edit((one) => ({ ...one, ends: { ...one.ends, ...part } }))
}

function labelOf(kind: EndKind, { kept }: EditEnds, nowMs: number, say: Speaker): string {
  if (kind !== 'kept') return say(`permission.when.${kind}`)
  return say('permission.when.kept', { ends: endsText({ expiresAtMs: kept?.expiresAtMs ?? null, usesLeft: kept?.usesLeft ?? null, lifetime: null }, nowMs) })
}
