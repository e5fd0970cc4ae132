import { readFile, readdir, readlink } from 'node:fs/promises'

/** A TCP socket that waits for connections which can come from this machine's own browser. */
export interface Listener {
  /** The kernel's name of the socket. */
  readonly inode: string
  readonly port: number
  /** Where to reach it from here. */
  readonly address: '127.0.0.1' | '::1'
}

/**
 * The sockets on which these processes listen, as far as they can be reached from here: those in another network namespace,
 * as in a sandbox without network, are not told. Empty where the system has no /proc.
 */
export async function listenersOf(pids: readonly number[]): Promise<readonly Listener[]> {
  const here = await networkOf('self')
  const held = await Promise.all(pids.map(async (pid) => (here !== null && (await networkOf(pid)) === here ? socketsOf(pid) : [])))
  const inodes = new Set(held.flat())
  if (inodes.size === 0) return []
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/self/net/${name}`, 'latin1').catch(() => '')))
  return tables.flatMap(listening).filter(({ inode }) => inodes.has(inode))
}

function networkOf(pid: number | 'self'): Promise<string | null> {
  return readlink(`/proc/${pid}/ns/net`).catch(() => null)
}

async function socketsOf(pid: number): Promise<readonly string[]> {
  const folder = `/proc/${pid}/fd`
  const names = await readdir(folder).catch((): string[] => [])
  const targets = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')))
  return targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? [])
}

/** State "listen" in the kernel's table (proc(5), include/net/tcp_states.h). */
const listenState = '0A'

/** Lines of `/proc/net/tcp`: number, local address and port in hexadecimal, remote, state, and so on; the inode is the tenth. */
function listening(table: string): readonly Listener[] {
  return table.split('\n').slice(1).flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/)
    const [host = '', port = ''] = local.split(':')
    const address = localAddress(host)
    return state === listenState && address !== null ? [{ inode, port: Number.parseInt(port, 16), address }] : []
  })
}

/** Words of four bytes, each in the machine's order; every machine this app is built for puts the lowest byte first. */
function localAddress(host: string): Listener['address'] | null {
  if (host === '00000000' || /^[0-9A-F]{6}7F$/.test(host)) return '127.0.0.1'
  if (/^0{16}FFFF0000[0-9A-F]{6}(?:7F|00)$/.test(host)) return '127.0.0.1'
  return host === '0'.repeat(32) || host === '00000000000000000000000001000000' ? '::1' : null
}
