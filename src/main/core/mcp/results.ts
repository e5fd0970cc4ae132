import type { McpOrigin } from '../../../shared/domain/mcp'
import { said, type Said } from '../../../shared/domain/result'
import type { TaintSource, ToolContent, ToolOutput } from '../../../shared/domain/tool'
import type { McpCallResult, McpPart } from '../ports/mcpConnections'
import { compactJson } from './canonicalJson'
import { searchEncoded } from './encodedData'
import { cutMiddle, framedFrom, grouped, sizeText } from './frame'
import { cleanOutput, oneLine } from './hiddenText'
import { isSameJson } from './sameJson'

/**
 * Where what is not for the model is kept; both give a name in the outputs store. The caller redacts what `keepText` gets.
 * `redact` is for the pieces that go to the model: before they are cut, so that no half secret is left at a cut. `rest`
 * lets others work between the pieces of a long text.
 */
export interface ResultPorts {
  keep(bytes: Uint8Array): Promise<string>
  keepText(text: string): Promise<string>
  /** A picture as models take it; null where nobody can read it. Left out: pictures stay as they are. */
  fit?(bytes: Uint8Array): Promise<{ readonly bytes: Uint8Array; readonly mimeType: string } | null>
  redact?(text: string): string
  rest?(): Promise<void>
}

/** How much of a result the model is given. */
export interface ResultLimits {
  /** Characters of text, head and tail together. */
  readonly characters: number
  /** Parts that are no text; what is beyond is counted, not kept. */
  readonly parts: number
}

/** 30,000 characters are about 8,000 tokens of English, 4 % of a window of 200,000 (R50: head and tail, `cat` shows all). */
export const resultLimits: ResultLimits = { characters: 30_000, parts: 100 }

/** What parts of a server's answer come to for the model: `body` is framed as data from outside; `outputRef` names the whole text where `body` was cut. */
export interface PartsText {
  readonly body: string
  readonly content: readonly ToolContent[]
  readonly outputRef: string | null
  /** Nothing at all: `body` is empty then. */
  readonly isEmpty: boolean
}

/**
 * The text of parts (R49, R50): text as it is, without colour codes and with hidden characters visible; one short note for each picture, sound,
 * file and link, whose bytes are kept and never stand in the text, whether a server sends them as parts or as base64 in
 * text. Framed as data, cut to head and tail; then the last line says how much is left out and how to see all. Nothing
 * that has an address is fetched.
 */
export async function textOfParts(parts: readonly McpPart[], server: string, ports: ResultPorts, limits: ResultLimits = resultLimits): Promise<PartsText> {
  const { pieces, content } = await piecesOf(parts, ports, limits)
  return finish(pieces, content, { kind: 'mcp', server }, ports, limits)
}

/** One text from anywhere outside, cleaned, framed by where it is from, and cut in the same way; what is base64 in it stays as it is. */
export async function outsideText(raw: string, source: TaintSource, ports: ResultPorts, limits: ResultLimits = resultLimits): Promise<PartsText> {
  return finish([await cleanLong(raw, 0, raw.length, ports)], [], source, ports, limits)
}

/**
 * What a call of a server's tool comes to (R49): the sentence names server and original tool; `failed` when the server says
 * so. Structured content is added as compact JSON unless a text part is that JSON already.
 */
export async function outputOfCall(result: McpCallResult, origin: McpOrigin, ports: ResultPorts, limits: ResultLimits = resultLimits): Promise<ToolOutput> {
  const { pieces, content } = await piecesOf(result.parts, ports, limits)
  if (result.structured !== null && !isSaidAlready(result.structured, result.parts)) pieces.push(await withoutData(compactJson(result.structured), content, ports, limits))
  const { body, outputRef, isEmpty } = await finish(pieces, content, { kind: 'mcp', server: origin.server }, ports, limits)
  return {
    status: result.isError ? 'failed' : 'ok',
    say: sentenceOf(result.isError, isEmpty, { server: oneLine(origin.server, 80), tool: oneLine(origin.tool, 120) }),
    ...(isEmpty ? {} : { body }),
    ...(outputRef === null ? {} : { outputRef }),
    ...(content.length === 0 ? {} : { content }),
    taint: { kind: 'mcp', server: origin.server },
  }
}

