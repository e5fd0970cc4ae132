import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { testSandbox, useApp } from '../../../src/renderer/app/appStore'
import { SandboxSetting } from '../../../src/renderer/features/settings/SandboxSetting'
import type { SandboxFacts } from '../../../src/shared/domain/sandbox'
import { sandboxNone, sandboxOn } from '../stories/approvalWorld'
import { doing, fakeBrowser, freshHost, settle, show, showWindow } from '../support'

afterEach(() => { cleanup(); vi.unstubAllGlobals() })

test.each([
  ['on', sandboxOn, 'On, bubblewrap', 'Self-test passed at 09:12: writing outside refused, network refused. “Try” is possible'],
  ['on without copies', { ...sandboxOn, canTry: false }, 'On, bubblewrap', '“Try” is not possible here.'],
  ['none', sandboxNone, 'None', 'bubblewrap is not installed. Install the package bubblewrap, then test again. A command that is allowed can do anything you can, and its card says so. Tested at 09:12.'],
  ['testing', { kind: 'testing' }, 'Being tested', ''],
] as const)('the settings tell the last self-test of the sandbox honestly: %s (R72)', (_, facts: SandboxFacts, chip, about) => {
  show(<SandboxSetting facts={facts} onTest={() => undefined} />)
  expect([document.querySelector('.chip')?.textContent, document.body.textContent?.includes(about)]).toEqual([chip, true])
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Test again' }).disabled).toBe(facts.kind === 'testing')
})

test('a new test is said everywhere at once, and so is what main finds by itself (R72)', async () => {
  fakeBrowser()
  const memory = freshHost({ 'sandbox/test': () => sandboxOn })
  const { stop } = await showWindow()
  const bar = () => screen.getByRole('contentinfo', { name: 'Guards' }).textContent
  await doing(() => memory.push('sandbox/changed', sandboxNone))
  expect(bar()).toContain('No sandbox')
  expect(screen.getByTitle(/bubblewrap is not installed/)).toBeDefined()
  await doing(() => { void testSandbox() })
  expect(bar()).toContain('Sandbox on, network off')
  await doing(() => memory.push('sandbox/changed', { kind: 'testing' }))
  expect(bar()).toContain('Sandbox being tested')
  await settle()
  stop()
  expect(useApp.getState().start?.sandbox).toEqual({ kind: 'testing' })
})
