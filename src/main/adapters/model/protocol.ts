import type { QuirkChanges, Quirks } from '../../../shared/domain/catalogue'
import type { ModelFacts, ModelMessage, ModelRequest } from '../../../shared/domain/model'
import type { ListedModel } from '../../core/ports/providerProbe'
import type { PictureMessage } from './pictures'
import type { ByteReader, ChunkTaker } from './reply'
import type { Way } from './way'

/** What a body is made of: the request, with its pictures where a protocol can hold them. */
export interface BodyAsk extends Pick<ModelRequest, 'choice' | 'tools' | 'maxOutputTokens'> {
  readonly messages: readonly (ModelMessage | PictureMessage)[]
  readonly way: Way
  readonly facts: Pick<ModelFacts, 'windowTokens' | 'maxOutputTokens'>
}

/** One protocol (R86): what is sent, and how what comes is read. It knows no provider; what differs between them is in the way. */
export interface ModelProtocol {
  readonly accept: string
  /** Its bodies say what is known of the model; without it nobody waits for that. */
  readonly usesFacts: boolean
  /** The body of a streaming request. */
  body(ask: BodyAsk): Uint8Array
  /** The form of the bytes of an answer. */
  readonly reader: ByteReader
  /** Reads what the bytes hold; one a reply. */
  taker(way: Way): ChunkTaker
  /** What to leave out or name otherwise, when a server refuses the request with these words; null when nothing would help. */
  relax(refusal: string, quirks: Quirks): QuirkChanges | null
  /** The entries of a parsed list of models; null when it is none. */
  entries(list: unknown): readonly unknown[] | null
  /** A further question about one model of the list, where the list says nothing of it. */
  readonly about?: { readonly path: string; body(model: string): string; read(answer: unknown, model: string, quirks: Quirks): ListedModel }
}
