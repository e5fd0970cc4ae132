import type { Locale } from '../../shared/words/say'
import type { Keychain } from '../adapters/secrets/secretStore'
import type { WakeNews } from '../core/ports/wakeNews'
import type { GivenProvider } from '../services/providerPorts'
import type { SnapshotPorts } from '../services/snapshotPorts'

/** What a host is made of; the same for the window and the command line. */
export interface HostOptions {
  readonly dataFolder: string
  /** Names what chose the data folder, for the settings page; null for the default place. */
  readonly dataFolderSetBy: string | null
  /** `out/main`, where the built workers lie. */
  readonly workersFolder: string
  readonly resourcesFolder: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly locale: () => Locale
  readonly keychain: Keychain | null
  /** A provider by command line; the environment's is found here. */
  readonly given: GivenProvider | null
  /** `PROVIDER/MODEL` for this run only. */
  readonly chosenModel: string | null
  /** The person's word on a command line for this process: all that an opened folder brings takes part, or nothing (R43). Left out: what was decided in the window. */
  readonly trustsFolders?: 'all' | 'nothing'
  /** Whether opening a folder becomes an entry of its timeline. */
  readonly recordsOpening: boolean
  /** Whether the index of a project is made when its folder is opened; otherwise with the first search, which waits for it. */
  readonly indexesAtOpening: boolean
  /** Whether this is the app as it is shipped: then a request with a fault of ours is repaired and told to `log`; else it throws. */
  readonly isShipped?: boolean
  /** Told about oddities that were passed over; for whoever looks for a fault, never for the person. */
  readonly log: (note: string) => void
  /** Opens an https or loopback address in the person's browser, once they agreed; null where nobody could see it. */
  readonly openAddress: ((url: string) => Promise<void>) | null
  /** Whether a message that waits begins a turn of its own once one has ended: where a person is there to see it. Left out: no. */
  readonly followsQueue?: boolean
  /** Keeps the system awake, or lets it sleep again (R112). Left out where nothing can. */
  readonly keepAwake?: (isAwake: boolean) => void
  /** Left out where nothing tells. */
  readonly onWake?: WakeNews
  readonly onSnapshotProgress?: NonNullable<SnapshotPorts['onProgress']>
  readonly onRollbackProgress?: NonNullable<SnapshotPorts['onRollback']>
}
