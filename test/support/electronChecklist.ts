/**
 * The thirty rules for Electron, in one table. Their tests are named by `item` and lie where they can be asserted: in a window
 * (test/e2e/checklist.test.ts), in the app as a package starts it (test/e2e/packaged.test.ts), in the repository
 * (test/main/app/electron/checklist.test.ts). The last one fails when a rule has no test.
 */
export const electronItems = {
  E1: 'only local content, or https',
  E2: 'no node in a page, a worker or a frame',
  E3: 'contexts are isolated, and the preload gives named functions only',
  E4: 'every renderer is sandboxed',
  E5: 'every permission is refused',
  E6: 'web security stays on',
  E7: 'a strict content policy comes as a header and is obeyed',
  E8: 'no insecure content in a secure page',
  E9: 'no experimental features',
  E10: 'no Blink features are switched on',
  E11: 'the webview tag is off',
  E12: 'a webview is never attached',
  E13: 'navigation is blocked',
  E14: 'no second window is opened by a page',
  E15: 'only https and mailto leave, after the person saw the address and said yes',
  E16: 'a current Electron',
  E17: 'the sender of every call is checked',
  E18: 'the arguments of every call are validated in main',
  E19: 'approvals are bound, and a page cannot loosen the asking level',
  E20: 'a scheme of our own serves the bundle and nothing else',
  E21: 'the fuses are set',
  E22: 'a version whose ASAR integrity counts',
  E23: 'secrets by the keychain, and honest where there is none',
  E24: 'no update channel without a signature',
  E25: 'children get a named environment',
  E26: 'no developer tools and no debugger in a package',
  E27: 'what a model writes is text',
  E28: 'one window process a data folder, for its owner alone',
  E29: 'nothing listens',
  E30: 'nothing of a folder is configuration before it is trusted',
} as const

export type ElectronItem = keyof typeof electronItems

/** The name of a test: the number, the rule, and which part of it. */
export function item(number: ElectronItem, part = ''): string {
  return `${number} ${electronItems[number]}${part === '' ? '' : `: ${part}`}`
}

/** Says on the terminal why a rule cannot be asserted here, for a test to be skipped with. */
export function missing(number: ElectronItem, reason: string): string {
  process.stderr.write(`${number} is not asserted here: ${reason}\n`)
  return reason
}
