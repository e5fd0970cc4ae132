import { parentPort, workerData } from 'node:worker_threads'
import { decodeText, isBinary } from './charset'
import { formOf } from './mediaTypes'
import type { PageText, ReaderReply, ReaderStart } from './pageReader'
import { withoutTags } from './withoutTags'

/** The thread in which one page becomes text. It is ended from outside when it takes too long or too much. */
const port = parentPort
if (!port) throw new Error('web/worker runs only as a worker thread')

async function read({ bytes, mimeType, charset, url, isCut, isPlain }: ReaderStart): Promise<PageText> {
  const isUtf16 = /^utf-?16/i.test(charset)
  if (!isUtf16 && isBinary(bytes)) return { title: '', text: '', mimeType: mimeType || 'application/octet-stream', isText: false }
  const said = formOf(mimeType)
  const text = decodeText(bytes, { header: charset, isMarkup: said !== 'text' || /xml/.test(mimeType), isCut })
  const isHtml = said === 'html' || (said === 'unknown' && /^\s{0,1000}(?:<!doctype html|<html[\s>])/i.test(text.slice(0, 2000)))
  if (!isHtml) return { title: '', text, mimeType: mimeType || 'text/plain', isText: true }
  if (isPlain) return { ...withoutTags(text), mimeType: mimeType || 'text/html', isText: true }
  // The libraries take longer to load than most texts to read.
  const { mainText } = await import('./mainText')
  return { ...mainText(text, url), mimeType: mimeType || 'text/html', isText: true }
}

read(workerData as ReaderStart).then(
  (page) => port.postMessage({ kind: 'read', page } satisfies ReaderReply),
  (error: unknown) => port.postMessage({ kind: 'failed', problem: error instanceof Error ? error.message : String(error) } satisfies ReaderReply),
)
