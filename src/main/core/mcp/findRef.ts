import { isRaw, type Raw } from './shape'

/** Schemas looked at for an anchor or an identifier. */
const maxSearched = 20_000

/**
 * What a `$ref` points at inside its own document: `#`, a JSON pointer, an anchor, or the identifier of a part, each also
 * behind the identifier of the document. Undefined for what lies elsewhere or nowhere: nothing is ever fetched.
 */
export function findRef(root: Raw, ref: string): unknown {
  const [address, fragment] = splitOnce(ref, '#')
  const isOwn = address === '' || address === root['$id'] || address === root['id']
  const base = isOwn ? root : findPart(root, (part) => part['$id'] === address || part['id'] === address)
  if (base === undefined) return undefined
  if (fragment === '') return base
  if (fragment.startsWith('/')) return atPointer(base, fragment)
  return findPart(root, (part) => part['$anchor'] === fragment || part['$dynamicAnchor'] === fragment || part['$id'] === `#${fragment}` || part['id'] === `#${fragment}`)
}

/** What to call the target of a reference. */
export function refName(ref: string): string {
  const last = ref.split(/[/#]/u).at(-1) ?? ''
  return unescape(last)
}

function splitOnce(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

function atPointer(root: unknown, pointer: string): unknown {
  let value = root
  for (const step of pointer.slice(1).split('/').map(unescape)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Raw)[step]
  }
  return value
}

function unescape(step: string): string {
  const plain = step.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    // A lone % is no escape: the name is meant as it stands.
    return plain
  }
}

function findPart(root: Raw, fits: (part: Raw) => boolean): Raw | undefined {
  const waiting: unknown[] = [root]
  for (let at = 0; at < waiting.length && at < maxSearched; at += 1) {
    const value = waiting[at]
    if (isRaw(value) && fits(value)) return value
    if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) waiting.push(part)
  }
  return undefined
}
