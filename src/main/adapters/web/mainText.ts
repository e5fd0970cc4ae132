import { gfm } from '@joplin/turndown-plugin-gfm'
import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import TurndownService from 'turndown'
import { withoutTags, type MainText } from './withoutTags'

/** Beyond these a page costs seconds for each library, and is given without its tags. */
const mostTags = 250_000
const mostElements = 40_000
/** Looking for the article takes longest by far. */
const mostSearched = 15_000

/**
 * The main text of a page as Markdown (R102): what Readability finds, or the whole body where it finds nothing or next to
 * nothing. Links are absolute and of the web; scripts, styles, forms' hidden values, and text that is hidden by its own
 * attributes or styles are left out. Text hidden by a style sheet, by its colour or its place is not known here and stays. Nothing is
 * run or loaded.
 */
export function mainText(html: string, url: string): MainText {
  try {
    return countOf(html, '<') > mostTags ? withoutTags(html) : structured(html, url)
  } catch (error) {
    // Nested deeper than the libraries can follow.
    if (error instanceof RangeError) return withoutTags(html)
    throw error
  }
}

function structured(html: string, url: string): MainText {
  const { document } = parseHTML(withBody(html)) as unknown as { readonly document: Page }
  const title = (document.querySelector('title')?.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, 500)
  const base = baseOf(document, url)
  clean(document)
  makeAbsolute(document, base)
  const onward = refreshOf(html, base)
  const note = onward === null ? '' : `\n\n(The page asks to go on to ${onward}. That was not done.)`
  const elements = document.querySelectorAll('*').length
  if (elements > mostElements) return { title, text: withoutTags(document.toString()).text + note }
  const whole = document.body.innerHTML
  if (elements > mostSearched) return { title, text: markdownOf(whole) + note }
  const wholeLength = lengthOf(document.body.textContent)
  const article = new Readability(document as unknown as Document, { keepClasses: true }).parse()
  const isFound = article?.content != null && lengthOf(article.textContent) * 8 >= Math.min(wholeLength, 4000)
  return { title: title || (article?.title ?? '').slice(0, 500), text: markdownOf(isFound ? (article.content ?? '') : whole) + note }
}

/** The tags of the whole and its two parts may be left out; the parser makes none of its own. */
function withBody(html: string): string {
  if (/<html[\s>]/i.test(html) && /<body[\s>]/i.test(html)) return html
  return `<html><body>${html.replace(/<!doctype[^>]{0,500}>|<\/?(?:html|head|body)(?:\s[^>]{0,2000})?>/gi, '')}</body></html>`
}

/** What is used of linkedom, whose own types say little. */
interface Element {
  readonly textContent: string | null
  readonly innerHTML: string
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  removeAttribute(name: string): void
  replaceWith(other: unknown): void
  remove(): void
}
interface Page {
  readonly body: Element
  querySelector(selector: string): Element | null
  querySelectorAll(selector: string): { readonly length: number; forEach(each: (element: Element) => void): void }
  createTextNode(text: string): unknown
  toString(): string
}

/** What nobody sees, and what is no text. */
const unseen = 'script, style, noscript, noembed, noframes, template, iframe, object, embed, svg, canvas, audio, video, head > link, [hidden], [aria-hidden="true" i], input, select, textarea, button, dialog:not([open])'
const hiding = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|content-visibility\s*:\s*hidden|opacity\s*:\s*0*(?:0|\.0+)\s*(?:;|!|$)|font-size\s*:\s*0*(?:0|\.0+)(?:px|em|rem|pt|%)?\s*(?:;|!|$))/i

function clean(document: Page): void {
  document.querySelectorAll(unseen).forEach((element) => element.remove())
  document.querySelectorAll('[style]').forEach((element) => {
    if (hiding.test(plainStyle(element.getAttribute('style') ?? ''))) element.remove()
  })
  document.querySelectorAll('base, meta, title').forEach((element) => element.remove())
}

/** Without comments and escapes, which mean nothing to who reads a style. */
function plainStyle(style: string): string {
  return style.replace(/\/\*[^*]{0,500}\*\//g, '').replace(/\\([0-9a-f]{1,6})\s?/gi, (_, hex: string) => String.fromCodePoint(Math.min(parseInt(hex, 16), 0x10ffff)))
}

function baseOf(document: Page, url: string): string {
  const href = document.querySelector('base[href]')?.getAttribute('href') ?? ''
  return webHref(href, url) ?? url
}

/** Links and pictures of other schemes (javascript:, data:, file:) keep their words and lose their address. */
function makeAbsolute(document: Page, base: string): void {
  document.querySelectorAll('a').forEach((link) => {
    const href = webHref(link.getAttribute('href') ?? '', base)
    if (href === null) link.removeAttribute('href')
    else link.setAttribute('href', href)
  })
  document.querySelectorAll('img').forEach((picture) => {
    const src = webHref(picture.getAttribute('src') ?? '', base)
    const words = (picture.getAttribute('alt') ?? '').trim()
    if (src === null || words === '') picture.replaceWith(document.createTextNode(words))
    else picture.setAttribute('src', src)
  })
}

/** Null for what is no address of the web; places in the page itself too. */
function webHref(href: string, base: string): string | null {
  const text = href.trim()
  if (text === '' || text.startsWith('#') || !URL.canParse(text, base)) return null
  const url = new URL(text, base)
  return url.protocol === 'http:' || url.protocol === 'https:' || url.protocol === 'mailto:' ? url.href : null
}

/** Where the page would send a browser by itself. */
function refreshOf(html: string, base: string): string | null {
  const meta = /<meta\s[^>]{0,300}?http-equiv\s*=\s*["']?refresh["']?[^>]{0,2000}>/i.exec(html)?.[0] ?? ''
  const to = /url\s*=\s*['"]?([^"'>\s;]{1,2000})/i.exec(meta)?.[1] ?? ''
  return to === '' ? null : webHref(to, base)
}

function markdownOf(html: string): string {
  const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', emDelimiter: '*' })
  service.use(gfm)
  return service.turndown(html).replace(/[ \t]+$/gm, '').replace(/\n{3,}/g, '\n\n').trim()
}

function lengthOf(text: string | null | undefined): number {
  return (text ?? '').replace(/\s+/g, ' ').trim().length
}

function countOf(text: string, character: string): number {
  let count = 0
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count += 1
  return count
}
