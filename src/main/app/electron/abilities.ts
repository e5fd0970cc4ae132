import { app, BrowserWindow, dialog, shell, type MessageBoxOptions } from 'electron'
import type { Locale } from '../../../shared/words/say'
import type { WindowAbilities } from '../../ipc/windowAbilities'
import { pushToAll } from '../../ipc/pushes'
import { readTextFile, writeTextFile } from './textFile'
import { browserAddress, externalAddress } from './externalAddress'
import { editorQuestion, levelQuestion, linkQuestion, yes } from './question'

/** What only a window can do. Dialogs are the system's own, so that the page cannot press their buttons. */
export function windowAbilities(locale: () => Locale): WindowAbilities {
  const confirm = makeConfirm()
  return {
    version: app.getVersion(),
    platform: process.platform,
    locale,
    async chooseFolder() {
      const window = shownWindow()
      if (!window) return null
      const { canceled, filePaths } = await dialog.showOpenDialog(window, { properties: ['openDirectory', 'createDirectory'] })
      return canceled ? null : (filePaths[0] ?? null)
    },
    async chooseTextFile() {
      const window = shownWindow()
      if (!window) return null
      const { canceled, filePaths } = await dialog.showOpenDialog(window, { properties: ['openFile'] })
      const file = filePaths[0]
      return canceled || file === undefined ? null : readTextFile(file)
    },
    async saveTextFile(suggestedName, text) {
      const window = shownWindow()
      if (!window) return null
      const { canceled, filePath } = await dialog.showSaveDialog(window, { defaultPath: suggestedName })
      return canceled || filePath === '' ? null : writeTextFile(filePath, text)
    },
    async chooseSaveFile(suggestedName) {
      const window = shownWindow()
      if (!window) return null
      const { canceled, filePath } = await dialog.showSaveDialog(window, { defaultPath: suggestedName })
      return canceled || filePath === '' ? null : filePath
    },
    showFolder: async (folder) => (await shell.openPath(folder)) === '',
    openBySystem: async (file) => (await shell.openPath(file)) === '',
    showFile: (file) => shell.showItemInFolder(file),
    confirmEditor: (words) => confirm(editorQuestion(locale(), words)),
    confirmLooserLevel: (level) => confirm(levelQuestion(locale(), level)),
    async openLink(url) {
      const address = externalAddress(url)
      if (address !== undefined && (await confirm(linkQuestion(locale(), address)))) await shell.openExternal(address)
    },
    opened: (root) => BrowserWindow.getAllWindows().forEach((window) => window.setTitle(`${root} · Countersign`)),
    providerTestStep: (body) => pushToAll('provider/test-step', body),
    mcpTestStep: (body) => pushToAll('mcp/test-step', body),
    settingsChanged: (settings) => pushToAll('settings/changed', settings),
  }
}

function shownWindow(): BrowserWindow | undefined {
  return BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0]
}

/** For an address that the person agreed to on a card, or that signs them in: nobody is asked a second time. */
export async function openInBrowser(url: string): Promise<void> {
  const address = browserAddress(url)
  if (address !== undefined) await shell.openExternal(address)
}

/** One question at a time: a page that was taken over could ask until somebody presses yes to be left alone. */
function makeConfirm(): (question: MessageBoxOptions) => Promise<boolean> {
  let isAsking = false
  return async (question) => {
    if (isAsking) return false
    isAsking = true
    try {
      const { response } = await dialog.showMessageBox(question)
      return response === yes
    } finally {
      isAsking = false
    }
  }
}