function sentenceOf(isError: boolean, isEmpty: boolean, names: { readonly server: string; readonly tool: string }): Said {
  if (isError) return said(isEmpty ? 'mcp.call-failed-empty' : 'mcp.call-failed', names)
  return said(isEmpty ? 'mcp.no-content' : 'mcp.call-done', names)
}

async function finish(pieces: readonly string[], content: readonly ToolContent[], source: TaintSource, ports: ResultPorts, limits: ResultLimits): Promise<PartsText> {
  const text = pieces.filter((piece) => piece !== '').join('\n')
  if (text.trim() === '') return { body: '', content, outputRef: null, isEmpty: true }
  const cut = cutMiddle(text, limits.characters, (piece) => ports.redact?.(piece) ?? piece)
  const body = framedFrom(cut, source)
  if (cut.leftOut === 0) return { body, content, outputRef: null, isEmpty: false }
  const outputRef = await ports.keepText(text)
  const note = `[… ${grouped(cut.leftOut)} of ${grouped(text.length)} characters left out; cat ${JSON.stringify({ ref: outputRef })} shows all …]`
  return { body: `${body}\n${note}`, content, outputRef, isEmpty: false }
}

async function piecesOf(parts: readonly McpPart[], ports: ResultPorts, limits: ResultLimits): Promise<{ readonly pieces: string[]; readonly content: ToolContent[] }> {
  const pieces: string[] = []
  const content: ToolContent[] = []
  let others = 0
  let leftOut = 0
  for (const part of parts) {
    if (part.kind === 'text') {
      pieces.push(await withoutData(part.text, content, ports, limits))
      continue
    }
    others += 1
    if (others > limits.parts) leftOut += 1
    else pieces.push(await pieceOf(part, content, ports, limits))
  }
  if (leftOut > 0) pieces.push(`[${grouped(leftOut)} more parts that are not text left out]`)
  return { pieces, content }
}

async function pieceOf(part: Exclude<McpPart, { kind: 'text' }>, content: ToolContent[], ports: ResultPorts, limits: ResultLimits): Promise<string> {
  switch (part.kind) {
    case 'image':
    case 'audio':
      return noteOfBytes(part.bytes, part.mimeType, { kind: part.kind, name: '' }, content, ports)
    case 'resource': {
      const uri = oneLine(part.uri, 2048)
      const type = part.mimeType === null ? '' : ` (${typeText(part.mimeType)})`
      const head = part.text === null ? '' : `[resource ${uri}${type}]\n${await withoutData(part.text, content, ports, limits)}`
      if (part.bytes === null) return head === '' ? `[resource ${uri}${type}: no content]` : head
      const note = await noteOfBytes(part.bytes, part.mimeType ?? 'application/octet-stream', { kind: kindOf(part.mimeType ?? ''), name: nameOf(part.uri), of: uri }, content, ports)
      return head === '' ? note : `${head}\n${note}`
    }
    case 'link': {
      const link = { uri: oneLine(part.uri, 2048), name: oneLine(part.title || part.name, 120), description: oneLine(part.description, 300), mimeType: part.mimeType === null ? null : typeText(part.mimeType) }
      content.push({ kind: 'link', ...link })
      return `[link: ${[link.name, link.uri].filter((text) => text !== '').join(' ')}${link.mimeType === null ? '' : ` (${link.mimeType})`}${link.description === '' ? '' : ` – ${link.description}`}]`
    }
    case 'unknown':
      return `[a part of the kind ${JSON.stringify(oneLine(part.type, 80))}, which is not known here, left out]`
  }
}

interface Kept {
  readonly kind: 'image' | 'audio' | 'file'
  readonly name: string
  readonly of?: string
}

