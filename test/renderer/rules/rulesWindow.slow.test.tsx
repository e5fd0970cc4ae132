import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useApp } from '../../../src/renderer/app/appStore'
import { openRule } from '../../../src/renderer/app/wishes'
import { defaultSettings } from '../../../src/shared/domain/settings'
import { said } from '../../../src/shared/domain/result'
import type { MemoryHost } from '../../support/memoryHost'
import { testCard } from '../stories/approvalWorld'
import { command, ruleAnswers } from '../stories/ruleStories'
import { events, sessionId, sessions, waitingCall, workDrafts, workspace } from '../stories/world'
import { doing, fakeBrowser, freshHost, settle, showWindow } from '../support'

let stop: () => void = () => undefined
beforeEach(fakeBrowser)
afterEach(() => { stop(); cleanup(); vi.unstubAllGlobals() })

async function open(isAsked = false): Promise<MemoryHost> {
  const memory = freshHost({
    ...ruleAnswers('rules'),
    'app/start': () => ({ version: '1', platform: 'linux', locale: 'en', settings: defaultSettings, faults: [], stopped: null, workspace, recent: [], sandbox: { kind: 'none', reason: said('approval.no-sandbox'), canTry: false, testedAtMs: 0 }, audit: { entries: 7, chain: 'x' }, dataFolder: { path: '/d', setBy: null } }),
    'session/list': () => sessions,
    'session/read': ({ sessionId: id }) => (id === sessionId ? events([...workDrafts, ...(isAsked ? waitingCall(testCard) : [])]) : []),
    'approval/list': () => (isAsked ? [testCard] : []),
  })
  ;({ stop } = await showWindow())
  await settle(80)
  return memory
}

const press = async (name: string | RegExp): Promise<void> => {
  await doing(() => { fireEvent.click(screen.getByRole('button', { name })) })
  await settle(120)
}
const page = (): HTMLElement => screen.getByRole('region', { name: 'Permissions' })
const back = (): Promise<void> => doing(() => { useApp.setState({ page: 'work' }) })

test('R63 R69: from a waiting card to a rule and back to its question, which nothing answered meanwhile', async () => {
  const memory = await open(true)
  await settle(800)
  fireEvent.keyDown(screen.getByRole('button', { name: 'More ways to allow' }), { key: 'Enter' })
  await settle()
  await doing(() => { fireEvent.click(screen.getByRole('menuitem', { name: 'Always, as a rule…' })) })
  await settle(500)
  expect(memory.asked.find(({ channel }) => channel === 'permission/propose')?.ask).toEqual({ callId: testCard.callId })
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'New rule, tried on your past' }))
  await press('Save rule')
  expect(page().contains(document.activeElement) || document.activeElement === page()).toBe(true)
  await press('Back to the question')
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Approval' }))
  expect(memory.asked.filter(({ channel }) => channel === 'approval/decide')).toEqual([])
})

test('R69: the trust bar, the settings and the palette lead to the page', async () => {
  await open()
  await doing(() => { fireEvent.click(within(screen.getByRole('contentinfo')).getByText(/^Asks for/)) })
  await settle(120)
  expect(page()).toBeTruthy()
  expect(within(screen.getByRole('navigation', { name: 'Pages' })).getByText('Settings').closest('a')?.getAttribute('aria-current')).toBe('page')

  await doing(() => { fireEvent.keyDown(document.body, { key: ',', ctrlKey: true }) })
  await settle(120)
  await press('Permissions…')
  expect(page()).toBeTruthy()

  await back()
  await doing(() => { fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true }) })
  fireEvent.change(screen.getByRole('combobox', { name: /./ }), { target: { value: 'New rule' } })
  await doing(() => { fireEvent.keyDown(screen.getByRole('combobox', { name: /./ }), { key: 'Enter' }) })
  await settle(200)
  expect(screen.getByRole('region', { name: 'New rule, tried on your past' })).toBeTruthy()
})

test('R69: what a seal asks for opens the rule, also from a page that was never opened before', async () => {
  await open()
  await doing(() => openRule('12'))
  await settle(200)
  expect(screen.getByRole('region', { name: 'Rule 12, tried on your past' })).toBeTruthy()
})

test('R69: a drawer over the work lists, explains and revokes what is live', async () => {
  const memory = await open()
  await press('6 allowed')
  const drawer = screen.getByRole('dialog', { name: 'Allowed now' })
  const items = within(drawer).getAllByRole('listitem').filter((item) => item.className.includes('grant'))
  expect(items.map((item) => item.querySelector('p')?.textContent)).toEqual(['Covers every page of this host.', 'Covers these files whatever is written there.', 'Covers every call of this tool, with any arguments.', 'Covers it with other words too.', 'Covers it with other words too.', 'Covers it with other words too.'])
  const result = await axe.run(drawer, { rules: { 'color-contrast': { enabled: false }, region: { enabled: false } } })
  expect(result.violations.map(({ id }) => id)).toEqual([])
  await press('Revoke: mcp__docs__search')
  expect(memory.asked.find(({ channel }) => channel === 'permission/revoke')?.ask).toEqual({ of: { grant: 'g3', sessionId: 's2' } })
  expect(within(drawer).getByText('Revoked: mcp__docs__search. It asks again from the next call on.')).toBeTruthy()
  await press('Edit rule 9')
  expect(screen.queryByRole('dialog')).toBe(null)
  expect(screen.getByRole('region', { name: 'Rule 9, tried on your past' })).toBeTruthy()
})

test('R69: a past call and the call a permission was given at can be looked at', async () => {
  await open()
  await doing(() => { useApp.setState({ page: 'permissions' }) })
  await settle(120)
  await doing(() => { fireEvent.click(screen.getAllByRole('button', { name: /^To the call: you/ })[0] ?? document.body) })
  await settle(120)
  expect(useApp.getState().page).toBe('work')
})

test('R69: another host, or the end of a turn, changes what is shown at once', async () => {
  const memory = await open()
  await doing(() => { useApp.setState({ page: 'permissions' }) })
  await settle(120)
  await doing(() => memory.push('permission/changed', { grants: [], rules: [{ rule: { id: '40', effect: 'allow', shape: command('make test'), workspaceId: workspace.id, expiresAtMs: null, usesLeft: null, createdFromCall: null, createdAtMs: 0, lastUsedAtMs: null, uses: 0 }, isUnused: false, shadowedBy: null, tooWide: null, workspaceName: workspace.name }] }))
  expect(screen.getByText('1 live, 1 rule')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Revoke: make test' })).toBeTruthy()
})
