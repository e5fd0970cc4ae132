const names = 'remote-debugging-(port|pipe|address|targets|socket-name)|inspect|inspect-brk|inspect-wait|inspect-port|debug|debug-brk|debug-port|js-flags'
/** Chromium takes one dash for two. */
const dashed = new RegExp(`^--?(${names})(=|$)`, 'i')
/** On Windows a slash as well; elsewhere that is a path. */
const slashed = new RegExp(`^/(${names})(=|$)`, 'i')

/**
 * The first switch on a command line that hands the app over to whoever can reach a port (E26); fine for development and
 * tests, never in a package.
 */
export function findDebuggingSwitch(argv: readonly string[], platform: NodeJS.Platform): string | undefined {
  return argv.find((arg) => {
    const plain = arg.trim().replaceAll('_', '-')
    return dashed.test(plain) || (platform === 'win32' && slashed.test(plain))
  })
}
