import { resolve } from 'node:path'
import { loadCatalogue } from '../../../../src/main/adapters/model/catalogue'
import { createModelClient, type ModelClientParts } from '../../../../src/main/adapters/model/client'
import { openNetwork } from '../../../../src/main/adapters/model/network'
import type { ModelClient } from '../../../../src/main/core/ports/modelClient'
import { makeWays, type Way } from '../../../../src/main/adapters/model/way'
import type { ProviderEndpoint } from '../../../../src/main/core/ports/providerProbe'
import type { Protocol } from '../../../../src/shared/domain/catalogue'
import type { ModelRequest, StreamPart } from '../../../../src/shared/domain/model'
import { say } from '../../../../src/shared/words/say'

export const catalogue = await loadCatalogue(resolve(import.meta.dirname, '../../../../resources'))

/** How a model is talked to, by protocol or by whatever an endpoint says. */
export function wayOf(protocol: Protocol, model = 'fake-model', endpoint: Partial<ProviderEndpoint> = {}): Way {
  return makeWays(catalogue).of({ baseUrl: 'http://127.0.0.1', key: null, protocol, ...endpoint }, model)
}

/** A client of one provider, with waits too short to notice. */
export function clientOf(baseUrl: string, parts: Partial<ModelClientParts> & { readonly key?: string; readonly env?: Readonly<Record<string, string>>; readonly stall?: number; readonly at?: Partial<ProviderEndpoint> } = {}): { readonly client: ModelClient; readonly close: () => Promise<void> } {
  const network = openNetwork(parts.env ?? {})
  const client = createModelClient({
    catalogue,
    network,
    inProcess: {},
    endpoint: () => Promise.resolve({ baseUrl, key: parts.key ?? null, ...parts.at }),
    stallMs: () => Promise.resolve(parts.stall ?? 20_000),
    retries: { times: 3, baseMs: 1, longestMs: 5_000 },
    ...parts,
  })
  return { client, close: () => network.close() }
}

export const request: ModelRequest = { choice: { provider: 'p', model: 'fake-model' }, messages: [{ role: 'user', text: 'go' }], tools: [] }

export async function partsOf(client: ModelClient, ask: ModelRequest = request, signal: AbortSignal = new AbortController().signal): Promise<readonly StreamPart[]> {
  const parts: StreamPart[] = []
  for await (const part of client.stream(ask, signal)) parts.push(part)
  return parts
}

/** What the parts say, short: text joined, faults in English words. */
export function told(parts: readonly StreamPart[]): readonly string[] {
  return parts.flatMap((part) => {
    switch (part.kind) {
      case 'text-delta': return [`text ${part.text}`]
      case 'retrying': return [`retrying ${part.attempt} ${part.fault.kind}`]
      case 'stopped': return [`stopped ${part.reason}`]
      case 'failed': return [`failed ${part.fault.kind} ${part.fault.canRetry}: ${say('en', part.fault.say)}`]
      default: return [part.kind]
    }
  })
}
