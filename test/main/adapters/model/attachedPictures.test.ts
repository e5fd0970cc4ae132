import { expect, test } from 'vitest'
import { withPictures } from '../../../../src/main/adapters/model/pictures'
import { makeHistory } from '../../../../src/main/core/context/history'
import type { AgentEvent } from '../../../../src/shared/domain/event'
import { asId, type MessageId, type SessionId, type TurnId } from '../../../../src/shared/domain/ids'

const event: AgentEvent = {
  type: 'user-message-added', v: 1, sessionId: asId<SessionId>('s'), seq: 1, atMs: 1, turnId: asId<TurnId>('t'), messageId: asId<MessageId>('m'), text: 'see',
  files: [{ path: null, name: 'Pasted picture 1', text: '', outputRef: null, content: [{ kind: 'image', mimeType: 'image/png', ref: 'r', sizeBytes: 3, name: 'Pasted picture 1' }] }],
}

test('R90 b01: a text-only model gets a note in the place of an attached picture, and the picture goes out again after switching back', async () => {
  const history = makeHistory()
  history.add(event)
  const send = (model: string, seesImages: boolean) => withPictures({ choice: { provider: 'p', model }, messages: history.messages('') }, { readBlob: () => Promise.resolve(Uint8Array.from([1, 2, 3])) }, seesImages)
  const picture = [{ role: 'pictures', parts: [{ kind: 'text', text: 'see\n\nThe user attached the picture "Pasted picture 1".' }, { kind: 'picture', mimeType: 'image/png', base64: 'AQID' }] }]
  expect(await send('sees', true)).toEqual(picture)
  const blind = JSON.stringify(await send('blind', false))
  expect(blind).not.toContain('AQID')
  expect(blind).toContain('blind')
  expect(await send('sees', true)).toEqual(picture)
})
