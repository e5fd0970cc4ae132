import type { CatalogueProvider, Protocol, Quirks } from '../../shared/domain/catalogue'
import type { NetworkFacts } from '../../shared/ipc/modelViews'
import type { Clock } from '../core/ports/clock'
import type { ModelLists } from '../core/ports/modelLists'
import type { ProviderProbe } from '../core/ports/providerProbe'
import type { SecretStore } from '../core/ports/secretStore'
import type { SettingsStore } from '../core/ports/settingsStore'

/** A provider given by the environment or the command line. */
export interface GivenProvider {
  readonly baseUrl: string
  readonly model: string | null
}

/** What the service of providers needs. */
export interface ProvidersPorts {
  readonly settings: SettingsStore
  readonly secrets: SecretStore
  readonly probe: ProviderProbe
  /** The lists of models that came before this start. */
  readonly lists: ModelLists
  readonly clock: Clock
  /** The providers that are known (R87). */
  readonly catalogue: readonly CatalogueProvider[]
  /** What each protocol says of its fields. */
  readonly quirks: Readonly<Partial<Record<Protocol, Quirks>>>
  readonly given: GivenProvider | null
  /** Whether that is of the command line: then it goes before what was picked for a session too. */
  readonly isGivenForRun: boolean
  /** `PROVIDER/MODEL` chosen for this run only; it goes before what is picked or active. */
  readonly chosen: string | null
  /** May hold keys under the names that the catalogue has for them (R92). */
  readonly environment: Readonly<Record<string, string>>
  /** How requests leave this computer, to be shown. */
  readonly network: NetworkFacts
  /** The address by which the model adapter knows the tutor; never reached over a network. */
  readonly practiceUrl: string
  readonly practiceModel: string
}
