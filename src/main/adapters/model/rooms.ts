import type { Protocol } from '../../../shared/domain/catalogue'
import { anthropic } from './anthropic/protocol'
import { ollama } from './ollama/protocol'
import { openai } from './openai/protocol'
import type { ModelProtocol } from './protocol'

/** The room of each protocol. */
export const rooms: Readonly<Record<Protocol, ModelProtocol>> = { openai, anthropic, ollama }
