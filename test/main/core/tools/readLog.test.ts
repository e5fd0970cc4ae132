import { expect, test } from 'vitest'
import { notingReadLog, readLogAfter } from '../../../../src/main/core/tools/readLog'
import { asId } from '../../../../src/shared/domain/ids'
import { said } from '../../../../src/shared/domain/result'
import type { AgentEvent } from '../../../../src/shared/domain/event'

const finished = (seen: readonly { readonly path: string; readonly hash: string | null }[], seq: number): AgentEvent => ({
  type: 'tool-finished', v: 1, sessionId: asId('s'), seq, atMs: seq, turnId: asId('t'), step: 1, callId: asId(`c${seq}`), status: 'ok', say: said('tool.answered'), text: '', changed: [], seen, exitCode: null, outputRef: null, durationMs: 0,
})

test('R103 R84 what was read before a restart is still known after it, with the last content seen; what was forgotten is not', () => {
  const log = readLogAfter([finished([{ path: 'a', hash: '1' }, { path: 'b', hash: '1' }], 1), finished([{ path: 'a', hash: '2' }, { path: 'b', hash: null }], 2)])
  expect([log.get('a'), log.get('b'), log.get('c')]).toEqual(['2', undefined, undefined])
})

test('R103 a call notes what it adds, and the log knows it at once', () => {
  const log = readLogAfter([])
  const noting = notingReadLog(log, () => 5)
  noting.log.set('a', '1')
  noting.log.forget('a')
  noting.log.set('b', '2')
  expect({ seen: noting.seen, known: [log.get('a'), log.get('b')] }).toEqual({ seen: [{ path: 'a', hash: '1' }, { path: 'a', hash: null }, { path: 'b', hash: '2' }], known: [undefined, '2'] })
})
