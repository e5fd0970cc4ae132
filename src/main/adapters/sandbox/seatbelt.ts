/** What a profile of the macOS sandbox is made of; absolute real paths. */
export interface SeatbeltPlan {
  readonly root: string
  readonly home: string
  readonly dataFolder: string
  readonly network: boolean
  /** Tools and settings in the home folder. */
  readonly shown: readonly string[]
  /** Written by commands besides the project: a private folder for temporary files, the project's own caches. */
  readonly writable: readonly string[]
  readonly outsideGit: string | null
  /** Folders on the way to what is held: not to be renamed. */
  readonly kept: readonly string[]
  /** Not to be written, present or not. */
  readonly readOnly: readonly string[]
}

/**
 * The same policy as on Linux in the language of `sandbox-exec`: of several rules that fit, the last one counts. Never run by
 * us on a Mac: the text is tested, and the test at the start of the app decides whether it is relied on.
 */
export function seatbeltProfile(plan: SeatbeltPlan): string {
  const git = plan.outsideGit === null ? [] : [plan.outsideGit]
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-exec)', '(allow process-fork)', '(allow signal (target same-sandbox))', '(allow process-info* (target same-sandbox))',
    '(allow sysctl-read)', '(allow user-preference-read)', '(allow ipc-posix-sem)', '(allow pseudo-tty)',
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.PowerManagement.control"))',
    '(allow file-read*)',
    `(deny file-read* ${subpaths([plan.home, '/private/var/root', '/Library/Keychains'])})`,
    // Paths are looked up name by name, so the way to what is shown must be seen.
    `(allow file-read-metadata ${literals(waysTo([plan.root, ...plan.shown, ...plan.writable, ...git]))})`,
    `(allow file-read* ${subpaths([plan.root, ...plan.shown, ...plan.writable, ...git])})`,
    `(allow file-write* ${subpaths([plan.root, ...plan.writable, ...git])})`,
    '(allow file-write-data (require-all (path "/dev/null") (vnode-type CHARACTER-DEVICE)))',
    '(allow file-read* file-write* file-ioctl (literal "/dev/ptmx") (literal "/dev/tty") (regex #"^/dev/ttys[0-9]+$"))',
    `(deny file-write-unlink ${literals([plan.root, ...git, ...plan.kept])})`,
    ...(plan.readOnly.length === 0 ? [] : [`(deny file-write* ${subpaths(plan.readOnly)})`]),
    `(deny file-read* file-write* ${subpaths([plan.dataFolder])})`,
    ...(plan.writable.length === 0 ? [] : [`(allow file-read* file-write* ${subpaths(plan.writable)})`]),
    ...(plan.network ? ['(allow network*)', '(deny network-outbound (remote unix-socket))', '(allow system-socket)', '(allow mach-lookup (global-name "com.apple.dnssd.service") (global-name "com.apple.trustd") (global-name "com.apple.SecurityServer"))'] : []),
    '',
  ].join('\n')
}

function subpaths(places: readonly string[]): string {
  return places.map((place) => `(subpath ${quoted(place)})`).join(' ')
}

function literals(places: readonly string[]): string {
  return places.map((place) => `(literal ${quoted(place)})`).join(' ')
}

/** Every folder above the places. */
function waysTo(places: readonly string[]): readonly string[] {
  const found = new Set<string>(['/'])
  for (const place of places) {
    const names = place.split('/').slice(1, -1)
    names.forEach((_, at) => found.add(`/${names.slice(0, at + 1).join('/')}`))
  }
  return [...found]
}

/** A string of the profile's language; what could end it early is escaped. */
function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}
