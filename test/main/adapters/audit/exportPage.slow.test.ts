// @vitest-environment jsdom
import { runInThisContext } from 'node:vm'
import { expect, test } from 'vitest'
import { callEntries, exportedPage, nastyText } from '../../../support/auditWorld'

test('R68: the exported page draws itself, filters and speaks both languages; text from the record stays text', async () => {
  const { html } = await exportedPage([...callEntries('c1', { args: { command: `<img src=x onerror=alert(1)> ${nastyText}\u202e` } }), ...callEntries('c2', { tool: 'edit_file', effect: 'write', args: { path: 'src/a.ts' } })])
  const page = new DOMParser().parseFromString(html, 'text/html')
  document.replaceChild(document.importNode(page.documentElement, true), document.documentElement)
  // Parsing runs no script: it is started by hand, as it stands in the page, and kept to itself.
  runInThisContext(`(() => {${[...document.querySelectorAll('script')].at(-1)?.textContent ?? ''}})()`)
  const state = () => document.getElementById('state')?.textContent
  await expect.poll(state).toBe('Chain intact, 8 entries')
  expect(document.querySelectorAll('tr.row')).toHaveLength(2)
  expect(document.querySelector('img, #page script')).toBe(null)
  expect(document.querySelector('.hid')?.textContent).toBe('U+0000')
  const what = document.querySelector<HTMLSelectElement>('#what')
  if (what) what.value = 'edit'
  what?.dispatchEvent(new Event('change'))
  expect([...document.querySelectorAll('td.on')].map((cell) => cell.textContent)).toEqual(['src/a.ts'])
  document.getElementById('language')?.click()
  expect(state()).toBe('链完整，8 条')
  document.querySelector<HTMLElement>('tr.row button')?.click()
  expect(document.querySelectorAll('.box pre')).toHaveLength(4)
})
