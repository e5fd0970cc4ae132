import type { TaintMark } from '../../../shared/domain/approval'
import type { AgentEvent } from '../../../shared/domain/event'
import type { TurnId } from '../../../shared/domain/ids'
import type { TaintSource } from '../../../shared/domain/tool'

/** Of so much of a text from outside, and of a call, words are compared. */
const mostOutside = 200_000
const mostOfCall = 4000
/** A shared run is no chance from here: two words, or one long one. */
const fewestCharacters = 6
const longWord = 12

/**
 * What marks a turn (R71): every page, server and outside file that it has read, the latest first, each with the longest run of
 * words that `text` (what the call would do, as the person reads it) shares with it.
 */
export function taintMarks(events: readonly AgentEvent[], turnId: TurnId, text: string): readonly TaintMark[] {
  const marks = new Map<string, { readonly source: TaintSource; outside: string }>()
  const named = new Map<string, string>()
  for (const event of events) {
    if (event.type === 'taint-marked' && event.turnId === turnId) {
      const name = taintName(event.source)
      const before = marks.get(name)
      marks.delete(name)
      marks.set(name, { source: event.source, outside: before?.outside ?? '' })
      if (event.callId !== null) named.set(event.callId, name)
    }
    if (event.type === 'tool-finished' && event.turnId === turnId) addText(marks.get(named.get(event.callId) ?? ''), event.text)
    if (event.type === 'user-message-added' && event.turnId === turnId) {
      event.attachments?.forEach((one) => addText(marks.get(`mcp ${one.server}`), one.text))
      event.files?.forEach((one) => addText(marks.get(`file ${one.name}`), one.path === null ? one.text : ''))
    }
  }
  return [...marks.values()].reverse().map(({ source, outside }) => ({ source, shared: sharedRun(text, outside) }))
}

/** Whether anything from outside was read in the turn. */
export function isTainted(events: readonly AgentEvent[], turnId: TurnId): boolean {
  return events.some((event) => event.type === 'taint-marked' && event.turnId === turnId)
}

function taintName(source: TaintSource): string {
  switch (source.kind) {
    case 'web': return `web ${source.host}`
    case 'mcp': return `mcp ${source.server}`
    case 'file': return `file ${source.path}`
  }
}

function addText(mark: { outside: string } | undefined, text: string): void {
  if (mark) mark.outside = `${mark.outside}\n${text}`.slice(-mostOutside)
}

/** The longest run of whole words of `text` that stands in `outside` letter by letter, blanks apart; null when it is short. */
export function sharedRun(text: string, outside: string): string | null {
  if (outside === '') return null
  const words = text.slice(0, mostOfCall).split(/\s+/u).filter((word) => word !== '')
  const there = ` ${outside.split(/\s+/u).join(' ')} `
  let best = ''
  for (let from = 0; from < words.length; from += 1) {
    let run = words[from] ?? ''
    if (!there.includes(run)) continue
    for (let to = from + 1; to < words.length && there.includes(`${run} ${words[to] ?? ''}`); to += 1) run = `${run} ${words[to] ?? ''}`
    if (run.length > best.length && (run.includes(' ') ? run.length >= fewestCharacters : run.length >= longWord)) best = run
  }
  return best === '' ? null : best
}
