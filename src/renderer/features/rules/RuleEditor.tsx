import { ArrowLeft } from 'lucide-react'
import type { WorkspaceId } from '../../../shared/domain/ids'
import { ruleEffects, type Rule, type RuleDraft } from '../../../shared/domain/rule'
import { Button } from '../../ui/Button'
import { Choice, Segmented } from '../../ui/fields'
import { Exact } from '../../ui/Exact'
import { Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { BackTestPart } from './BackTestPart'
import { draftOf, shapeOf, withShape, type EditFaults, type Editing } from './editing'
import { EndsField } from './EndsField'
import type { RuleLinks } from './live'
import { cancelRule, draftNow, edit, isSameTrial, leaveRule, saveRule, useRules } from './ruleStore'
import { shapeText } from './ruleWords'
import { ShapeField } from './ShapeField'
import { ShapeView } from './ShapeView'

const noFaults: EditFaults = { shape: null, scope: null, ends: null }

interface RuleEditorProps {
  readonly hasFolder: boolean
  readonly isAlone: boolean
  readonly links: RuleLinks
}

/** A rule while it is written, tried on the past with every change; nothing is saved that was not tried (R69). */
export function RuleEditor({ hasFolder, isAlone, links }: RuleEditorProps) {
  const say = useWords()
  const editing = useRules((state) => (state.at === null ? undefined : state.drafts[state.at]))
  const openId = useRules((state) => state.openId)
  const isGone = useRules((state) => editing?.replaces != null && state.page !== null && !state.page.rules.some(({ rule }) => rule.id === editing.replaces))
  if (!editing) return null
  const { replaces, choices, effect, kind } = editing
  const title = replaces === null ? say('permission.editor.new') : say('permission.editor.rule', { rule: replaces })
  const faults = faultsOf(editing, openId)
  return (
    <section className={isAlone ? 'main rulepane alone' : 'main rulepane'} aria-label={title} data-zone="rule" tabIndex={-1}>
      <div className="head">
        {isAlone && <Button size="small" look="quiet" icon={ArrowLeft} onClick={leaveRule}>{say('permission.back')}</Button>}
        <h2>{title}</h2>
      </div>
      <div className="panelbody">
        {isGone && <Note tone="warn" role="status">{say('permission.gone-edit', { rule: replaces ?? '' })}</Note>}
        {choices.length > 1 && <Choices editing={editing} />}
        <div className="row wrap">
          <Segmented label={say('permission.effect')} value={effect} onChange={(value) => edit((one) => ({ ...one, effect: value }))} options={ruleEffects.map((value) => ({ value, label: say(`permission.effect.${value}`) }))} />
          <span className="row"><span className="small dim" aria-hidden>{say('permission.kind')}</span><Choice label={say('permission.kind')} value={kind} onChange={changeKind} options={kinds.map((value) => ({ value, label: say(`permission.kind.${value}`) }))} /></span>
        </div>
        <ShapeField editing={editing} fault={faults.shape} />
        <div className="row wrap ruleends">
          <Scope editing={editing} hasFolder={hasFolder} />
          <EndsField ends={editing.ends} />
        </div>
        {faults.scope && <p className="hint t-bad" role="alert">{say.fact(faults.scope)}</p>}
        {kind === 'tool' && !faults.scope && <p className="hint">{say('permission.scope.tool')}</p>}
        {faults.ends && <p className="hint t-bad" role="alert">{say.fact(faults.ends)}</p>}
        <BackTestPart editing={editing} toCall={links.toCall} />
      </div>
      <SaveBar editing={editing} />
    </section>
  )
}

const kinds = ['command', 'files', 'tool', 'host'] as const

/** A tool of a server is of one project. */
function changeKind(kind: Editing['kind']): void {
  edit((one) => ({ ...one, kind, scope: kind === 'tool' && one.scope === 'all' ? 'this' : one.scope }))
}

/** What is missing; a field that nobody has filled in yet is no fault. */
function faultsOf(editing: Editing, openId: WorkspaceId | null): EditFaults {
  const drafted = draftOf(editing, openId, Date.now())
  if (drafted.ok) return noFaults
  const { kind, text, glob, mcpTool, host } = editing
  const isUntouched = { command: (text ?? '').trim() === '', files: glob === '', tool: mcpTool === '', host: host === '' }[kind]
  return { ...drafted.faults, shape: isUntouched ? null : drafted.faults.shape }
}

/** What could be made of the call: choices, of which one is written further. */
function Choices({ editing }: { readonly editing: Editing }) {
  const say = useWords()
  const shape = shapeOf(editing)
  const current = shape.ok ? shapeText(shape.value, say) : null
  return (
    <fieldset className="choices" aria-label={say('permission.choices')}>
      <p className="small"><span className="med">{say('permission.choices')}</span> <span className="dim">{say('permission.choices-hint')}</span></p>
      {editing.choices.map((choice, at) => (
        <label key={at} className="choice">
          <input type="radio" name="rule-choice" checked={shapeText(choice, say) === current} onChange={() => edit((one) => withShape(one, choice))} />
          <ShapeView shape={choice} />
        </label>
      ))}
    </fieldset>
  )
}

function Scope({ editing: { scope, own, kind }, hasFolder }: { readonly editing: Editing; readonly hasFolder: boolean }) {
  const say = useWords()
  const options = [
    ...(hasFolder || scope === 'this' ? [{ value: 'this' as const, label: say('permission.scope.this'), isDisabled: !hasFolder }] : []),
    ...(own === null ? [] : [{ value: 'own' as const, label: own.name === null ? say('permission.scope.gone') : say('permission.scope.named', { name: own.name }) }]),
    ...(kind === 'tool' ? [] : [{ value: 'all' as const, label: say('permission.scope.all') }]),
  ]
  return <Segmented label={say('permission.where')} value={scope} onChange={(value) => edit((one) => ({ ...one, scope: value }))} options={options} />
}

/** The narrowest way to save is the solid one; where the trial found a narrower rule, that is it. */
function SaveBar({ editing: { replaces } }: { readonly editing: Editing }) {
  const say = useWords()
  const draft = useRules(draftText)
  const trial = useRules((state) => state.trial)
  const at = useRules((state) => state.at)
  const isSaving = useRules((state) => state.isSaving)
  const fault = useRules((state) => state.fault)
  const now = draft === null ? null : draftNow(useRules.getState())
  const isTried = now !== null && trial?.phase === 'done' && trial.key === at && isSameTrial(trial.of, now)
  const result = isTried ? trial.result : null
  const narrowed = result?.narrowed ?? null
  // A rule that is as it was would only get another number.
  const isAsItWas = useRules((state) => now !== null && state.page?.rules.some(({ rule }) => rule.id === replaces && isSameRule(rule, now)) === true)
  const isOff = isSaving || !isTried
  const asIs = narrowed !== null || (result?.deniedThen ?? 0) > 0
  return (
    <>
      {fault && <div className="savefault"><Note tone="bad" role="alert"><Exact text={`${say.fact(fault)} ${say('permission.not-saved')}`} className="wrap-any" /></Note></div>}
      <div className="savebar">
        <span className="small dim">{say('permission.never-beats')}{replaces !== null && <><br />{say('permission.new-number', { rule: replaces })}</>}</span>
        <span className="end row">
          <Button look="quiet" disabled={isSaving} onClick={cancelRule}>{say('permission.cancel')}</Button>
          <Button look={asIs ? 'plain' : 'primary'} disabled={isOff || isAsItWas} onClick={() => void saveRule('as-is')}>{say(isSaving && narrowed === null ? 'permission.saving' : asIs ? 'permission.save-as-is' : 'permission.save')}</Button>
          {narrowed !== null && <Button look="primary" disabled={isOff} onClick={() => void saveRule('narrowed')}>{say(isSaving ? 'permission.saving' : 'permission.save-narrowed')}</Button>}
        </span>
      </div>
    </>
  )
}

/** A time that runs on is no other draft. */
function draftText(state: Parameters<typeof draftNow>[0]): string | null {
  const draft = draftNow(state)
  return draft && JSON.stringify({ ...draft, expiresAtMs: draft.expiresAtMs !== null })
}

function isSameRule({ effect, shape, workspaceId, expiresAtMs, usesLeft }: Rule, draft: RuleDraft): boolean {
  return effect === draft.effect && workspaceId === draft.workspaceId && expiresAtMs === draft.expiresAtMs && usesLeft === draft.usesLeft && JSON.stringify(shape) === JSON.stringify(draft.shape)
}
