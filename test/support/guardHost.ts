import path from 'node:path'
import { composeHost, type Host } from '../../src/main/app/compose'

/** A whole host over `home`, `data` and `project` below one folder; only the model is scripted. `repository`: where the builds lie. */
export function guardHost(base: string, baseUrl: string, repository: string): Promise<Host> {
  return composeHost({
    dataFolder: path.join(base, 'data'), dataFolderSetBy: null, workersFolder: path.join(repository, 'out/main'), resourcesFolder: path.join(repository, 'resources'), home: path.join(base, 'home'),
    env: { PATH: process.env['PATH'], HOME: path.join(base, 'home') }, platform: process.platform, locale: () => 'en', keychain: null, openAddress: null, recordsOpening: false, indexesAtOpening: false,
    given: { baseUrl, model: 'm' }, chosenModel: null, log: () => undefined,
  })
}
