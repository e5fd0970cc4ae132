import { createHash } from 'node:crypto'
import { changedQuirks, type Protocol, type QuirkChanges, type Quirks } from '../../../shared/domain/catalogue'
import type { ModelChoice } from '../../../shared/domain/model'
import type { ProviderEndpoint } from '../../core/ports/providerProbe'
import { presetOf, type Catalogue, type ProtocolEntry } from './catalogue'

/** How one model of one provider is talked to. The same object as long as nothing of it changes, so that what was written for it can be kept. */
export interface Way {
  readonly protocol: Protocol
  readonly quirks: Quirks
  readonly finishReasons: ProtocolEntry['finishReasons']
  readonly lists: ProtocolEntry['lists']
  /** Bytes made before, by what they were made of (R22). */
  readonly made: WeakMap<object, Buffer>
  /** The same of messages with their thinking. */
  readonly madeThinking: WeakMap<object, Buffer>
  readonly takesId: RegExp
}

/** Finds ways. */
export interface Ways {
  /** The quirks of the protocol, changed by those of the preset, of its model, of the person's provider and of its model, and by what the server was found to refuse. */
  of(endpoint: ProviderEndpoint, model: string): Way
  /** Remembers what a server refuses. */
  learn(endpoint: ProviderEndpoint, changes: QuirkChanges): void
}

/** Makes the one place where quirks are put together. */
export function makeWays(catalogue: Catalogue): Ways {
  const kept = new Map<string, Way>()
  const learnt = new Map<string, QuirkChanges>()
  return {
    of(endpoint, model) {
      const protocol = endpoint.protocol ?? 'openai'
      const preset = endpoint.preset === undefined ? undefined : presetOf(catalogue, endpoint.preset)
      // The other protocols of a provider are at another address and have other ways.
      const known = preset?.protocol === protocol ? preset : undefined
      const changes = [known?.quirks, known?.models.find((one) => one.id === model)?.quirks, endpoint.quirks, endpoint.models?.find((one) => one.id === model)?.quirks, learnt.get(endpoint.baseUrl)]
      const key = JSON.stringify([protocol, ...changes])
      const way = kept.get(key) ?? wayFrom(protocol, catalogue.protocols[protocol], changes)
      kept.set(key, way)
      return way
    },
    learn({ baseUrl }, changes) {
      learnt.set(baseUrl, { ...learnt.get(baseUrl), ...changes })
    },
  }
}

function wayFrom(protocol: Protocol, entry: ProtocolEntry, changes: readonly (QuirkChanges | undefined)[]): Way {
  const quirks = changedQuirks(entry.quirks, changes)
  return { protocol, quirks, finishReasons: entry.finishReasons, lists: entry.lists, made: new WeakMap(), madeThinking: new WeakMap(), takesId: new RegExp(quirks.callIds, 'u') }
}

/** The id of a call as this provider takes it back. One of another form becomes nine letters and digits made from it, the form that all take. */
export function wireId(id: string, { takesId }: Pick<Way, 'takesId'>): string {
  return takesId.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 9)
}

/** The name of a call as every provider takes it back; only a name that no tool has is changed. */
export function wireName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || '_'
}

/** Where and by whom a request is answered, for whom to send thinking to: the model that made it. */
export function isSameModel(from: ModelChoice | undefined, to: ModelChoice): boolean {
  return from !== undefined && from.provider === to.provider && from.model === to.model
}
