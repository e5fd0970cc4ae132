import { app, BrowserWindow } from 'electron'
import path from 'node:path'
import { pageAddress } from './bundle'

/** Where vite serves the page in `npm run dev`; a package never looks at it. */
export function developmentAddress(): string | undefined {
  return app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL']
}

/** Opens a window on the app's page and shows it once it has drawn something. */
export function openWindow(): BrowserWindow {
  const window = new BrowserWindow({
    width: 1440,
    height: 900,
    minWidth: 960,
    minHeight: 600,
    show: false,
    title: 'Countersign',
    webPreferences: {
      preload: path.join(import.meta.dirname, '../preload/index.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
      devTools: !app.isPackaged,
    },
  })
  window.once('ready-to-show', () => window.show())
  void window.loadURL(developmentAddress() ?? pageAddress)
  return window
}
