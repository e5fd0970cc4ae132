import type { SnapshotStore } from '../core/ports/snapshotStore'
import type { TextOf } from '../core/snapshot/takeBack'
import { textOfBytes } from './textOfBytes'

/** So many contents are asked for at once. */
const oidsTogether = 200
/** A larger content is no text that anybody would merge. */
const largestText = 8 << 20

/** Reads contents, many at once; each becomes a text when somebody looks at it. Null for what was not read, too. */
export async function readTexts(oids: readonly string[], store: SnapshotStore): Promise<TextOf> {
  const bytes = new Map<string, Uint8Array>()
  for (let from = 0; from < oids.length; from += oidsTogether) {
    const asked = oids.slice(from, from + oidsTogether)
    const found = await store.blobs(asked, largestText)
    asked.forEach((oid, at) => {
      const content = found[at]
      if (content instanceof Uint8Array) bytes.set(oid, content)
    })
  }
  const texts = new Map<string, string | null>()
  return (oid) => {
    const known = texts.get(oid)
    if (known !== undefined) return known
    const content = bytes.get(oid)
    const text = content === undefined ? null : textOfBytes(content)
    texts.set(oid, text)
    return text
  }
}

const longestLabel = 200

/** Whole characters, with a sign where something is missing. */
export function cut(text: string): string {
  const characters = [...text]
  return characters.length <= longestLabel ? text : `${characters.slice(0, longestLabel - 1).join('')}…`
}
