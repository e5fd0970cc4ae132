import { app, type Session, type WebContents } from 'electron'

/** Must run before `ready`: every renderer is sandboxed, and whatever contents come to life are fenced. */
export function fenceAllContents(mayNavigate: (address: string) => boolean): void {
  // It would take back a --no-sandbox, and as root Chromium then does not start at all. Windows ask for their own anyway.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
  app.on('web-contents-created', (_event, contents) => fence(contents, mayNavigate))
}

function fence(contents: WebContents, mayNavigate: (address: string) => boolean): void {
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  // One for the page's own wish, one for frames in it, one for what a server answers.
  contents.on('will-navigate', (event) => stay(event, event.url))
  contents.on('will-frame-navigate', (event) => stay(event, event.url))
  contents.on('will-redirect', (event) => stay(event, event.url))

  function stay(event: { preventDefault(): void }, address: string): void {
    if (!mayNavigate(address)) event.preventDefault()
  }
}

/** Must run before `ready`: no session, ours or one that somebody makes later, gives a page anything. */
export function denyAllPermissions(): void {
  app.on('session-created', denyPermissions)
}

/** Answers no to every permission (notifications, camera, clipboard, devices, ...), and lets nothing be downloaded. */
function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
  session.on('will-download', (event) => event.preventDefault())
}

/**
 * Must run before `ready`. Chromium itself asks nobody anything: what the app asks goes through Node, so that its own network
 * needs no names, no proxy, and none of the services it has for a browser. A page served in development keeps the names.
 */
export function closeChromiumsNetwork(hasDevelopmentPage: boolean): void {
  for (const name of ['disable-background-networking', 'disable-component-update', 'disable-domain-reliability', 'disable-sync', 'no-pings', 'no-proxy-server']) app.commandLine.appendSwitch(name)
  if (!hasDevelopmentPage) app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND')
  app.on('session-created', forgetDictionaries)
  // Else Chromium looks by itself whether the system's name server offers encryption.
  app.once('ready', () => app.configureHostResolver({ enableBuiltInResolver: false, secureDnsMode: 'off' }))
}

/**
 * Dictionaries would be fetched from a foreign server as soon as a session exists. Switching the checker off later, or in the
 * stored preferences, does not hold that back: it is the list of languages that is fetched.
 */
function forgetDictionaries(session: Session): void {
  session.setSpellCheckerLanguages([])
  session.setSpellCheckerEnabled(false)
}
