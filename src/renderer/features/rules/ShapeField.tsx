import { ChevronsUpDown } from 'lucide-react'
import { useId } from 'react'
import type { Said } from '../../../shared/domain/result'
import { Button } from '../../ui/Button'
import { classes } from '../../ui/classes'
import { Choice, TextField } from '../../ui/fields'
import { Exact } from '../../ui/Exact'
import { useWords } from '../../ui/words'
import { asText, asWords, fileTools, turnWord, type Editing, type FileTool } from './editing'
import { edit } from './ruleStore'
import { anyText, toolText } from './ruleWords'

interface ShapeFieldProps {
  readonly editing: Editing
  readonly fault: Said | null
}

/** What the rule is about, in the fields of its kind. */
export function ShapeField({ editing, fault }: ShapeFieldProps) {
  const say = useWords()
  const told = fault === null ? null : say.fact(fault)
  switch (editing.kind) {
    case 'command': return <>{editing.text === null ? <Words editing={editing} /> : <AsText editing={editing} fault={fault} />}{editing.effect === 'allow' && <Where editing={editing} />}</>
    case 'files': return <Files editing={editing} fault={fault} />
    case 'tool': return <TextField label={say('permission.mcp')} isMono hint={say('permission.mcp-hint')} fault={told} placeholder="mcp__docs__search" value={editing.mcpTool} onChange={(event) => { const mcpTool = event.target.value; edit((one) => ({ ...one, mcpTool })) }} />
    case 'host': return <TextField label={say('permission.host')} isMono hint={say('permission.host-hint')} fault={told} placeholder="docs.example.org" value={editing.host} onChange={(event) => { const host = event.target.value; edit((one) => ({ ...one, host })) }} />
  }
}

/** The command as words: a click on one makes it exact, a pattern, or anything. */
function Words({ editing }: Pick<ShapeFieldProps, 'editing'>) {
  const say = useWords()
  const hint = useId()
  const { words, isOpen } = editing
  return (
    <div role="group" aria-label={say('permission.words')} aria-describedby={hint}>
      <div className="wordchips">
        {words.map((_, at) => <WordChip key={at} editing={editing} at={at} />)}
        <button type="button" className={classes('wordchip', isOpen ? 'free' : 'closed')} aria-label={say('permission.open-end')} aria-pressed={isOpen} onClick={() => edit((one) => ({ ...one, isOpen: !one.isOpen }))}>{say(isOpen ? 'permission.open-end.on' : 'permission.open-end.off')}<ChevronsUpDown className="i" size={12} aria-hidden /></button>
        <Button size="small" look="quiet" onClick={() => edit(asText)}>{say('permission.as-text')}</Button>
      </div>
      <p className="hint" id={hint}>{say('permission.words-hint')}</p>
    </div>
  )
}

/** Where the command may run: the same words in another folder may start another script. */
function Where({ editing: { folder, homeFolder } }: Pick<ShapeFieldProps, 'editing'>) {
  const say = useWords()
  return (
    <p className="row small">
      <button type="button" className={classes('wordchip', folder === null ? 'free' : 'closed')} aria-pressed={folder === null} onClick={() => edit((one) => ({ ...one, folder: one.folder === null ? one.homeFolder : null }))}>
        {folder === null ? say('permission.folder.any') : folder === '' ? say('approval.wider.in-root') : <>{say('approval.wider.in-folder')} <Exact text={homeFolder} className="mono" /></>}<ChevronsUpDown className="i" size={12} aria-hidden />
      </button>
    </p>
  )
}

function WordChip({ editing: { words }, at }: { readonly editing: Editing; readonly at: number }) {
  const say = useWords()
  const word = words[at]
  if (!word) return null
  const text = word.kind === 'exact' ? (word.exact ?? '') : word.kind === 'pattern' ? word.pattern : anyText(words, at, say)
  if (at === 0) return <span className="wordchip program" title={say('permission.word.program', { word: text })}><Exact text={text} /></span>
  return (
    <button type="button" className={classes('wordchip', word.kind !== 'exact' && 'free', word.kind === 'any' && 'any')} aria-label={say(`permission.word.${word.kind}`, { word: word.kind === 'any' ? (word.exact ?? word.pattern) || '*' : text })} onClick={() => edit((one) => turnWord(one, at))}>
      <Exact text={text} />{word.kind !== 'exact' && <ChevronsUpDown className="i" size={12} aria-hidden />}
    </button>
  )
}

function AsText({ editing, fault }: ShapeFieldProps) {
  const say = useWords()
  const id = useId()
  const isEmpty = (editing.text ?? '').trim() === ''
  return (
    <div className="field">
      <label className="lbl" htmlFor={id}>{say('permission.text')}</label>
      <div className="row">
        <input
          id={id} className="input mono grow" spellCheck={false} autoComplete="off" placeholder="npm run build" aria-invalid={fault !== null} aria-describedby={`${id}-hint`} value={editing.text ?? ''}
          onChange={(event) => { const text = event.target.value; edit((one) => ({ ...one, text })) }}
        />
        <Button size="small" look="quiet" disabled={isEmpty || fault !== null} onClick={() => edit(asWords)}>{say('permission.as-words')}</Button>
      </div>
      <p id={`${id}-hint`} className={classes('hint', fault !== null && 't-bad')}>{fault === null ? say('permission.text-hint') : <Exact text={say.fact(fault)} />}</p>
    </div>
  )
}

function Files({ editing: { fileTool, glob }, fault }: ShapeFieldProps) {
  const say = useWords()
  const known: readonly string[] = fileTools
  const options = [...(known.includes(fileTool) ? [] : [fileTool as FileTool]), ...fileTools]
  return (
    <div className="row filesfield">
      <span className="field"><span className="lbl" aria-hidden>{say('permission.files.tool')}</span><Choice label={say('permission.files.tool')} value={fileTool as FileTool} onChange={(value) => edit((one) => ({ ...one, fileTool: value }))} options={options.map((value) => ({ value, label: toolText(value, say) }))} /></span>
      <TextField className="grow" label={say('permission.files.glob')} isMono hint={say('permission.files.hint')} fault={fault === null ? null : say.fact(fault)} placeholder="src/**" value={glob} onChange={(event) => { const path = event.target.value; edit((one) => ({ ...one, glob: path })) }} />
    </div>
  )
}
