import { growingTail } from '../../../shared/domain/event'
import type { StreamPart } from '../../../shared/domain/model'

/** A piece of a tool call as it came on the wire. */
export type CallPiece = Extract<StreamPart, { readonly kind: 'call-piece' }>

/** A call put together from its pieces. `id` and `name` are empty when none was given. */
export interface JoinedCall {
  readonly id: string
  readonly name: string
  readonly argumentsText: string
}

/**
 * How pieces without an id of their own find their call.
 * `labels`: by their index, as the protocol has it. `order`: the index is the call's place in order of opening, for
 * gateways whose opening pieces all say 0. `whole`: each piece repeats all that came before it.
 */
export type Reading = 'labels' | 'order' | 'whole'

/** Joins pieces, one at a time. */
export interface CallJoiner {
  add(piece: CallPiece): void
  /** In order of opening. */
  calls(): readonly JoinedCall[]
  /** True when every call has a name and arguments that are whole or absent. */
  isSound(): boolean
  /** The call the last piece went to, its place, and the end of its arguments as far as they came. */
  latest(): { readonly index: number; readonly call: JoinedCall; readonly tail: string } | null
}

interface Slot {
  readonly at: number
  /** The label of the piece that opened it. */
  readonly index: number | undefined
  id: string
  name: string
  argumentsText: string
  /** Kept beside the whole, which is only put together when it is needed. */
  tail: string
  /** Pieces that held arguments, and how many of them repeated all before them and went on. */
  pieces: number
  grown: number
}

/**
 * Collects call pieces in any interleaving (R17). A new id always opens a call, whatever its index says; an id or name that
 * is missing or empty means "not given"; ids and names may come late or again and again; indexes may be missing, shared
 * or first seen on a continuation.
 */
export function makeCallJoiner(reading: Reading): CallJoiner {
  const slots: Slot[] = []
  let last: Slot | null = null

  function open(piece: CallPiece): Slot {
    const slot: Slot = { at: slots.length, index: piece.index, id: piece.id ?? '', name: '', argumentsText: '', tail: '', pieces: 0, grown: 0 }
    slots.push(slot)
    return slot
  }

  return {
    add(piece) {
      const slot = slotFor(piece, slots, last, reading) ?? open(piece)
      if (slot.id === '' && piece.id) slot.id = piece.id
      takeName(slot, piece.name ?? '', reading)
      takeArguments(slot, piece.argumentsText ?? '', reading)
      last = slot
    },
    calls: () => slots,
    isSound: () => slots.every((slot) => isSound(slot, reading)),
    latest: () => last && { index: last.at, call: last, tail: last.tail },
  }
}

/** The call a piece continues; null when it opens one. */
function slotFor(piece: CallPiece, slots: readonly Slot[], last: Slot | null, reading: Reading): Slot | null {
  if (piece.id) return slotById(piece, slots, last)
  if (piece.index === undefined) return last && !isHead(last, piece) ? last : null
  const labelled = reading === 'order' ? slots.filter((slot) => slot.at === piece.index) : slots.filter((slot) => slot.index === piece.index)
  const slot = labelled.length < 2 ? labelled[0] : (lastWith(labelled, (one) => !isWhole(one.argumentsText)) ?? labelled.at(-1))
  if (slot) return isHead(slot, piece) || (reading === 'order' && opensAnother(slot, piece)) ? null : slot
  // A continuation under a label that nothing was opened with: its head came under another call's label.
  if (piece.name) return null
  return slots.find((one) => one.at === piece.index) ?? last
}

function slotById(piece: CallPiece, slots: readonly Slot[], last: Slot | null): Slot | null {
  const known = lastWith(slots, (slot) => slot.id === piece.id)
  if (known) return isSecondUnderOneId(known, piece) ? null : known
  const nameless = piece.index === undefined ? last : lastWith(slots, (slot) => slot.index === piece.index)
  // The id of a call that was opened without one came late.
  return nameless && nameless.id === '' && !isHead(nameless, piece) ? nameless : null
}

function lastWith(slots: readonly Slot[], is: (slot: Slot) => boolean): Slot | undefined {
  for (let at = slots.length - 1; at >= 0; at--) {
    const slot = slots[at]
    if (slot && is(slot)) return slot
  }
  return undefined
}

/** Two calls that were given one id: another index and a name of its own, or a fresh object after a whole one. */
function isSecondUnderOneId(known: Slot, piece: CallPiece): boolean {
  if (!piece.name) return false
  if (piece.index !== undefined && known.index !== undefined && piece.index !== known.index) return true
  return startsObject(piece) && known.argumentsText.trim() !== '{}' && isWhole(known.argumentsText) && piece.argumentsText?.trim() !== known.argumentsText.trim()
}

/** True when the piece, which has no id that says so, opens another call than the one it would go to. */
function isHead(slot: Slot, piece: CallPiece): boolean {
  if (!piece.name || slot.name === '') return false
  if (slot.argumentsText === '') return false
  if (piece.name !== slot.name) return true
  return isWhole(slot.argumentsText) && piece.argumentsText?.trim() !== slot.argumentsText.trim()
}

/** In order of opening, a piece with another name is another call even when the one before it has no arguments yet. */
function opensAnother(slot: Slot, piece: CallPiece): boolean {
  return piece.name !== undefined && piece.name !== '' && slot.name !== '' && piece.name !== slot.name
}

/** A name comes once, or again and again; before any argument it may also come in pieces. */
function takeName(slot: Slot, name: string, reading: Reading): void {
  if (name === '' || name === slot.name || (slot.name !== '' && slot.argumentsText !== '')) return
  slot.name = reading === 'whole' && name.startsWith(slot.name) ? name : slot.name + name
}

function takeArguments(slot: Slot, text: string, reading: Reading): void {
  if (text === '') return
  const before = slot.argumentsText
  // The whole arguments once more, after their pieces.
  if (text === before && isWhole(text)) return
  slot.pieces++
  const repeats = reading === 'whole' && before !== '' && text.length > before.length && text.startsWith(before)
  if (repeats) slot.grown++
  slot.argumentsText = repeats ? text : before + text
  slot.tail = (repeats ? text : slot.tail + text).slice(-growingTail)
}

/** Two pieces of which the second begins like the first may be one nested object; three in a row are not. */
function isSound(slot: Slot, reading: Reading): boolean {
  if (slot.name === '') return false
  if (reading === 'whole' && slot.pieces > 1 && slot.grown < 2) return false
  return slot.argumentsText.trim() === '' || isWhole(slot.argumentsText)
}

function startsObject(piece: CallPiece): boolean {
  return piece.argumentsText?.trimStart().startsWith('{') === true
}

/** True when the text is one whole JSON object: nothing can rightly follow it. */
export function isWhole(text: string): boolean {
  if (!/^\s*\{[^]*\}\s*$/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * The calls of a finished reply. The protocol's own reading stands unless it leaves a call without name or with arguments
 * that are no whole object, and another reading makes every call sound.
 */
export function joinCalls(pieces: readonly CallPiece[]): readonly JoinedCall[] {
  const plain = joinAs('labels', pieces)
  if (plain.isSound()) return plain.calls()
  const others = (['order', 'whole'] as const).map((reading) => joinAs(reading, pieces))
  return (others.find((joiner) => joiner.isSound()) ?? plain).calls()
}

function joinAs(reading: Reading, pieces: readonly CallPiece[]): CallJoiner {
  const joiner = makeCallJoiner(reading)
  for (const piece of pieces) joiner.add(piece)
  return joiner
}
