import { diffIndices } from 'node-diff3'
import { withRedactions, type Redaction } from './redaction'

/** A text in which each marker has its value again, and where these now stand; or a marker of which it cannot be said what it stands for. */
export type Restored =
  | { readonly kind: 'restored'; readonly text: string; readonly values: readonly { readonly start: number; readonly end: number }[] }
  | { readonly kind: 'unknown'; readonly marker: string }

/** Also in capitals: who reads a marker may write it otherwise. */
const markers = /\[redacted:[^[\]\r\n]{0,80}\]/giu

/** One marker in a text, and what it stands for: a secret, or itself where the text always held it. */
interface Place {
  readonly marker: string
  readonly start: number
  readonly line: number
  /** The whole line, and the part before the marker. */
  readonly text: string
  readonly label: string
}

interface Slot extends Place {
  /** Null for a secret that had colour codes inside: it cannot be put together again. */
  readonly value: string | null
}

/**
 * Puts the hidden values back into a text that was written by someone who saw only markers (DATA, invariant 8).
 *
 * `base` is what the file holds, `redactions` what was hidden of it. A marker is told by its unchanged surroundings, by its
 * line or what stands before it when these are unmistakable, or because all that are left stand for one value. One that more
 * than one value fits, or none, is unknown: nothing is guessed. Line ends must be those of `base` already.
 */
export function restoreMarkers(base: string, redactions: readonly Redaction[], newText: string): Restored {
  const found = placesOf(newText)
  if (found.length === 0) return { kind: 'restored', text: newText, values: [] }
  const view = withRedactions(base, redactions)
  const slots = slotsOf(view, base, redactions)
  const chosen = new Map<Place, Slot>()
  const left = (): Left => {
    const used = new Set(chosen.values())
    return { slots: slots.filter((slot) => !used.has(slot)), places: found.filter((place) => !chosen.has(place)) }
  }
  pairLines(view, newText, { slots, places: found }).forEach(([place, slot]) => chosen.set(place, slot))
  for (const key of [(one: Place) => `${one.marker}\n${one.text}\n${one.label}`, (one: Place) => `${one.marker}\n${one.label.trim()}`]) {
    pairUnique(left(), { slots, places: found }, key).forEach(([place, slot]) => chosen.set(place, slot))
  }
  pairSame(left()).forEach(([place, slot]) => chosen.set(place, slot))
  return putTogether(newText, found, chosen)
}

interface Left {
  readonly slots: readonly Slot[]
  readonly places: readonly Place[]
}

type Pair = readonly [Place, Slot]

function putTogether(newText: string, found: readonly Place[], chosen: ReadonlyMap<Place, Slot>): Restored {
  const values: { start: number; end: number }[] = []
  let text = ''
  let from = 0
  for (const place of found) {
    const value = chosen.get(place)?.value ?? null
    if (value === null) return { kind: 'unknown', marker: place.marker }
    text += newText.slice(from, place.start)
    if (value !== place.marker) values.push({ start: text.length, end: text.length + value.length })
    text += value
    from = place.start + place.marker.length
  }
  return { kind: 'restored', text: text + newText.slice(from), values }
}

function placesOf(text: string): readonly Place[] {
  const places: Place[] = []
  let [line, lineStart] = [0, 0]
  for (const match of text.matchAll(markers)) {
    for (let next = text.indexOf('\n', lineStart); next !== -1 && next < match.index; next = text.indexOf('\n', lineStart)) {
      line += 1
      lineStart = next + 1
    }
    const end = text.indexOf('\n', match.index)
    places.push({ marker: match[0], start: match.index, line, text: text.slice(lineStart, end === -1 ? text.length : end), label: text.slice(lineStart, match.index) })
  }
  return places
}

function slotsOf(view: string, base: string, redactions: readonly Redaction[]): readonly Slot[] {
  const hidden = new Map<number, string | null>()
  let shift = 0
  for (const { start, end, shown } of redactions) {
    hidden.set(start + shift, shown.endsWith(']') ? base.slice(start, end) : null)
    shift += shown.length - (end - start)
  }
  return placesOf(view).map((place) => ({ ...place, value: hidden.has(place.start) ? (hidden.get(place.start) ?? null) : place.marker }))
}

/** Markers in lines that were left as they were, between lines that are found once only. */
function pairLines(view: string, newText: string, { slots, places }: Left): readonly Pair[] {
  const [old, now] = [view.split('\n'), newText.split('\n')]
  const forward = sameLines(old, now)
  const backward = new Map([...sameLines([...old].reverse(), [...now].reverse())].map(([a, b]) => [old.length - 1 - a, now.length - 1 - b]))
  const [inOld, inNow] = [countLines(old), countLines(now)]
  const isOnce = (line: number): boolean => inOld.get(old[line] ?? '') === 1 && inNow.get(old[line] ?? '') === 1
  const isSure = (line: number): boolean => {
    const to = forward.get(line)
    if (to === undefined || backward.get(line) !== to) return false
    for (const step of [-1, 1]) {
      for (let at = line; forward.get(at) === to + at - line; at += step) if (isOnce(at)) return true
    }
    // The whole text is as it was.
    return old.length === now.length && forward.size === old.length
  }
  return groupByLine(slots).flatMap(([line, ofLine]) => {
    if (!isSure(line)) return []
    const there = places.filter((place) => place.line === forward.get(line))
    return there.flatMap((place, at): Pair[] => (ofLine[at] === undefined ? [] : [[place, ofLine[at]]]))
  })
}

/** For each line that stays, the line it is now; which one it is where several would do is up to the comparison. */
function sameLines(old: readonly string[], now: readonly string[]): ReadonlyMap<number, number> {
  const same = new Map<number, number>()
  let [a, b] = [0, 0]
  const take = (until: number): void => {
    for (; a < until; a++, b++) same.set(a, b)
  }
  for (const { buffer1, buffer2 } of diffIndices([...old], [...now])) {
    take(buffer1[0])
    a = buffer1[0] + buffer1[1]
    b = buffer2[0] + buffer2[1]
  }
  take(old.length)
  return same
}

function countLines(lines: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  return counts
}

function groupByLine(slots: readonly Slot[]): readonly (readonly [number, readonly Slot[]])[] {
  const groups = new Map<number, Slot[]>()
  for (const slot of slots) groups.set(slot.line, [...(groups.get(slot.line) ?? []), slot])
  return [...groups]
}

/** Those of which there is one only, before and now, by what `key` says. */
function pairUnique(left: Left, all: Left, key: (one: Place) => string): readonly Pair[] {
  const [before, now] = [countLines(all.slots.map(key)), countLines(all.places.map(key))]
  return left.places.flatMap((place): Pair[] => {
    const name = key(place)
    const slot = left.slots.find((one) => key(one) === name)
    return slot !== undefined && place.label.trim() !== '' && before.get(name) === 1 && now.get(name) === 1 ? [[place, slot]] : []
  })
}

/** What is left of a marker, where it makes no difference which is which; more of them than there were are copies, which are not made. */
function pairSame({ slots, places }: Left): readonly Pair[] {
  return [...new Set(places.map(({ marker }) => marker))].flatMap((marker) => {
    const [from, to] = [slots.filter((slot) => slot.marker === marker), places.filter((place) => place.marker === marker)]
    if (to.length > from.length || new Set(from.map(({ value }) => value)).size !== 1) return []
    return to.flatMap((place, at): Pair[] => (from[at] === undefined ? [] : [[place, from[at]]]))
  })
}
