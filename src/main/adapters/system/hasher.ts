import { createHash } from 'node:crypto'
import type { Hasher } from '../../core/ports/hasher'

/** SHA-256 by node's own implementation; text is hashed as UTF-8. */
export const sha256: Hasher = {
  ofText: (text) => createHash('sha256').update(text, 'utf8').digest('hex'),
  ofBytes: (bytes) => createHash('sha256').update(bytes).digest('hex'),
}
