import { logBlock } from '../../../shared/domain/recordBlock'
import { say } from '../../../shared/words/say'
import type { ExportItem, ExportPicture } from './exportItems'
import { factsText, momentText, speaker, type ExportHead, type ExportRecord } from './exportText'

/** The bytes of a picture as base64; null where they are gone or too many. */
export type PictureBytes = (picture: ExportPicture) => Promise<string | null>

/** Lines of the record in one piece of the page. */
const blockLines = 500

/** Types that a browser draws and that run nothing. */
const drawn: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

const style = `:root{color-scheme:light dark}body{font:15px/1.6 system-ui,sans-serif;max-width:820px;margin:32px auto;padding:0 20px;overflow-wrap:anywhere}h1{font-size:24px}h2{font-size:15px;margin:28px 0 6px}
pre,.text{white-space:pre-wrap;unicode-bidi:isolate;margin:6px 0}pre{font:13px/1.5 ui-monospace,monospace;padding:10px 12px;border:1px solid #8886;border-radius:6px}.you{border-left:4px double #0a7d5c;padding-left:12px}.agent{border-left:4px solid #7a4fd0;padding-left:12px}
.call{border-left:4px dotted #9a6a00;padding-left:12px;margin:12px 0}.hidden{opacity:.65}.small{font-size:13px}img{max-width:100%;border:1px solid #8886}table{border-collapse:collapse;width:100%;font-size:13px}th,td{text-align:left;vertical-align:top;padding:4px 8px;border-bottom:1px solid #8886}th{white-space:nowrap}code{font:12px ui-monospace,monospace}summary{cursor:pointer}`

/** A session in one file that loads nothing, runs nothing and needs nothing to be read, with what the record holds of it. */
export async function* exportHtml(head: ExportHead, items: Iterable<ExportItem>, record: ExportRecord, bytes: PictureBytes): AsyncGenerator<string> {
  yield startOf(head)
  for (const item of items) {
    yield itemOf(item, head)
    if (item.kind === 'user' || item.kind === 'call') for (const picture of item.pictures) yield await pictureOf(picture, head, bytes)
    yield '</article>\n'
  }
  yield* recordOf(record, head)
  yield '</main>\n</body>\n</html>\n'
}

function startOf(head: ExportHead): string {
  return `<!doctype html>
<html lang="${head.locale}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(head.title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escaped(head.title)}</h1>
<p class="small">${escaped(factsText(head))}</p>
`
}

/** Left open: its pictures follow. */
function itemOf(item: ExportItem, { locale }: ExportHead): string {
  const word = speaker(locale)
  const hidden = item.isHidden ? ` · ${escaped(word('session.export-rolled-back'))}` : ''
  const article = (kind: string, title: string, body: string): string => `<article class="${kind}${item.isHidden ? ' hidden' : ''}">\n<h2>${title}${hidden}</h2>\n${body}\n`
  switch (item.kind) {
    case 'user': return article('you', `${escaped(word('ui.author.you'))} · ${momentText(item.atMs)}`, textOf(item.text) + listOf(item.names))
    case 'agent': return article('agent', `${escaped(word('ui.author.agent'))} ${escaped(item.model)} · ${momentText(item.atMs)}`, foldedOf(word('session.thought'), item.thinking) + textOf(item.text))
    case 'call': return article('call', `${escaped(item.tool)}${item.seal === null ? '' : ` · ${escaped(say(locale, item.seal))}`}`, `<pre>${escaped(item.args)}</pre>\n${item.outcome === null ? '' : textOf(say(locale, item.outcome))}${listOf(item.changed)}${foldedOf(word('session.outcome'), item.text)}`)
    case 'note': return `<article class="small${item.isHidden ? ' hidden' : ''}">\n${textOf(say(locale, item.say))}`
  }
}

function textOf(text: string): string {
  return text === '' ? '' : `<div class="text">${escaped(text)}</div>\n`
}

function foldedOf(name: string, text: string): string {
  return text === '' ? '' : `<details><summary class="small">${escaped(name)}</summary><pre>${escaped(text)}</pre></details>\n`
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? '' : `<ul class="small">${names.map((name) => `<li>${escaped(name)}</li>`).join('')}</ul>\n`
}

async function pictureOf(picture: ExportPicture, { locale }: ExportHead, bytes: PictureBytes): Promise<string> {
  const base64 = drawn.has(picture.mimeType) ? await bytes(picture) : null
  if (base64 === null) return textOf(speaker(locale)('session.export-picture-left', { size: picture.sizeBytes, name: picture.name }))
  return `<p><img alt="${escaped(picture.name)}" src="data:${picture.mimeType};base64,${base64}"></p>\n`
}

function* recordOf({ lines, entries, chain, excerpt }: ExportRecord, { locale }: ExportHead): Generator<string> {
  const word = speaker(locale)
  yield `<section>\n<h2 id="record">${escaped(word('session.export-record'))}</h2>\n<p class="small">${escaped(word('session.export-record-about', { count: lines.length, entries, chain }))}</p>\n<p class="small">${escaped(word('session.export-record-part'))}</p>\n<table>\n<thead><tr>`
  yield `${(['session.export-entry', 'session.export-at', 'session.export-what', 'session.export-how', 'session.export-chain'] as const).map((code) => `<th>${escaped(word(code))}</th>`).join('')}</tr></thead>\n<tbody>\n`
  for (const line of lines) yield `<tr><td>${line.entry}</td><td>${momentText(line.atMs)}</td><td><span class="text">${escaped(line.what)}</span></td><td>${escaped(line.how)}</td><td><code>${escaped(line.chain)}</code></td></tr>\n`
  yield '</tbody>\n</table>\n'
  for (let at = 0; at < excerpt.length; at += blockLines) yield logBlock(excerpt.slice(at, at + blockLines))
  yield '</section>\n'
}

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => signs[sign] ?? sign)
}
