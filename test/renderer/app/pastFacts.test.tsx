import { expect, test } from 'vitest'
import { factsOf } from '../../../src/renderer/app/pastFacts'
import { applyEvent, emptyChat } from '../../../src/shared/domain/chatView'
import { asId, type MessageId, type SessionId, type TurnId } from '../../../src/shared/domain/ids'

test('R10 a message that was delivered while a turn ran begins no turn of its own in the timeline', () => {
  const said = (turn: string, message: string) => ({ type: 'user-message-added' as const, turnId: asId<TurnId>(turn), messageId: asId<MessageId>(message), text: message })
  const id = asId<SessionId>('s')
  const view = [said('t1', 'Go'), said('t1', 'and tests'), said('t2', 'Next')].map((draft, at) => ({ ...draft, v: 1, sessionId: id, seq: at + 1, atMs: at })).reduce(applyEvent, emptyChat(id))
  expect(factsOf(view).turns.map(({ number, title }) => [number, title])).toEqual([[1, 'Go'], [2, 'Next']])
})
