import type { AttachedFile, MessageAttachment } from '../../../shared/domain/event'
import { said } from '../../../shared/domain/result'
import { say } from '../../../shared/words/say'
import { framed } from '../mcp/frame'
import { oneLine } from '../mcp/hiddenText'

/**
 * A message as the model reads it: the user's own words, then each attached resource with a line that says what it is, in
 * its frame as data from outside (R50). A text that was stored without a frame is given one.
 */
export function withAttachments(text: string, attachments: readonly MessageAttachment[], files: readonly AttachedFile[] = []): string {
  const parts = attachments.map((one) => {
    const values = { server: oneLine(one.server, 80), name: JSON.stringify(oneLine(one.name, 120)), uri: oneLine(one.uri, 2048) }
    return `${say('en', said('model.attached', values))}\n${isFramed(one) ? one.text : framed(one.text, one.server)}`
  })
  return [...(text.trim() === '' ? [] : [text]), ...parts, ...files.map(fileText)].join('\n\n')
}

/** A file of the project stands as `read_file` gives it, one from elsewhere in its frame; of a picture its name is told. */
function fileText({ path, name, text }: AttachedFile): string {
  const told = JSON.stringify(oneLine(path ?? name, 300))
  if (text === '') return say('en', said('attach.for-model.picture', { name: told }))
  return `${say('en', path === null ? said('attach.for-model.outside', { name: told }) : said('attach.for-model.project', { path: told }))}\n${text}`
}

function isFramed({ text, server }: MessageAttachment): boolean {
  return text.startsWith(framed('', server).split('\n')[0] ?? '')
}
