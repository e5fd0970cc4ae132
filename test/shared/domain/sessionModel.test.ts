import { expect, test } from 'vitest'
import type { AgentEvent, EventDraft } from '../../../src/shared/domain/event'
import { asId } from '../../../src/shared/domain/ids'
import { modelOfTurn, pickedModel } from '../../../src/shared/domain/sessionModel'

const [first, second] = [{ provider: 'a', model: '1' }, { provider: 'b', model: '2' }]
const events = (...drafts: readonly EventDraft[]): readonly AgentEvent[] => drafts.map((draft, at) => ({ ...draft, sessionId: asId('s'), seq: at + 1, atMs: at }) as AgentEvent)
const began = (turnId: string): EventDraft => ({ type: 'turn-started', turnId: asId(turnId), choice: first, level: 'writes' })
const changed: EventDraft = { type: 'model-changed', choice: second }

test('R91 a session keeps what was picked for it last, and follows the default until then', () => {
  expect([pickedModel(events(began('t1'))), pickedModel(events(changed, began('t1'))), pickedModel(events(changed, { type: 'model-changed', choice: first }))]).toEqual([null, second, first])
})

test('R91 a switch in the middle of a turn counts from its next request on; one before it began is in it already', () => {
  const turn = { turnId: 't1', choice: first }
  expect([modelOfTurn(events(began('t1')), turn), modelOfTurn(events(began('t1'), changed), turn), modelOfTurn(events(changed, began('t1')), turn), modelOfTurn(events(), turn)]).toEqual([first, second, first, first])
})
