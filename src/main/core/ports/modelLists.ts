import type { ListedModel } from './providerProbe'

/** What a provider listed, and when it came. */
export interface KeptList {
  readonly atMs: number
  readonly models: readonly ListedModel[]
}

/** The last lists of models that came, by the address of their provider, from one start of the app to the next. They can be asked for again: what cannot be read or written is done without, and nothing rejects. */
export interface ModelLists {
  read(): Promise<Readonly<Record<string, KeptList>>>
  keep(baseUrl: string, list: KeptList): Promise<void>
}
