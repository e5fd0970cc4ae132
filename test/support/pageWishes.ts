/** Every permission that Chromium knows by name; older and newer ones know some of them not. */
export const permissionNames: readonly string[] = [
  'accelerometer', 'ambient-light-sensor', 'background-fetch', 'background-sync', 'camera', 'captured-surface-control', 'clipboard-read', 'clipboard-write', 'display-capture', 'geolocation', 'gyroscope',
  'idle-detection', 'keyboard-lock', 'local-fonts', 'local-network-access', 'magnetometer', 'microphone', 'midi', 'nfc', 'notifications', 'payment-handler', 'periodic-background-sync', 'persistent-storage',
  'pointer-lock', 'screen-wake-lock', 'speaker-selection', 'storage-access', 'system-wake-lock', 'window-management',
]

/** What a page got that asked for everything. */
export interface Granted {
  /** How many names this Chromium knows. */
  readonly known: number
  readonly states: readonly string[]
  readonly given: readonly string[]
}

/** Runs in a page: asks for each permission, and then for the thing itself, as after a click. What never answers gave nothing. */
export async function askForEverything(names: readonly string[]): Promise<Granted> {
  const states = await Promise.all(names.map(async (name) => [name, (await navigator.permissions.query({ name: name as PermissionName }).catch(() => ({ state: 'unknown' }))).state] as const))
  // Not all are in the types of every version.
  const nav = navigator as unknown as Readonly<Record<string, Readonly<Record<string, (options?: unknown) => unknown>> | undefined>>
  const page = globalThis as unknown as Readonly<Record<string, (options?: unknown) => unknown>>
  const granted = (answer: string): void => {
    if (answer !== 'granted') throw new Error(answer)
  }
  /** A thing that this Chromium does not have gives nothing. */
  const call = async (on: Readonly<Record<string, ((options?: unknown) => unknown) | undefined>> | undefined, name: string, options?: unknown): Promise<unknown> => {
    const asked = on?.[name]
    if (asked === undefined) throw new Error('absent')
    const got = await asked.call(on, options)
    if (Array.isArray(got) && got.length === 0) throw new Error('none')
    return got
  }
  const wishes: Readonly<Record<string, () => unknown>> = {
    geolocation: () => new Promise((resolve, reject) => navigator.geolocation.getCurrentPosition(resolve, reject)),
    notifications: async () => granted(await Notification.requestPermission()),
    notification: () => granted(Notification.permission),
    camera: () => navigator.mediaDevices.getUserMedia({ video: true }),
    microphone: () => navigator.mediaDevices.getUserMedia({ audio: true }),
    screen: () => navigator.mediaDevices.getDisplayMedia(),
    'clipboard-read': () => navigator.clipboard.readText(),
    'clipboard-write': () => navigator.clipboard.writeText('x'),
    midi: () => navigator.requestMIDIAccess({ sysex: true }),
    fullscreen: () => document.documentElement.requestFullscreen(),
    'pointer-lock': async () => {
      await document.documentElement.requestPointerLock()
      if (document.pointerLockElement === null) throw new Error('not locked')
    },
    'idle-detection': async () => granted((await call(page['IdleDetector'] as unknown as Readonly<Record<string, () => unknown>> | undefined, 'requestPermission')) as string),
    'wake-lock': () => navigator.wakeLock.request('screen'),
    storage: async () => granted((await navigator.storage.persist()) ? 'granted' : 'denied'),
    hid: () => call(nav['hid'], 'requestDevice', { filters: [] }),
    serial: () => call(nav['serial'], 'requestPort'),
    usb: () => call(nav['usb'], 'requestDevice', { filters: [] }),
    bluetooth: () => call(nav['bluetooth'], 'requestDevice', { acceptAllDevices: true }),
    fonts: () => call(page, 'queryLocalFonts'),
    screens: () => call(page, 'getScreenDetails'),
    keyboard: () => call(nav['keyboard'], 'lock'),
  }
  const patience = new Promise<string | null>((resolve) => setTimeout(resolve, 1500, null))
  const given = await Promise.all(Object.entries(wishes).map(([name, wish]) => Promise.race([Promise.resolve().then(wish).then(() => name, () => null), patience])))
  return {
    known: states.filter(([, state]) => state !== 'unknown').length,
    states: states.filter(([, state]) => state !== 'unknown' && state !== 'denied').map(([name, state]) => `${name} ${state}`),
    given: given.filter((name) => name !== null),
  }
}
