/** Switches that hand the app over to whoever can reach a port; fine for development and tests, never in a package. */
const debuggingSwitch = /^--(remote-debugging-(port|pipe|address)|inspect|inspect-brk|inspect-wait|inspect-port|debug|debug-brk|js-flags)(=|$)/

/** The first switch on a command line that opens the app to a debugger. */
export function findDebuggingSwitch(argv: readonly string[]): string | undefined {
  return argv.find((arg) => debuggingSwitch.test(arg))
}
