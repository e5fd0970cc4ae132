import type { ModelImage, ModelMessage, ModelRequest } from '../../../shared/domain/model'
import { said, type Said } from '../../../shared/domain/result'
import { say } from '../../../shared/words/say'

/** Where pictures come from. */
export interface PictureSource {
  /** The bytes behind a name of the outputs store; null when they are gone. */
  readBlob(ref: string): Promise<Uint8Array | null>
}

/** A user message that holds pictures, in the protocol's parts. */
export interface PictureMessage {
  readonly role: 'pictures'
  readonly parts: readonly ({ readonly kind: 'text'; readonly text: string } | { readonly kind: 'picture'; readonly mimeType: string; readonly base64: string })[]
}

type ToolMessage = Extract<ModelMessage, { readonly role: 'tool' }>
type Part = PictureMessage['parts'][number]
type Sight = Pick<PictureSource, 'readBlob'> & { readonly model: string; readonly isBlind: boolean }

/** Picture types that every provider with eyes takes. */
const pictureTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
/** A larger one is refused by most; nothing is scaled here. */
const pictureBytes = 5 << 20

/** Whether any message holds one. */
export function hasPictures({ messages }: Pick<ModelRequest, 'messages'>): boolean {
  return messages.some(holdsPictures)
}

/**
 * The messages with their pictures where the protocol can hold them. A result can hold none: the pictures of a step's
 * results follow in one user message right behind the last of them, each with a line that says whose it is, so that every
 * result still stands behind its call (R5, R32). In place of each picture that is not sent stands a notice (R90): the model
 * takes none or nobody says that it does, its type or size is not taken, or it is gone. A message without pictures is the
 * same object as before. Pictures are sent as they are: they are not scaled.
 */
export async function withPictures(request: Pick<ModelRequest, 'choice' | 'messages'>, source: PictureSource | undefined, seesImages: boolean): Promise<readonly (ModelMessage | PictureMessage)[]> {
  if (!hasPictures(request)) return request.messages
  const sight: Sight = { readBlob: (ref) => source?.readBlob(ref) ?? Promise.resolve(null), model: request.choice.model, isBlind: !seesImages }
  const out: (ModelMessage | PictureMessage)[] = []
  let waiting: Part[] = []
  for (const message of request.messages) {
    if (message.role !== 'tool' && waiting.length > 0) {
      out.push({ role: 'pictures', parts: waiting })
      waiting = []
    }
    if (message.role === 'tool' && holdsPictures(message)) {
      const { result, parts } = await ofResult(message, sight)
      out.push(result)
      waiting.push(...parts)
    } else if (message.role === 'user' && holdsPictures(message)) {
      out.push({ role: 'pictures', parts: [{ kind: 'text', text: message.text }, ...(await Promise.all((message.images ?? []).map((image) => partOf(image, sight))))] })
    } else {
      out.push(message)
    }
  }
  return waiting.length > 0 ? [...out, { role: 'pictures', parts: waiting }] : out
}

/** The result without its pictures, notices for those that cannot be sent, and the parts that are to follow. */
async function ofResult(message: ToolMessage, sight: Sight): Promise<{ readonly result: ToolMessage; readonly parts: readonly Part[] }> {
  const all = await Promise.all((message.images ?? []).map((image) => partOf(image, sight)))
  const notices = all.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
  const pictures = all.filter((part) => part.kind === 'picture')
  const { images: _sent, ...bare } = message
  const result = notices.length === 0 ? bare : { ...bare, text: [message.text, ...notices].join('\n') }
  if (pictures.length === 0) return { result, parts: [] }
  const whose: Part = { kind: 'text', text: noticeOf(said('model.pictures-of', { count: pictures.length, tool: message.name, id: message.providerCallId })) }
  return { result, parts: [whose, ...pictures] }
}

async function partOf(image: ModelImage, { readBlob, model, isBlind }: Sight): Promise<Part> {
  const values = { mimeType: image.mimeType, sizeBytes: image.sizeBytes }
  if (isBlind) return notice(said('model.picture-unseen', { ...values, model }))
  if (!pictureTypes.has(image.mimeType)) return notice(said('model.picture-type', values))
  if (image.sizeBytes > pictureBytes) return notice(said('model.picture-large', { ...values, limitBytes: pictureBytes }))
  const bytes = await readBlob(image.ref)
  return bytes === null ? notice(said('model.picture-gone', values)) : { kind: 'picture', mimeType: image.mimeType, base64: Buffer.from(bytes).toString('base64') }
}

function notice(fact: Said): Part {
  return { kind: 'text', text: noticeOf(fact) }
}

function noticeOf(fact: Said): string {
  return say('en', said('model.note', { fact }))
}

function holdsPictures(message: ModelMessage): boolean {
  return (message.role === 'user' || message.role === 'tool') && (message.images?.length ?? 0) > 0
}
