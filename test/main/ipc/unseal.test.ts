import { expect, test } from 'vitest'
import { makeHandlers } from '../../../src/main/ipc/handlers'
import type { WindowAbilities } from '../../../src/main/ipc/windowAbilities'
import type { HostServices } from '../../../src/main/services/hostServices'
import type { McpServerState } from '../../../src/shared/domain/mcp'
import { fail, said, succeed } from '../../../src/shared/domain/result'

const failed = (code: 'mcp.secret-not-set' | 'mcp.gone'): McpServerState => ({ kind: 'failed', say: said(code), advice: null, lastLine: '', exitCode: null, nextTryAtMs: null, attempt: 1, attempts: 1 })
const states: readonly (readonly [string, McpServerState])[] = [['wants-secret', failed('mcp.secret-not-set')], ['wants-sign-in', { kind: 'sign-in' }], ['broken', failed('mcp.gone')], ['idle', { kind: 'idle' }]]

test('R92 R45 one pass phrase serves keys and servers: those that failed for want of a secret may start again, no other is touched', async () => {
  const ended: string[] = []
  const mcp = { page: () => Promise.resolve({ servers: states.map(([name, state]) => ({ name, state })) }), stop: (name: string) => (ended.push(name), Promise.resolve(succeed(null))) }
  const secrets = { unseal: (phrase: string) => Promise.resolve(phrase === 'right' ? succeed(null) : fail('settings.wrong-pass-phrase')) }
  const handlers = makeHandlers({ mcp, secrets } as unknown as HostServices, {} as WindowAbilities)
  expect([await handlers['provider/unseal']({ passPhrase: 'wrong' }), ended]).toEqual([fail('settings.wrong-pass-phrase'), []])
  expect([await handlers['provider/unseal']({ passPhrase: 'right' }), ended]).toEqual([succeed(null), ['wants-secret', 'wants-sign-in']])
})
