import { app } from 'electron'
import { refuseDebugger, startWindowHost } from './app/electron/start'

// In development the app's own path stands before its arguments, after Chromium's switches.
const own = app.isPackaged ? 1 : process.argv.findIndex((arg, at) => at > 0 && !arg.startsWith('-')) + 1
const args = process.argv.slice(own)

// Whichever of the hosts it would start, a package is open to no debugger.
if (refuseDebugger()) app.exit(1)
// A plain first word is a command of the headless host, which says so itself when it does not know it; so is a wish for help.
else if (/^([a-z]+|--help|-h)$/.test(args[0] ?? '')) {
  process.argv = [process.execPath, import.meta.filename, ...args]
  void import('./headless')
} else startWindowHost(args)
