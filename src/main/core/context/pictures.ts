import { said } from '../../../shared/domain/result'
import type { ModelImage, ModelMessage } from '../../../shared/domain/model'
import type { ToolContent } from '../../../shared/domain/tool'
import { say } from '../../../shared/words/say'

/** Most pictures of one message, and of a whole request. */
const ofMessage = { count: 10, bytes: 20 << 20 }
const ofRequest = { count: 20, bytes: 40 << 20 }

type Pictured = Extract<ModelMessage, { readonly role: 'user' | 'tool' }>

/** The pictures of a message that are sent with it, and a line about those that are not. Beyond 10 or 20 MB the later ones stay behind. */
export function picturesOf(content: readonly ToolContent[]): { readonly images: readonly ModelImage[]; readonly notice: string } {
  const images: ModelImage[] = []
  const all = content.flatMap((part) => (part.kind === 'image' ? [{ ref: part.ref, mimeType: part.mimeType, sizeBytes: part.sizeBytes }] : []))
  let bytes = 0
  for (const image of all) {
    if (images.length === ofMessage.count || bytes + image.sizeBytes > ofMessage.bytes) continue
    images.push(image)
    bytes += image.sizeBytes
  }
  const left = all.length - images.length
  return { images, notice: left === 0 ? '' : say('en', said('model.note', { fact: said('model.pictures-many', { count: left }) })) }
}

/** A text with the pictures that go with it. */
export interface PicturedText {
  readonly text: string
  readonly images?: readonly ModelImage[]
}

/** Makes it: the words of a message, and what of its content is sent as pictures. */
export function pictured(text: string, content: readonly ToolContent[]): PicturedText {
  const { images, notice } = picturesOf(content)
  const whole = notice === '' ? text : `${text}\n${notice}`
  return images.length === 0 ? { text: whole } : { text: whole, images }
}

/**
 * The messages with only the newest pictures, so that a long history cannot grow a request without bound. When more than 20,
 * or 40 MB, came together, messages give up theirs from the oldest on until half of that is left: so the beginning of the
 * request changes once for many pictures, and providers can reuse it in between (R23). What is given up depends on the order
 * of the messages alone. Unchanged messages, and a message that gave up its pictures before, are the same objects as last time.
 */
export function withoutOldPictures(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const kept: { readonly at: number; readonly count: number; readonly bytes: number }[] = []
  const given = new Set<number>()
  messages.forEach((message, at) => {
    if (!isPictured(message)) return
    const images = message.images ?? []
    kept.push({ at, count: images.length, bytes: images.reduce((sum, image) => sum + image.sizeBytes, 0) })
    if (isWithin(kept, 1)) return
    // The newest message keeps its pictures: the model has not seen them yet.
    while (kept.length > 1 && !isWithin(kept, 2)) given.add(kept.shift()?.at ?? at)
  })
  if (given.size === 0) return messages
  return messages.map((message, at) => (given.has(at) && isPictured(message) ? bareOf(message) : message))
}

function isWithin(kept: readonly { readonly count: number; readonly bytes: number }[], part: number): boolean {
  const count = kept.reduce((sum, one) => sum + one.count, 0)
  const bytes = kept.reduce((sum, one) => sum + one.bytes, 0)
  return count <= ofRequest.count / part && bytes <= ofRequest.bytes / part
}

const bare = new WeakMap<ModelMessage, ModelMessage>()

function bareOf(message: Pictured): ModelMessage {
  const known = bare.get(message)
  if (known) return known
  const { images = [], ...rest } = message
  const made = { ...rest, text: `${message.text}\n${say('en', said('model.note', { fact: said('model.pictures-older', { count: images.length }) }))}` }
  bare.set(message, made)
  return made
}

function isPictured(message: ModelMessage): message is Pictured {
  return (message.role === 'user' || message.role === 'tool') && (message.images?.length ?? 0) > 0
}
