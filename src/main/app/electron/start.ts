import { app, BrowserWindow, Menu, session } from 'electron'
import os from 'node:os'
import path from 'node:path'
import { hasStuckThread } from '../../native/threadEnd'
import { dataFolder, prepareDataFolder } from '../dataFolder'
import { declareScheme, pageAddress, serveBundle } from './bundle'
import { developmentPolicy } from './contentPolicy'
import { findDebuggingSwitch } from './debuggingSwitch'
import { closeChromiumsNetwork, denyAllPermissions, fenceAllContents } from './security'
import { startHost, type WindowHost, type WindowHostOptions } from './host'
import { developmentAddress, openWindow } from './window'

/** Says on stderr that a package does not start with a switch for debuggers (E26); false where there is none. */
export function refuseDebugger(): boolean {
  const refused = app.isPackaged ? findDebuggingSwitch(process.argv, process.platform) : undefined
  if (refused !== undefined) process.stderr.write(`Countersign does not start with ${refused}: it would open the app to other programs.\n`)
  return refused !== undefined
}

/**
 * Starts the window host. Everything that has to come before `ready` happens here, in the same tick; `ready` itself must not
 * be awaited at the top level of a module, since Electron holds it back until the entry module has finished.
 */
export function startWindowHost(args: readonly string[]): void {
  const folder = dataFolder({ args, env: process.env, platform: process.platform, home: os.homedir(), cwd: process.cwd() })
  prepareDataFolder(folder.path)
  // Chromium's own state, and with it the lock of one window process, lies inside the data folder.
  app.setPath('userData', path.join(folder.path, 'window'))
  if (!app.requestSingleInstanceLock()) {
    app.quit()
    return
  }
  declareScheme()
  fenceAllContents(isOwnPage)
  denyAllPermissions()
  closeChromiumsNetwork(developmentAddress() !== undefined)
  const start = { dataFolder: folder.path, dataFolderSetBy: folder.setBy, isOwnPage, open: folderToOpen(args, process.cwd()) }
  app.whenReady().then(() => openHost(start), fail)
}

function openHost(start: WindowHostOptions): void {
  if (developmentAddress() === undefined) {
    serveBundle(path.join(import.meta.dirname, '../renderer'))
    // macOS takes its shortcuts for copy and paste from the menu.
    if (process.platform !== 'darwin') Menu.setApplicationMenu(null)
  } else {
    useDevelopmentPolicy()
  }
  const host = startHost(start)
  openWindow()
  app.on('second-instance', (_event, argv, cwd) => {
    showWindow()
    const root = folderToOpen(argv.slice(1), cwd)
    if (root !== null) void host.open(root)
  })
  closeWith(host)
}

/** Leaving the app stops everything it started (R15) before the process goes; a waiting question is kept for the next start. */
function closeWith(host: WindowHost): void {
  let isClosed = false
  app.on('window-all-closed', () => app.quit())
  app.on('before-quit', (event) => {
    if (isClosed) return
    event.preventDefault()
    void host.close().finally(() => {
      isClosed = true
      if (hasStuckThread()) session.defaultSession.flushStorageData()
      app.quit()
    })
  })
  // The windows are gone and everything is on disk; the usual end would wait for ever for the thread.
  app.on('quit', () => {
    if (hasStuckThread()) process.kill(process.pid, 'SIGKILL')
  })
}

/** The folder named behind the switches, else by COUNTERSIGN_OPEN. */
function folderToOpen(args: readonly string[], cwd: string): string | null {
  const data = args.indexOf('--data')
  const named = args.find((arg, at) => !arg.startsWith('-') && (data === -1 || at !== data + 1) && path.resolve(cwd, arg) !== app.getAppPath())
  const folder = named ?? process.env['COUNTERSIGN_OPEN']
  return folder ? path.resolve(cwd, folder) : null
}

function showWindow(): void {
  const [window] = BrowserWindow.getAllWindows()
  if (window === undefined) {
    openWindow()
    return
  }
  if (window.isMinimized()) window.restore()
  window.focus()
}

/** A page may only load itself again. */
function isOwnPage(address: string): boolean {
  const page = developmentAddress() ?? pageAddress
  return URL.canParse(address) && new URL(address).href.split('#')[0] === new URL(page).href
}

function useDevelopmentPolicy(): void {
  session.defaultSession.webRequest.onHeadersReceived((details, answer) => {
    answer({ responseHeaders: { ...details.responseHeaders, 'content-security-policy': [developmentPolicy] } })
  })
}

function fail(error: unknown): void {
  process.stderr.write(`Countersign could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  app.exit(1)
}
