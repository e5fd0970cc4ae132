/** Something that a command inside a sandbox seems not to have been allowed, by its own output. `what` is a path, or the line that says so. */
export interface Refusal {
  readonly kind: 'write' | 'network'
  readonly what: string
}

/** Where the command ran. */
export interface RefusalPlace {
  readonly root: string
  readonly home: string
  /** Whether it had the network: then a failure there is no refusal. */
  readonly network: boolean
}

const unreachable =
  /\bEAI_AGAIN\b|\bENOTFOUND\b|\bENETUNREACH\b|\bEHOSTUNREACH\b|could ?n[o']t resolve (?:host|proxy)|temporary failure (?:in name resolution|resolving)|network is unreachable|name or service not known|nodename nor servname|failed to lookup address|no such host|unable to resolve host|dns error|getaddrinfo|no address associated with hostname|unable to look up/i
/** A service of the machine is not there inside; one that the command was to start itself is refused just so, and then the hint is one too many. */
const refusedLocally = /(?:ECONNREFUSED|connection refused).*(?:127\.0\.0\.1|localhost|::1)|(?:127\.0\.0\.1|localhost|::1).*(?:ECONNREFUSED|connection refused)/i
const isHeld = /\bEBUSY\b|device or resource busy/i
const readOnly = /\bEROFS\b|read-only file system|\bEXDEV\b|invalid cross-device link|cross-device link not permitted/i
const notPermitted = /\bEACCES\b|permission denied|\bEPERM\b|operation not permitted/i
const notThere = /\bENOENT\b|no such file or directory/i
const notSigned = /gpg failed to sign|failed to write commit object/i

const linesMax = 2000
const refusalsMax = 20
const whatMax = 200

/** Reads the end of an output for what was refused; each thing once, in the order in which it was first said. A guess: programs say it in many ways. */
export function refusalsIn(text: string, place: RefusalPlace): readonly Refusal[] {
  const found = new Map<string, Refusal>()
  for (const line of text.split('\n').slice(-linesMax)) {
    const refusal = line.length > 4000 ? null : refusalOf(line.trim(), place)
    if (refusal !== null && found.size < refusalsMax) found.set(`${refusal.kind} ${refusal.what}`, refusal)
  }
  return [...found.values()]
}

function refusalOf(line: string, place: RefusalPlace): Refusal | null {
  if (line === '') return null
  if (!place.network && (unreachable.test(line) || refusedLocally.test(line))) return { kind: 'network', what: line.slice(0, whatMax) }
  const [first, named] = pathsIn(line)
  if (isHeld.test(line)) return { kind: 'write', what: (first ?? line).slice(0, whatMax) }
  if (readOnly.test(line)) return { kind: 'write', what: (named ?? line).slice(0, whatMax) }
  if (notSigned.test(line)) return { kind: 'write', what: line.slice(0, whatMax) }
  const isAbsolute = named !== null && named.startsWith('/')
  if (isAbsolute && notPermitted.test(line) && !isBelow(named, place.root)) return { kind: 'write', what: named.slice(0, whatMax) }
  // The home folder is hidden: what is there outside is missing inside.
  if (isAbsolute && notThere.test(line) && isBelow(named, place.home) && !isBelow(named, place.root)) return { kind: 'write', what: named.slice(0, whatMax) }
  return null
}

/** The first and the last path that a line names: in quotes, or else as bare words with a slash. */
function pathsIn(line: string): readonly [string | null, string | null] {
  const quoted = [...line.matchAll(/['"‘“`]([^'"’”`]*)['"’”`]/gu)].map(([, inner = '']) => inner).filter((inner) => inner.includes('/') || /^\.?[\w.-]+$/.test(inner))
  const bare = [...line.matchAll(/(?:^|[\s:=(])((?:~|\.{0,2})\/[^\s:'"(),]+|\.[\w.-]+)(?=[\s:),]|$)/gu)].map(([, word = '']) => word)
  const named = quoted.length > 0 ? quoted : bare
  return [named[0] ?? null, named[named.length - 1] ?? null]
}

function isBelow(place: string, folder: string): boolean {
  return place === folder || place.startsWith(`${folder}/`)
}
