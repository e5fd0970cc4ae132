import { contextBridge } from 'electron'

contextBridge.exposeInMainWorld('host', Object.freeze({}))
