import { fireEvent, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { MarkdownView } from '../../../src/renderer/ui/markdownView'
import { fakeBrowser, show } from '../support'

beforeEach(fakeBrowser)

const draw = (text: string, isGrowing = false, onOpenLink: (url: string) => void = () => undefined) => show(<MarkdownView text={text} isGrowing={isGrowing} onOpenLink={onOpenLink} />).container

test.each([
  ['a script', '<script>alert(1)</script>'],
  ['an image with a handler', '<img src=x onerror=alert(1)>'],
  ['a frame', 'text <iframe src="https://evil.example"></iframe>'],
  ['a style', '<style>* { display: none }</style>'],
  ['a form', '<form action="https://evil.example"><input name=key></form>'],
  ['an svg', '<svg onload=alert(1)></svg>'],
])('raw HTML is inert: %s (R107)', (_name, text) => {
  const container = draw(text)
  expect(container.querySelector('script, img, iframe, style, form, input, svg')).toBeNull()
})

test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'vbscript:x', ' javascript:alert(1)', 'JaVaScRiPt:alert(1)'])('%s is no link (R107)', (url) => {
  expect(draw(`[click](${url}) and ![pic](${url})`).querySelector('a[href], img')).toBeNull()
})

test('a link of the web asks the main process to open it and goes nowhere itself', () => {
  const open = vi.fn()
  const link = draw('[docs](https://example.org/a)', false, open).querySelector('a')
  expect(link && fireEvent.click(link)).toBe(false)
  expect(open).toHaveBeenCalledWith('https://example.org/a')
})

test('an image is named and not fetched', () => {
  const container = draw('![a chart](https://example.org/track.png)')
  expect([container.textContent, container.querySelector('img')]).toEqual(['[Image, not loaded: a chart]', null])
})

test('an unclosed fence while the answer grows is already code', async () => {
  const container = draw('Look:\n\n```ts\nconst a = 1', true)
  await waitFor(() => expect(container.querySelector('pre code')?.textContent).toContain('const a = 1'))
})

test('hidden characters in code are boxes, and highlighting keeps every character', async () => {
  const container = draw('```ts\nconst a = "x\u200by" // ok\n```')
  await waitFor(() => expect(container.querySelector('pre code span[style]')).not.toBeNull(), { timeout: 8000 })
  expect(container.querySelector('pre code')?.textContent).toBe('const a = "xU+200By" // ok\n')
})