/** Keeps bytes, lists them, and gives the note that stands for them: `[image: image/png, 12 kB]`. */
async function noteOfBytes(bytes: Uint8Array, mimeType: string, { kind, name, of }: Kept, content: ToolContent[], ports: ResultPorts, isInText = false): Promise<string> {
  const type = typeText(mimeType)
  const where = of === undefined || of === '' ? '' : `, ${of}`
  if (bytes.length === 0) return `[${kind}: ${type}, empty${where}]`
  const fit = kind === 'image' && ports.fit ? await ports.fit(bytes) : { bytes, mimeType: type }
  const ref = await ports.keep(fit?.bytes ?? bytes)
  // What nobody can read as a picture must not be sent as one: a provider would refuse the whole conversation with it.
  content.push({ kind: fit === null ? 'file' : kind, mimeType: fit?.mimeType ?? type, ref, sizeBytes: (fit?.bytes ?? bytes).length, name })
  return `[${kind}: ${type}, ${sizeText(bytes.length)}${fit === null ? ', cannot be read as a picture' : ''}${where}${isInText ? `, ref ${ref}` : ''}]`
}

/** Text of a server, cleaned, with each block of base64 kept and replaced by a note with its name in the outputs store. */
async function withoutData(raw: string, content: ToolContent[], ports: ResultPorts, limits: ResultLimits): Promise<string> {
  let text = ''
  let from = 0
  for (const data of searchEncoded(raw)) {
    if (data === null) {
      await restBetween(raw, ports)
      continue
    }
    text += await cleanLong(raw, from, data.start, ports)
    const isListed = content.length < limits.parts
    text += isListed ? await noteOfBytes(data.bytes, data.mimeType, { kind: kindOf(data.mimeType), name: '' }, content, ports, true) : `[${kindOf(data.mimeType)}: ${typeText(data.mimeType)}, ${sizeText(data.bytes.length)}, left out]`
    from = data.end
  }
  return text + (await cleanLong(raw, from, raw.length, ports))
}

/** Characters cleaned at once; a piece ends behind a line where there is one. */
const pieceLength = 262_144

async function cleanLong(raw: string, start: number, end: number, ports: ResultPorts): Promise<string> {
  let text = ''
  for (let from = start; from < end; ) {
    const most = Math.min(end, from + pieceLength)
    const line = most < end ? raw.lastIndexOf('\n', most - 1) + 1 : end
    const to = line > from ? line : most - (/[\ud800-\udbff\r]/u.test(raw.charAt(most - 1)) ? 1 : 0)
    text += cleanOutput(raw.slice(from, to))
    from = to
    await restBetween(raw, ports)
  }
  return text
}

async function restBetween(raw: string, ports: ResultPorts): Promise<void> {
  if (raw.length > pieceLength) await ports.rest?.()
}

/** True when a text part is the structured content, as the specification asks of servers for older clients. */
function isSaidAlready(structured: Readonly<Record<string, unknown>>, parts: readonly McpPart[]): boolean {
  return parts.some((part) => part.kind === 'text' && part.text.trimStart().startsWith('{') && isSameJson(jsonOf(part.text), structured))
}

/** A text's JSON; undefined when it is none. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // No JSON: then it is not the structured content either.
    return undefined
  }
}

function kindOf(mimeType: string): Kept['kind'] {
  if (/^image\//iu.test(mimeType)) return 'image'
  return /^audio\//iu.test(mimeType) ? 'audio' : 'file'
}

/** A media type without its parameters; what is none is called bytes. */
function typeText(mimeType: string): string {
  return /^\s*([\w.+-]{1,40}\/[\w.+-]{1,80})/u.exec(mimeType)?.[1]?.toLowerCase() ?? 'application/octet-stream'
}

/** The last piece of an address, as a name for a file. */
function nameOf(uri: string): string {
  return oneLine(/([^/?#\\]+)(?:[?#].*)?$/u.exec(uri)?.[1] ?? '', 120)
}
