import { useLayoutEffect } from 'react'
import { useApprovals } from '../features/approvals/approvalStore'
import { showFinder } from '../features/files/fileStore'
import { openFind } from '../features/work/findStore'
import { leaveEditingHere } from '../features/work/sessionStore'
import { selectSession, startNewSession, stopTurn } from '../features/work/workStore'
import { hasMod, isComposing } from '../ui/keys'
import { chooseFolder, go, showPalette, toggleSessions, toggleTimeline, useApp } from './appStore'

/** Something that Esc closes is open, or Esc belongs to where it was typed (R12). */
function isEscTaken(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"], [data-radix-popper-content-wrapper] [role="listbox"]')) return true
  if (!(target instanceof Element)) return false
  if (target.closest('[data-esc="own"]')) return true
  const editor = target.closest('.monaco-editor, .monaco-diff-editor')
  return editor?.querySelector('.find-widget.visible, .suggest-widget.visible') != null
}

const zones = ['sessions', 'conversation', 'approval', 'composer', 'timeline', 'moment', 'memory', 'servers', 'server', 'server-tools', 'skills', 'skill', 'audit', 'record', 'rules', 'rule'] as const

/** F6: the next zone that is there; in the composer, its text box. */
function goToZone(step: 1 | -1): void {
  const present = zones.map((zone) => document.querySelector<HTMLElement>(`[data-zone="${zone}"]`)).filter((zone) => zone !== null)
  const at = present.findIndex((zone) => zone.contains(document.activeElement))
  const next = present[(at + step + present.length) % present.length]
  const inside = next?.dataset['zone'] === 'composer' ? next.querySelector('textarea') : next?.querySelector<HTMLElement>('ul[aria-label] button')
  ;(inside ?? next)?.focus()
}

/** F8 where no card is on screen: the oldest one that waits, in its own session. A card that is there takes the key itself. */
function goToWaiting(): boolean {
  const [oldest] = useApprovals.getState().open
  if (!oldest) return goToCeiling()
  go('work')
  void selectSession(oldest.sessionId)
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-zone="approval"]')?.focus())
  return true
}

/** A turn that is paused at a ceiling asks in its conversation. */
function goToCeiling(): boolean {
  const field = document.querySelector<HTMLElement>('.budgetasks input')
  field?.focus()
  return field !== null
}

const pages = ['work', 'timeline', 'memory'] as const

/** A running program has its own keys; the editor has its own search and took the key already. */
function findHere(target: EventTarget | null): (() => void) | undefined {
  const isOfProgram = target instanceof HTMLTextAreaElement && target.closest('.xterm') !== null && !target.readOnly
  return useApp.getState().page === 'work' && !isOfProgram ? () => void openFind() : undefined
}

function withMod(event: KeyboardEvent): (() => void) | undefined {
  const key = event.key.toLowerCase()
  const hasFolder = useApp.getState().workspace !== null
  if (event.shiftKey) return key === 't' && hasFolder ? () => { go('work'); requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-zone="timeline"] li button')?.focus()) } : undefined
  if (key === 'p' && hasFolder) return showFinder
  if (key === 'f') return findHere(event.target)
  if (key === 'k' || key === 'p') return () => showPalette(true)
  if (key === 'l') return () => { go('work'); requestAnimationFrame(() => document.getElementById('message')?.focus()) }
  if (key === 'o') return () => void chooseFolder()
  if (key === 'n' && hasFolder) return () => { startNewSession(); go('work') }
  if (key === 'b') return toggleSessions
  if (key === 'j') return toggleTimeline
  if (key === ',') return () => go('settings')
  if (key === '4') return () => go('servers')
  if (key === '5') return () => go('skills')
  if (key === '6') return () => go('audit')
  if (key === '7') return () => go('models')
  if (key === '8') return () => go('usage')
  const page = pages[Number(key) - 1]
  return page && (() => go(page))
}

/** The keys of the whole window, from the moment it is drawn. Handlers return at once while an input method composes. */
export function useKeyboard(): void {
  useLayoutEffect(() => {
    const onEsc = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || isComposing(event) || event.repeat || isEscTaken(event.target)) return
      // What the button Stop names comes first; then an earlier message is left as it is.
      if (stopTurn() || (useApp.getState().page === 'work' && leaveEditingHere())) event.preventDefault()
    }
    const onKey = (event: KeyboardEvent): void => {
      if (isComposing(event) || event.defaultPrevented || document.querySelector('[role="dialog"]')) return
      if (event.key === 'F8' && !hasMod(event) && !event.shiftKey && goToWaiting()) return event.preventDefault()
      if (event.key === 'F2') return document.querySelector<HTMLElement>('[data-rename]')?.click()
      if (event.key === 'F6') {
        event.preventDefault()
        return goToZone(event.shiftKey ? -1 : 1)
      }
      const act = hasMod(event) ? withMod(event) : undefined
      if (!act) return
      event.preventDefault()
      act()
    }
    // Esc is looked at first, before what it closes is gone.
    window.addEventListener('keydown', onEsc, { capture: true })
    window.addEventListener('keydown', onKey)
    return () => {
      window.removeEventListener('keydown', onEsc, { capture: true })
      window.removeEventListener('keydown', onKey)
    }
  }, [])
}
