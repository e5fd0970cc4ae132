// @vitest-environment jsdom
import { runInThisContext } from 'node:vm'
import { expect, test } from 'vitest'
import { callEntries, exportedPage, nastyText } from '../../../support/auditWorld'

test('R68: the page of a part vouches for itself alone, in both languages', async () => {
  const { html } = await exportedPage([...callEntries('c1'), ...callEntries('c2')], {}, new Set([2, 8]))
  const page = new DOMParser().parseFromString(html, 'text/html')
  document.replaceChild(document.importNode(page.documentElement, true), document.documentElement)
  runInThisContext(`(() => {${[...document.querySelectorAll('script')].at(-1)?.textContent ?? ''}})()`)
  const state = () => document.getElementById('state')?.textContent
  await expect.poll(state).toBe('This part is whole and unbroken: entries 2 to 8, 2 shown and 5 left out with their hashes in place. What is before and after is not in it.')
  expect(document.querySelectorAll('tr.row')).toHaveLength(2)
  document.getElementById('language')?.click()
  expect(state()).toBe('此部分完整无断裂：第 2 到 8 条，显示 2 条，略去 5 条并由其哈希占位。之前和之后的内容不在其中。')
})

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
