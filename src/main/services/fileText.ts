import type { FileView } from '../../shared/ipc/fileViews'
import { decodeFile, lineEndsOf } from '../core/tools/textFile'
import { textOfBytes } from './textOfBytes'

const gb18030 = new TextDecoder('gb18030', { fatal: true })

/** What the viewer shows of a file's bytes: its text with how it was read, or that it is none. */
export function viewOf(path: string, bytes: Uint8Array): FileView {
  const sizeBytes = bytes.length
  const read = textOf(bytes)
  return read === null ? { kind: 'binary', path, sizeBytes } : { kind: 'text', path, ...read, lineEnds: lineEndsOf(read.text), sizeBytes }
}

function textOf(bytes: Uint8Array): Pick<Extract<FileView, { readonly kind: 'text' }>, 'text' | 'encoding'> | null {
  // By far most files, and read by the system's own decoder.
  const plain = bytes[0] === 0xef ? null : textOfBytes(bytes)
  if (plain !== null && !/[\u0001-\u0006]/u.test(plain)) return { text: plain, encoding: 'UTF-8' }
  const file = decodeFile(bytes)
  if (file === null) return null
  if (file.encoding !== 'bytes') return { text: file.text, encoding: file.encoding }
  const chinese = chineseOf(bytes)
  return chinese === null ? { text: file.text, encoding: 'Latin-1' } : { text: chinese, encoding: 'GB18030' }
}

/** Nearly every pair of bytes is some character of GB18030: it is taken for Chinese where all are, and most are of the common ones. */
function chineseOf(bytes: Uint8Array): string | null {
  try {
    const text = gb18030.decode(bytes)
    const beyond = text.match(/[^\0-\x7f]/gu) ?? []
    const common = beyond.filter((character) => /[\u4e00-\u9fa5\u3000-\u303f\uff00-\uffef]/u.test(character))
    return beyond.length > 0 && common.length / beyond.length > 0.9 ? text : null
  } catch {
    return null
  }
}
