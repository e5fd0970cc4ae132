import { app, BrowserWindow, Menu, session } from 'electron'
import os from 'node:os'
import path from 'node:path'
import { dataFolder, prepareDataFolder } from '../dataFolder'
import { declareScheme, pageAddress, serveBundle } from './bundle'
import { developmentPolicy } from './contentPolicy'
import { findDebuggingSwitch } from './debuggingSwitch'
import { denyPermissions, fenceAllContents } from './security'
import { developmentAddress, openWindow } from './window'

/**
 * Starts the window host. Everything that has to come before `ready` happens here, in the same tick; `ready` itself must not
 * be awaited at the top level of a module, since Electron holds it back until the entry module has finished.
 */
export function startWindowHost(args: readonly string[]): void {
  const refused = app.isPackaged ? findDebuggingSwitch(process.argv) : undefined
  if (refused !== undefined) {
    process.stderr.write(`Countersign does not start with ${refused}: it would open the app to other programs.\n`)
    app.exit(1)
    return
  }
  const folder = dataFolder({ args, env: process.env, platform: process.platform, home: os.homedir(), cwd: process.cwd() })
  prepareDataFolder(folder)
  // Chromium's own state, and with it the lock of one window process, lies inside the data folder.
  app.setPath('userData', path.join(folder, 'window'))
  if (!app.requestSingleInstanceLock()) {
    app.quit()
    return
  }
  app.on('second-instance', () => showWindow())
  app.on('window-all-closed', () => app.quit())
  declareScheme()
  fenceAllContents(isOwnPage)
  app.whenReady().then(openHost, fail)
}

function openHost(): void {
  denyPermissions(session.defaultSession)
  if (developmentAddress() === undefined) {
    serveBundle(path.join(import.meta.dirname, '../renderer'))
    // macOS takes its shortcuts for copy and paste from the menu.
    if (process.platform !== 'darwin') Menu.setApplicationMenu(null)
  } else {
    useDevelopmentPolicy()
  }
  openWindow()
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
