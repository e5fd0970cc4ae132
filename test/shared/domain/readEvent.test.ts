import fc from 'fast-check'
import { expect, test } from 'vitest'
import { oneOfEach } from '../../support/drafts'
import { eventVersions } from '../../../src/shared/domain/event'
import { asId } from '../../../src/shared/domain/ids'
import { readEvent, storeEvent, type StoredEvent, type Upcasts } from '../../../src/shared/domain/readEvent'

const at = { sessionId: asId<StoredEvent['sessionId']>('s'), seq: 3, atMs: 7 }

test.each(Object.values(oneOfEach))('R95: $type is read back as it was written', (draft) => {
  expect(readEvent({ ...at, ...storeEvent(draft) })).toEqual({ ...draft, ...at, v: eventVersions[draft.type] })
})

test('R95: an old version is brought up step by step', () => {
  const steps: Upcasts = {
    'session-renamed': [({ name, ...rest }) => ({ ...rest, label: name }), ({ label, ...rest }) => ({ ...rest, title: String(label) })],
  }
  const read = (v: number, payload: object) => readEvent({ ...at, type: 'session-renamed', v, payload: JSON.stringify(payload) }, steps, { 'session-renamed': 3 })
  const wanted = { type: 'session-renamed', title: 'x', ...at, v: 3 }
  expect([read(1, { name: 'x' }), read(2, { label: 'x' }), read(3, { title: 'x' })]).toEqual([wanted, wanted, wanted])
})

test('R95: every raised version has the steps that lead to it', () => {
  for (const [type, v] of Object.entries(eventVersions)) {
    for (let old = 1; old <= v; old += 1) expect(readEvent({ ...at, type, v: old, payload: '{}' }).type).toBe(type)
  }
})

test.each([
  ['of a newer version', { type: 'session-renamed', v: 99, payload: '{"title":"x"}' }],
  ['of an unknown type', { type: 'moon-landed', v: 1, payload: '{"a":1}' }],
  ['of a type that every object has', { type: 'constructor', v: 1, payload: '{}' }],
  ['without a step that would be needed', { type: 'session-renamed', v: 0, payload: '{}' }],
  ['whose text is damaged', { type: 'session-renamed', v: 1, payload: '{"title":' }],
  ['whose text is no object', { type: 'session-renamed', v: 1, payload: '[1]' }],
])('R95: an event %s is kept whole and in its place', (_, row) => {
  expect(readEvent({ ...at, ...row })).toEqual({ type: 'event-unread', storedType: row.type, payload: row.payload, v: row.v, ...at })
})

test('R95: reading never throws, whatever is stored', () => {
  fc.assert(
    fc.property(fc.oneof(fc.constantFrom(...Object.keys(eventVersions)), fc.string()), fc.oneof(fc.integer(), fc.double()), fc.oneof(fc.json(), fc.string()), (type, v, payload) => {
      const event = readEvent({ ...at, type, v, payload })
      expect(event.seq).toBe(3)
    }),
  )
})

test('R95: what is inside a payload cannot pass for another event’s place', () => {
  const payload = JSON.stringify({ title: 'x', seq: 99, sessionId: 'other', v: 5, atMs: 0, type: 'turn-ended' })
  expect(readEvent({ ...at, type: 'session-renamed', v: 1, payload })).toEqual({ type: 'session-renamed', title: 'x', ...at, v: 1 })
})
