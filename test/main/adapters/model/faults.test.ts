import { describe, expect, test } from 'vitest'
import { faultOfError } from '../../../../src/main/adapters/model/faults'
import { retryAfterMs, waitBefore } from '../../../../src/main/adapters/model/retry'
import { said } from '../../../../src/shared/domain/result'
import { say } from '../../../../src/shared/words/say'

// R89: each error in words with what to do; retries with back-off and Retry-After.

const context = { provider: 'api.example', model: 'm', key: null, proxy: null }
const failing = (code: string, message = code): Error => Object.assign(new Error(message), { code })

describe('R89: connections that failed', () => {
  test.each([
    [failing('ENOTFOUND'), 'The name api.example was not found. Check the address in Models and your network.', false],
    [failing('EAI_AGAIN'), 'The name api.example was not found. Check the address in Models and your network.', true],
    [new AggregateError([failing('ECONNREFUSED')]), 'Nothing answers at api.example. Start the server there, or check the address and port in Models.', true],
    [failing('ENETUNREACH'), 'The network does not reach api.example (ENETUNREACH). Check your network, then send again.', true],
    [failing('UND_ERR_CONNECT_TIMEOUT'), 'api.example did not answer in 10 seconds. Check the address, your network or your proxy, then send again.', true],
    [failing('CERT_HAS_EXPIRED'), 'The certificate of api.example was not accepted (CERT_HAS_EXPIRED). Nothing was sent. Check the address; behind a company proxy, add its certificate with NODE_EXTRA_CA_CERTS.', false],
    [failing('SELF_SIGNED_CERT_IN_CHAIN'), /certificate .* was not accepted/, false],
    [Object.assign(new Error('fetch failed'), { cause: failing('ERR_TLS_CERT_ALTNAME_INVALID') }), /certificate .* was not accepted/, false],
    [failing('UND_ERR_SOCKET', 'other side closed'), 'The connection to api.example was closed before it answered. Send again to retry.', true],
    [failing('ECONNRESET'), /was closed before it answered/, true],
  ])('%s', (error, words, canRetry) => {
    const fault = faultOfError(error, context)
    const sentence = say('en', fault.say)
    if (typeof words === 'string') expect(sentence).toBe(words)
    else expect(sentence).toMatch(words)
    expect([fault.kind, fault.canRetry]).toEqual(['network', canRetry])
    expect(say('zh-CN', fault.say)).not.toMatch(/\{\w+\}/)
  })
})

describe('R89: when to come back', () => {
  const header = (values: Readonly<Record<string, string>>) => (name: string) => values[name]
  const now = Date.parse('2030-01-01T00:00:00Z')

  test.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '1.5' }, 1500],
    [{ 'retry-after': 'Tue, 01 Jan 2030 00:00:20 GMT' }, 20_000],
    [{ 'retry-after': 'Mon, 31 Dec 2029 00:00:20 GMT' }, 0],
    [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('%j', (values, ms) => {
    expect(retryAfterMs(header(values as Readonly<Record<string, string>>), now)).toBe(ms)
  })

  test('waits double, are bounded in number and length, and yield to what the provider asks for', () => {
    const policy = { times: 3, baseMs: 100, longestMs: 1000 }
    const fault = { kind: 'server' as const, say: said('turn.empty'), canRetry: true }
    expect([1, 2, 3, 4].map((retry) => waitBefore(retry, fault, policy, 0))).toEqual([100, 200, 400, null])
    expect(waitBefore(3, fault, policy, 1)).toBe(500)
    expect(waitBefore(1, { ...fault, retryAfterMs: 900 }, policy, 1)).toBe(900)
    expect(waitBefore(1, { ...fault, retryAfterMs: 1001 }, policy, 0)).toBeNull()
    expect(waitBefore(1, { ...fault, canRetry: false }, policy, 0)).toBeNull()
    expect(waitBefore(1, { ...fault, kind: 'empty' }, policy, 0)).toBeNull()
    expect([1, 2].map((retry) => waitBefore(retry, { ...fault, kind: 'stalled' }, policy, 0))).toEqual([100, null])
  })
})
