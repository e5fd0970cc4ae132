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

test.each([
  ['[your bank](https://evil.example/x?y#z)', 'your bank (evil.example/x?y#z)'],
  ['[https://bank.example](https://evil.example/)', 'https://bank.example (evil.example)'],
  ['[**bank.example**](https://evil.example)', 'bank.example (evil.example)'],
  ['[bank](https://bank.example@evil.example/)', 'bank (evil.example)'],
  ['[b\u0430nk](https://b\u0430nk.example/)', 'b\u0430nk (xn--bnk-6cd.example)'],
  ['<https://example.org/a>', 'https://example.org/a'],
  ['https://example.org/a and [example.org](https://example.org/)', 'https://example.org/a and example.org'],
  [`[x](https://evil.example/${'a'.repeat(3000)})`, `x (evil.example/${'a'.repeat(39)}…)`],
  ['[broken](https://[/)', 'broken'],
])('E27 a link whose words are not its address shows where it leads: %s', (text, expected) => {
  expect(draw(text).textContent).toBe(expected)
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

const marked = (text: string, isGrowing = false): string | undefined => draw(text, isGrowing).querySelector('p')?.innerHTML.replace(/ (class|data-streamdown)="[^"]*"/g, '')

test.each([
  ['中文**粗。**后', '中文<strong>粗。</strong>后'],
  ['**“引号”**后', '<strong>“引号”</strong>后'],
  ['前**“引号”**后', '前<strong>“引号”</strong>后'],
  ['**注意：**请看', '<strong>注意：</strong>请看'],
  ['**重要（必读）**内容', '<strong>重要（必读）</strong>内容'],
  ['他说**“好”。**然后', '他说<strong>“好”。</strong>然后'],
  ['文字**`代码`**文字', '文字<strong><code>代码</code></strong>文字'],
  ['**100%**增长', '<strong>100%</strong>增长'],
  ['这是*强调，*后文', '这是<em>强调，</em>后文'],
  ['***全。***后', '<em><strong>全。</strong></em>后'],
  ['删~~除。~~后', '删<del>除。</del>后'],
  ['前~~（旧）~~后', '前<del>（旧）</del>后'],
  ['**「引用」**です', '<strong>「引用」</strong>です'],
  ['**안녕.**하세요', '<strong>안녕.</strong>하세요'],
  ['中文 ** 不是 ** 中文', '中文 ** 不是 ** 中文'],
])('emphasis beside Chinese, Japanese and Korean needs no spaces: %s', (text, html) => {
  expect(marked(text)).toBe(html)
})

test('emphasis beside Chinese stands while the answer grows, and is closed before its end has come', () => {
  expect([marked('中文**粗。**后', true), marked('删~~除。~~后', true), marked('中文**粗。', true)]).toEqual(['中文<strong>粗。</strong>后', '删<del>除。</del>后', '中文<strong>粗。</strong>'])
})

test.each([
  ['a **bold.** word', 'a <strong>bold.</strong> word'],
  ['a**b.**c', 'a**b.**c'],
  ['foo**“bar”**baz', 'foo**“bar”**baz'],
  ['*em* and ~~gone.~~ next', '<em>em</em> and <del>gone.</del> next'],
  ['删~除。~后', '删~除。~后'],
  ['2 * 3 * 4 and snake_case_name', '2 * 3 * 4 and snake_case_name'],
])('what needs no mending is as CommonMark has it: %s', (text, html) => {
  expect(marked(text)).toBe(html)
})

test.each([
  ['words', 'a\u202eb **c\u200bd** [e\u2066f](https://example.org)', 'aU+202Eb cU+200Bd eU+2066f (example.org)', 3],
  ['inline code', 'run `rm\u200b -rf\u00a0x`', 'run rmU+200B -rfU+00A0x', 2],
  ['raw HTML', 'a <b\u200bc> d', 'a <bU+200Bc> d', 1],
  ['a table', '| a\u200f |\n| - |\n| b\ufeff |', 'aU+200FbU+FEFF', 2],
  ['the name of an image', '![a\u202eb](https://example.org/x.png)', '[Image, not loaded: aU+202Eb]', 1],
])('hidden characters in an answer are boxes: in %s (R70)', (_name, text, shown, boxes) => {
  const container = draw(text)
  expect([container.textContent, container.querySelectorAll('.hid').length]).toEqual([shown, boxes])
  expect(container.textContent).not.toMatch(/[\u200b\u200f\u202e\u2066\ufeff]/)
})

test('hidden characters are boxes while the answer grows, and say what they are', () => {
  const box = draw('a\u202eb', true).querySelector<HTMLElement>('.hid')
  expect([box?.textContent, box?.title]).toEqual(['U+202E', 'character that changes the direction of text'])
})

test('joined emoji and the spaces of typesetting stay whole in an answer, in code the emoji', () => {
  const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u2764\ufe0f\u200d\u{1f525}'
  const container = draw(`${family} 5\u00a0km \`${family}\``)
  expect([container.textContent, container.querySelector('.hid')]).toEqual([`${family} 5\u00a0km ${family}`, null])
})
