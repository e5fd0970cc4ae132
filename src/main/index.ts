import { app } from 'electron'
import { startWindowHost } from './app/electron/start'

// In development the app's path stands before its own arguments, after Chromium's switches.
const args = app.isPackaged ? process.argv.slice(1) : process.argv.slice(process.argv.findIndex((arg, at) => at > 0 && !arg.startsWith('-')) + 1)

startWindowHost(args)
