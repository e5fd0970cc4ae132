import { contextBridge, ipcRenderer, webUtils, type IpcRendererEvent } from 'electron'
import { functionName } from '../shared/ipc/bridge'
import { channels, pushes } from '../shared/ipc/channels'

/** Only pushes of the one list can be heard; the event object, which holds the sender, never reaches the page. */
function on(push: string, listener: (body: unknown) => void): () => void {
  if (!(pushes as readonly string[]).includes(push)) throw new Error(`no such push: ${push}`)
  const heard = (_event: IpcRendererEvent, body: unknown): void => listener(body)
  ipcRenderer.on(push, heard)
  return () => void ipcRenderer.removeListener(push, heard)
}

/** Only a file that the person dropped has a path. */
function droppedPath(file: unknown): string {
  return file instanceof File ? webUtils.getPathForFile(file) : ''
}

const doors = channels.map((channel) => [functionName(channel), (ask: unknown) => ipcRenderer.invoke(channel, ask)] as const)

contextBridge.exposeInMainWorld('host', Object.freeze({ ...Object.fromEntries(doors), on, droppedPath }))
