import type { CatalogueRow, Protocol, Quirks } from '../domain/catalogue'
import type { ModelFacts } from '../domain/model'

/** A model where it is served, with what is known of it there; a null fact is not known, which is not zero. */
export interface ModelRow {
  readonly id: string
  readonly name: string | null
  readonly facts: ModelFacts
  /** Who told its prices; `here`: it runs on this computer, which costs nothing; null where nobody did. */
  readonly pricesFrom: 'you' | 'catalogue' | 'here' | null
  /** Pages where the catalogue read it. */
  readonly sources: readonly string[]
}

/** A provider that can be used by giving its key. */
export interface OfferedProvider extends CatalogueRow {
  /** Environment variables that may hold its key. */
  readonly keyVariables: readonly string[]
  readonly needsKey: boolean
}

/** How requests leave this computer, and what chose that. */
export interface NetworkFacts {
  /** Host and port, never a password; `variable` is the one that was read. */
  readonly proxies: readonly { readonly variable: string; readonly host: string }[]
  readonly exempt: { readonly variable: string; readonly hosts: string } | null
  /** Further authorities that are trusted. `isRead` is false where the file could not be read: then they are not. */
  readonly authority: { readonly file: string; readonly from: 'settings' | 'environment'; readonly variable: string | null; readonly isRead: boolean } | null
}

/** The page of models: what can be set up, and the models of every provider that is known, by its id. */
export interface CataloguePage {
  readonly offered: readonly OfferedProvider[]
  readonly models: Readonly<Record<string, readonly ModelRow[]>>
  /** When the list of a provider came last, by its id; left out where none ever did. */
  readonly listedAtMs: Readonly<Record<string, number>>
  /** What each protocol says of its fields, before a provider or the person changes any. */
  readonly quirks: Readonly<Partial<Record<Protocol, Quirks>>>
  readonly network: NetworkFacts
}

/** What a provider lists now; `fresh` are those that were not known before. */
export interface RefreshedModels {
  readonly models: readonly ModelRow[]
  readonly fresh: readonly string[]
  readonly listedAtMs: number
}
