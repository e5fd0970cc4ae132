import { act, cleanup, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Approvals } from '../../../src/renderer/features/approvals/Approvals'
import { connectApprovals } from '../../../src/renderer/features/approvals/approvalStore'
import type { ApprovalPreview } from '../../../src/shared/domain/approval'
import { said } from '../../../src/shared/domain/result'
import { cardWorld, request } from '../stories/world'
import { fakeBrowser, freshHost, show } from '../support'

beforeEach(() => { vi.useFakeTimers({ shouldAdvanceTime: true }); fakeBrowser() })
afterEach(() => { cleanup(); vi.useRealTimers(); vi.unstubAllGlobals() })

async function card(preview: ApprovalPreview, locale: 'en' | 'zh-CN' = 'en'): Promise<string> {
  freshHost({ 'approval/list': () => [{ ...request(preview), tool: 'fetch_url', effect: 'network', args: {}, reason: said('guard.nothing-against') }] })
  connectApprovals(() => false)
  show(<Approvals world={cardWorld()} />, locale)
  await act(() => vi.advanceTimersByTimeAsync(5))
  return region().textContent ?? ''
}

const region = () => screen.getByRole('region')
const fetching = (more: Partial<Extract<ApprovalPreview, { kind: 'fetch' }>> = {}): ApprovalPreview => ({ kind: 'fetch', url: 'https://docs.example/guide?page=2', host: 'docs.example', isPrivate: false, notes: [], ...more })

test('R102 a card shows the whole address with its host standing out, where it leads, and that nothing sent comes back', async () => {
  const text = await card(fetching())
  expect(within(region()).getByRole('group', { name: 'Address' }).textContent).toBe('https://docs.example/guide?page=2')
  expect(region().querySelector('strong.host')?.textContent).toBe('docs.example')
  expect(text).toContain('Host: docs.example · It lies in the public internet.')
  expect(text).toContain('Nothing in the folder changes. What was sent cannot be called back.')
  expect(text).not.toContain('Can be undone in full.')
  expect(text).not.toContain('opens it in your browser')
  expect((await axe.run(region(), { rules: { region: { enabled: false } } })).violations).toEqual([])
})

test('R102 look-alike letters, hidden characters and private places are said', async () => {
  expect(await card(fetching({ url: 'https://g\u0456thub.example/', host: 'xn--gthub-n2e.example' }))).toContain('The host holds letters that can look like others. Its plain form is xn--gthub-n2e.example.')
  cleanup()
  const hidden = await card(fetching({ url: 'https://docs.example/a\u202egnp.exe\u200b' }))
  expect(hidden).toContain('2 hidden characters. The text is not what it looks like.')
  expect(hidden).toContain('U+202E')
  cleanup()
  expect(await card(fetching({ url: 'http://0x7f.1:8080/', host: '127.0.0.1:8080', isPrivate: true }))).toContain('127.0.0.1:8080 · It lies in a private network; you allowed this host in the settings.')
  cleanup()
  expect(await card(fetching({ url: 'http://docs.example/' }))).toContain('Not encrypted')
})

test('R102 text of the session that goes out in an address or a question is shown', async () => {
  expect(await card(fetching({ notes: [said('web.flow-file', { path: 'plan.md', host: 'docs.example', sample: 'The quarterly forecast' })] }))).toContain('Text of plan.md goes to docs.example: “The quarterly forecast”')
  cleanup()
  const search = await card({ kind: 'web-search', query: 'harbour\u200b prices', service: 'brave', host: 'api.search.brave.com', notes: [said('web.secret-in-address', { host: 'api.search.brave.com' })] })
  expect(within(region()).getByRole('group', { name: 'Question' }).textContent).toBe('harbourU+200B prices')
  expect(search).toContain('Goes to Brave Search: api.search.brave.com')
  expect(search).toContain('Something that looks like a key or password goes to api.search.brave.com.')
})

test('R102 where something on the card warns, it does not say beside it that the guards have no objection', async () => {
  const calm: readonly ApprovalPreview[] = [fetching(), { kind: 'web-search', query: 'harbour prices', service: 'brave', host: 'api.search.brave.com', notes: [] }]
  const note = said('web.flow-file', { path: 'plan.md', host: 'docs.example', sample: 'The forecast' })
  const warned: readonly ApprovalPreview[] = [fetching({ notes: [note] }), fetching({ url: 'http://docs.example/' }), fetching({ url: 'https://docs.example/\u200b' }), fetching({ host: 'other.example' }), { kind: 'web-search', query: 'x', service: 'brave', host: 'api.search.brave.com', notes: [note] }]
  const isSaid = async (preview: ApprovalPreview): Promise<boolean> => {
    const text = await card(preview)
    cleanup()
    return text.includes('The guards have no objection.')
  }
  for (const preview of calm) expect(await isSaid(preview)).toBe(true)
  for (const preview of warned) expect(await isSaid(preview)).toBe(false)
})

test('R102 the card speaks Chinese too', async () => {
  const text = await card(fetching(), 'zh-CN')
  expect(text).toContain('它在公共互联网上。')
  expect(text).toContain('发出去的内容收不回来。')
})
