import { app, BrowserWindow } from 'electron'
import os from 'node:os'
import path from 'node:path'
import { said, type Said } from '../../../shared/domain/result'
import type { Settings } from '../../../shared/domain/settings'
import { locales, say, type Locale } from '../../../shared/words/say'
import { StorageFault } from '../../core/ports/storageFault'
import { makeHandlers, stoppedHandlers } from '../../ipc/handlers'
import type { WindowAbilities } from '../../ipc/windowAbilities'
import { forwardPushes, pushToAll } from '../../ipc/pushes'
import type { SenderCheck } from '../../ipc/answer'
import { registerChannels } from '../../ipc/register'
import { composeHost, type Host } from '../compose'
import type { HostOptions } from '../hostOptions'
import { openInBrowser, windowAbilities } from './abilities'
import { systemAwake, systemWakes } from './awake'
import { systemKeychain } from './keychain'
import { makeReopening } from './reopening'

/** What the window host is started with. */
export interface WindowHostOptions {
  readonly dataFolder: string
  readonly dataFolderSetBy: string | null
  readonly isOwnPage: SenderCheck['isOwnPage']
  /** A folder to open at the start, from the command line or COUNTERSIGN_OPEN. */
  readonly open: string | null
}

/** The running host of the windows. */
export interface WindowHost {
  /** Opens a folder that a second start named. */
  open(root: string): Promise<void>
  close(): Promise<void>
}

/** Composes the host behind the window, so that the shell is on screen first; channels wait for it. */
export function startHost(options: WindowHostOptions): WindowHost {
  let chosen: Locale | 'system' = 'system'
  const locale = (): Locale => fixedLocale() ?? (chosen === 'system' ? systemLocale() : chosen)
  const reopening = makeReopening(path.join(options.dataFolder, 'reopening.json'))
  const window = windowAbilities(locale)
  const abilities: WindowAbilities = {
    ...window,
    opened(root) {
      window.opened(root)
      reopening.opened()
    },
  }
  const composed = composeHost(hostOptions(options, locale))
  const ready = composed.then(async (host) => {
    const { settings } = await host.settings.read()
    chosen = settings.locale
    forwardPushes(host)
    const open = (root: string): Promise<Said | null> => openFolder(host, root, (real) => abilities.opened(real))
    const fault = await (options.open === null ? reopening.start(settings, open) : open(options.open))
    return fault === null ? host : { ...host, faults: [fault, ...host.faults] }
  })
  const opened = (host: Host) => (root: string) => {
    abilities.opened(root)
    void recoverSessions(host)
  }
  const settingsChanged = (settings: Settings): void => {
    chosen = settings.locale
    abilities.settingsChanged(settings)
  }
  const handlers = ready.then(
    (host) => makeHandlers(host, { ...abilities, opened: opened(host), settingsChanged }),
    (error: unknown) => stoppedHandlers(faultOf(error, locale()), abilities, { path: options.dataFolder, setBy: options.dataFolderSetBy }),
  )
  const removeChannels = registerChannels(handlers, { isKnownWindow: (contents) => BrowserWindow.fromWebContents(contents) !== null, isOwnPage: options.isOwnPage })
  return {
    async open(root) {
      const host = await ready.catch(() => null) // a host that did not start has said why
      const fault = host === null ? null : await openFolder(host, root, (real) => abilities.opened(real))
      if (fault !== null) pushToAll('app/fault', fault)
    },
    async close() {
      removeChannels()
      await composed.then((host) => host.close()).catch(() => undefined) // what never opened needs no closing
      await reopening.close()
    },
  }
}

function hostOptions({ dataFolder, dataFolderSetBy }: WindowHostOptions, locale: () => Locale): HostOptions {
  const builtFolder = path.basename(import.meta.dirname) === 'main' ? import.meta.dirname : path.resolve(import.meta.dirname, '..')
  return {
    dataFolder,
    dataFolderSetBy,
    workersFolder: builtFolder.replace('app.asar', 'app.asar.unpacked'),
    resourcesFolder: path.resolve(builtFolder, '../../resources'),
    home: os.homedir(),
    env: process.env,
    platform: process.platform,
    locale,
    keychain: systemKeychain,
    openAddress: openInBrowser,
    log: (note) => void process.stderr.write(`${note}\n`),
    given: null,
    chosenModel: null,
    recordsOpening: true,
    indexesAtOpening: true,
    followsQueue: true,
    isShipped: app.isPackaged,
    keepAwake: systemAwake(),
    onWake: systemWakes,
    onSnapshotProgress: (progress) => pushToAll('snapshot/progress', progress),
    onRollbackProgress: (progress) => pushToAll('rollback/progress', progress),
  }
}

/** Returns why the folder could not be opened. */
async function openFolder(host: Host, root: string, opened: (root: string) => void): Promise<Said | null> {
  const folder = await host.openWorkspace(root)
  if (!folder.ok) return folder.fault
  opened(folder.value.workspace.root)
  pushToAll('workspace/opened', folder.value.workspace)
  // Not awaited: a turn that waits for the person would keep every channel waiting, and so the question from being seen.
  void recoverSessions(host)
  return null
}

/** What a crash or an exit left in the middle of a turn is taken up; what is unknown the person decides (R84). */
async function recoverSessions(host: Host): Promise<void> {
  const ids = await host.unfinished()
  // What cannot be recorded is told by `onBroken`; the turn is taken up at the next start.
  await Promise.allSettled(ids.map((id) => host.runs.recover(id, 'ask')))
}

function fixedLocale(): Locale | null {
  return locales.find((one) => one === process.env['COUNTERSIGN_LOCALE']) ?? null
}

function systemLocale(): Locale {
  return app.getLocale().toLowerCase().startsWith('zh') ? 'zh-CN' : 'en'
}

/** A database that cannot be opened leaves a window that says so, and where the data lies (I12). */
function faultOf(error: unknown, locale: Locale): Said {
  const fault = error instanceof StorageFault ? error.fault : said('tool.failed', { problem: error instanceof Error ? error.message : String(error) })
  process.stderr.write(`${say(locale, fault)}\n`)
  return fault
}
