import { expect, test } from 'vitest'
import { OutputBook } from '../../../src/renderer/features/work/outputBook'
import { asId, type CallId } from '../../../src/shared/domain/ids'

test('what a command printed in a trial is gone when it runs for real (R73)', () => {
  const book = new OutputBook()
  const callId = asId<CallId>('c')
  const tails: string[] = []
  book.onTail(callId, () => tails.push(book.tail(callId)))
  book.append(callId, 'tried\n')
  book.begin(callId)
  book.append(callId, 'ran\n')
  expect([tails, book.read(callId)]).toEqual([['tried', '', 'ran'], 'ran\n'])
})
