/** Programs that start another one: what they start gives the name. Their options that take a value, so that it is not taken for the name. */
const starters: ReadonlyMap<string, readonly string[]> = new Map(Object.entries({
  npx: ['-p', '--package', '-c', '--call'], bunx: ['-p', '--package'], uvx: ['--from', '--with', '--python', '-p', '--index-url'], pipx: ['--spec', '--python'], pnpm: [], yarn: [], npm: [], bun: [], deno: ['--allow-env', '--config'],
  uv: ['--directory', '--project', '--with', '--python', '-p'], node: ['-r', '--require', '--import'], python: ['-W', '-X'], python3: ['-W', '-X'], py: [], tsx: [], cmd: [], env: [],
}))
const steps: ReadonlySet<string> = new Set(['run', 'exec', 'dlx', 'x', 'tool', 'start'])
/** Names that every other server has too. */
const plain: ReadonlySet<string> = new Set(['mcp', 'server', 'mcp-server', 'index', 'main', 'app', 'cli', 'dist', 'build', 'src', 'lib', 'bin', 'out', 'server-mcp', 'run', 'start', 'latest'])
const dockerValues: ReadonlySet<string> = new Set(['-e', '--env', '-v', '--volume', '-p', '--publish', '--name', '--network', '--mount', '--env-file', '-w', '--workdir', '--platform', '-u', '--user', '--entrypoint', '--add-host', '--label', '-l'])

/** Of a longer text the end decides; no pattern here is tried on more. */
const mostCharacters = 300

/** A name for a server that is only known by its command: the package, image or script that it starts. */
export function nameOfCommand(command: string, args: readonly string[]): string {
  const program = baseOf(command).toLowerCase().replace(/\.(exe|cmd|bat)$/, '')
  if (program === 'docker' || program === 'podman') return nameOfPackage(imageOf(args) ?? program)
  const withValue = starters.get(program)
  if (withValue === undefined) return nameOfPath(command)
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? ''
    if (withValue.includes(arg)) at += 1
    else if (arg === '-m') return nameOfPackage(args[at + 1] ?? program)
    else if (!/^-|^\/[a-z]$|^\w+=/i.test(arg) && !steps.has(arg)) return starters.get(arg) === undefined ? nameOfTarget(arg) : nameOfCommand(arg, args.slice(at + 1))
  }
  return clean(program)
}

/** A name for a server that is only known by its address: the host, without what all hosts have. */
export function nameOfUrl(url: string): string {
  const host = /^https?:\/\/(?:[^/@]*@)?([^/:?#]+)/i.exec(url)?.[1]?.toLowerCase() ?? ''
  const parts = host.split('.')
  if (parts.length < 2 || parts.every((part) => /^\d+$/.test(part))) return clean(host)
  // Of two-letter ends like co.uk the part before counts.
  const end = parts.length > 2 && /^(co|com|org|net|ac|gov)$/.test(parts.at(-2) ?? '') && (parts.at(-1) ?? '').length === 2 ? 2 : 1
  return clean(parts.slice(0, -end).filter((part) => !/^(www|mcp|api|server|sse)$/.test(part)).at(-1) ?? parts.at(-1 - end) ?? host)
}

function imageOf(args: readonly string[]): string | null {
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? ''
    if (dockerValues.has(arg)) at += 1
    else if (!arg.startsWith('-') && !steps.has(arg)) return arg.replace(/@sha256:.*$/, '').replace(/:[^/]*$/, '')
  }
  return null
}

function nameOfTarget(text: string): string {
  const isPath = /^[./~]|^[A-Za-z]:[\\/]|\.(m?js|cjs|tsx?|py|exe|jar)$/.test(text)
  return isPath ? nameOfPath(text) : nameOfPackage(text)
}

/** `@scope/server-files@1.2` is files, and `@scope/mcp` is scope. */
function nameOfPackage(text: string): string {
  const bare = text.slice(-mostCharacters).replace(/^git\+/, '').replace(/(.)@[^/]*$/, '$1').replace(/\.git$/, '')
  const parts = bare.split('/').filter((part) => part !== '')
  const names = [...parts].reverse().map((part) => shorten(part.replace(/^@/, '')))
  return clean(names.find((name) => !plain.has(name)) ?? parts.at(-1) ?? '')
}

function nameOfPath(text: string): string {
  const parts = text.slice(-mostCharacters).split(/[\\/]/).map((part) => part.replace(/\.[A-Za-z0-9]+$/, '')).filter((part) => !/^(|\.|\.\.|~|[A-Za-z]:)$/.test(part))
  const name = [...parts].reverse().map(shorten).find((part) => !plain.has(part.toLowerCase()))
  return clean(name ?? parts.at(-1) ?? '')
}

function baseOf(text: string): string {
  return text.split(/[\\/]/).at(-1) ?? text
}

/** Without the words that only say what it is. */
function shorten(name: string): string {
  const short = name.replace(/^(mcp[-_]server[-_]|server[-_]|mcp[-_])/i, '').replace(/([-_]mcp[-_]server|[-_]server[-_]mcp|[-_]server|[-_]mcp)$/i, '')
  return short === '' ? name : short
}

function clean(name: string): string {
  const kept = name.slice(0, mostCharacters).replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 60)
  return kept === '' ? 'server' : kept
}
