import os from 'node:os'
import path from 'node:path'
import type { HostOptions } from '../app/hostOptions'
import { dataFolder, prepareDataFolder } from '../app/dataFolder'

/** What the host needs to know of this machine and this command line. The workers lie beside the built entry. */
export function hostOptions(values: Readonly<Record<string, string | boolean | undefined>>): Omit<HostOptions, 'given' | 'chosenModel'> {
  const data = values['data']
  const folder = dataFolder({ args: typeof data === 'string' ? ['--data', data] : [], env: process.env, platform: process.platform, home: os.homedir(), cwd: process.cwd() })
  prepareDataFolder(folder.path)
  return {
    dataFolder: folder.path,
    workersFolder: builtFolder,
    resourcesFolder: path.resolve(builtFolder, '../../resources'),
    home: os.homedir(),
    env: process.env,
    platform: process.platform,
    dataFolderSetBy: folder.setBy,
    locale: () => 'en',
    keychain: null,
    openAddress: null,
    log: (note) => void process.stderr.write(`${note}\n`),
    recordsOpening: false,
    indexesAtOpening: false,
    isShipped: process.env['COUNTERSIGN_TEST'] !== '1',
  }
}

/** `out/main`, also when this module was bundled into a chunk below it. */
const builtFolder = path.basename(import.meta.dirname) === 'main' ? import.meta.dirname : path.resolve(import.meta.dirname, '..')
