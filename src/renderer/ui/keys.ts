/** What of a key press matters here; both React's and the DOM's events fit. */
export interface Press {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
  readonly repeat?: boolean
}

/** True while an input method composes: the key belongs to it, whatever it is (R12, R106). */
export function isComposing(event: { readonly nativeEvent?: { readonly isComposing?: boolean; readonly keyCode?: number }; readonly isComposing?: boolean; readonly keyCode?: number }): boolean {
  const { nativeEvent } = event
  return event.isComposing === true || nativeEvent?.isComposing === true || event.keyCode === 229 || nativeEvent?.keyCode === 229
}

const isMac = typeof navigator !== 'undefined' && /Mac/i.test(navigator.platform)

/** ⌘ on macOS, Ctrl elsewhere, and no other modifier than Shift. */
export function hasMod(press: Press): boolean {
  return (isMac ? press.metaKey && !press.ctrlKey : press.ctrlKey && !press.metaKey) && !press.altKey
}

/** A shortcut as people write it here: `Ctrl K`, on macOS `⌘K`. */
export function keyName(keys: string): string {
  return isMac ? keys.replaceAll('Mod+', '⌘').replaceAll('Shift+', '⇧') : keys.replaceAll('Mod', 'Ctrl').replaceAll('+', ' ')
}
