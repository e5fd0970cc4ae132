import { Plus, X } from 'lucide-react'
import { useId, useRef, type ClipboardEvent, type KeyboardEvent } from 'react'
import { IconButton } from '../../ui/Button'
import { isComposing } from '../../ui/keys'
import { useWords } from '../../ui/words'
import { nextId, type DraftArg } from './draft'
import { edit } from './serverStore'

/**
 * The arguments, one a field, handed on item by item: nothing is split, quoted or expanded (case F02). Enter adds one, Backspace
 * in an empty one takes it away, Alt with an arrow moves it, and a text of several lines is pasted as several arguments.
 */
export function ArgumentFields({ args, isReadOnly }: { readonly args: readonly DraftArg[]; readonly isReadOnly: boolean }) {
  const say = useWords()
  const label = useId()
  const box = useRef<HTMLDivElement>(null)
  /** After React has drawn the new list. */
  const focusOn = (at: number): void => { requestAnimationFrame(() => box.current?.querySelectorAll('textarea')[Math.max(0, at)]?.focus()) }
  const change = (next: readonly DraftArg[], at: number): void => {
    edit({ args: next })
    focusOn(at)
  }
  const add = (at: number): void => change([...args.slice(0, at), { id: nextId(), text: '' }, ...args.slice(at)], at)
  const remove = (at: number): void => change(args.filter((_, index) => index !== at), at - 1)
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>, at: number): void => {
    if (isReadOnly || isComposing(event)) return
    const step = event.altKey ? { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key] : undefined
    if (event.key === 'Enter') {
      event.preventDefault()
      add(at + 1)
    } else if (event.key === 'Backspace' && event.currentTarget.value === '') {
      event.preventDefault()
      remove(at)
    } else if (step !== undefined) {
      event.preventDefault()
      const to = at + step
      if (to >= 0 && to < args.length) change(moved(args, at, to), to)
    }
  }
  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>, at: number): void => {
    const lines = event.clipboardData.getData('text/plain').replace(/\r?\n$/, '').split(/\r?\n/)
    const [first, ...more] = lines
    if (isReadOnly || first === undefined || more.length === 0) return
    event.preventDefault()
    const { value, selectionStart, selectionEnd } = event.currentTarget
    const texts = [value.slice(0, selectionStart) + first, ...more.slice(0, -1), (more.at(-1) ?? '') + value.slice(selectionEnd)]
    change(args.flatMap((arg, index) => (index === at ? texts.map((text, line) => ({ id: line === 0 ? arg.id : nextId(), text })) : [arg])), at + texts.length - 1)
  }
  return (
    <div className="field" role="group" aria-labelledby={label}>
      <span className="lbl" id={label}>{say('servers.arguments')}</span>
      <div ref={box} className="args">
        {args.map((arg, at) => (
          <span key={arg.id} className="arg">
            <textarea
              className="mono" rows={1} spellCheck={false} aria-label={say('servers.argument', { number: at + 1 })} value={arg.text} readOnly={isReadOnly} placeholder={say('servers.argument-empty')}
              onChange={(event) => edit({ args: args.map((one) => (one.id === arg.id ? { ...one, text: event.target.value } : one)) })} onKeyDown={(event) => onKey(event, at)} onPaste={(event) => onPaste(event, at)}
            />
            {!isReadOnly && <IconButton icon={X} label={say('servers.remove-argument', { number: at + 1 })} onClick={() => remove(at)} />}
          </span>
        ))}
        {!isReadOnly && <IconButton icon={Plus} label={say('servers.add-argument')} onClick={() => add(args.length)} />}
      </div>
      {!isReadOnly && <p className="hint">{say('servers.arguments-hint')}</p>}
    </div>
  )
}

function moved(args: readonly DraftArg[], from: number, to: number): readonly DraftArg[] {
  const rest = args.filter((_, at) => at !== from)
  const arg = args[from]
  return arg ? [...rest.slice(0, to), arg, ...rest.slice(to)] : args
}
