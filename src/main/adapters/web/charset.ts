/**
 * Text of bytes: by the mark at their start, else by what the header says, else by what the page says of itself, else UTF-8
 * or Western. A cut may lie inside a character: what is unfinished at the end of a cut text is left out.
 */
export function decodeText(bytes: Uint8Array, { header, isMarkup, isCut }: { readonly header: string; readonly isMarkup: boolean; readonly isCut: boolean }): string {
  const named = byMark(bytes) ?? decoderOf(header) ?? (isMarkup ? decoderOf(namedInside(bytes)) : null)
  if (named !== null) return new TextDecoder(named).decode(bytes, { stream: isCut })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function byMark(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null
}

/** The name as it is known here, GBK and GB2312 as their superset; null for one that is not. */
function decoderOf(name: string): string | null {
  if (name === '') return null
  try {
    const known = new TextDecoder(name).encoding
    return known === 'gbk' ? 'gb18030' : known
  } catch {
    return null
  }
}

/** A page tells in its first bytes. One that says UTF-16 in plain letters is not UTF-16. */
function namedInside(bytes: Uint8Array): string {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 4096))
  const name = /<meta\s[^>]{0,400}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(start)?.[1] ?? /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})/i.exec(start)?.[1] ?? ''
  return /^utf-?16/i.test(name) ? 'utf-8' : name
}

/** A zero byte is in no text; a program or a picture has one near its start. */
export function isBinary(bytes: Uint8Array): boolean {
  return byMark(bytes) === null && bytes.subarray(0, 8192).includes(0)
}
