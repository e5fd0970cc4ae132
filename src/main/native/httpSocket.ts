import { request, type IncomingMessage } from 'node:http'
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { portOf } from './proxy'

/** Where to connect, and by which way. */
export interface SocketTarget {
  readonly url: URL
  /** The addresses that the host was looked up to: nothing else is connected to, and nothing is looked up again. Left out: the system looks it up. */
  readonly addresses?: readonly string[]
  readonly proxy: URL | null
}

/** A proxy that would not go on. */
export class ProxyRefused extends Error {
  readonly proxy: string
  readonly status: number

  constructor(proxy: string, status: number) {
    super(`the proxy answered ${status}`)
    this.proxy = proxy
    this.status = status
  }
}

/** True where the request is sent to the proxy itself, with the whole address in its first line. */
export function isForwarded({ url, addresses, proxy }: SocketTarget): boolean {
  // A proxy that is told a name looks it up itself, and may come to another address than the one that was checked.
  return proxy !== null && url.protocol === 'http:' && addresses === undefined
}

/** Opens the connection, TLS included, on which the request can be written. The signal ends it, also later. */
export async function openSocket(target: SocketTarget, signal: AbortSignal): Promise<Duplex> {
  const { url, proxy } = target
  if (proxy === null) {
    const socket = await tcp(bare(url.hostname), Number(portOf(url)), target.addresses, signal)
    return url.protocol === 'https:' ? secure(socket, url.hostname, signal) : socket
  }
  const toProxy = await tcp(bare(proxy.hostname), Number(portOf(proxy)), undefined, signal)
  const way = proxy.protocol === 'https:' ? await secure(toProxy, proxy.hostname, signal) : toProxy
  if (isForwarded(target)) return way
  const tunnel = await tunnelled(way, target, signal)
  return url.protocol === 'https:' ? secure(tunnel, url.hostname, signal) : tunnel
}

function tcp(host: string, port: number, addresses: readonly string[] | undefined, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host, port, autoSelectFamily: true, ...(addresses === undefined ? {} : { lookup: pinned(addresses) }) })
    endBy(signal, socket)
    socket.once('error', reject)
    socket.once('connect', () => {
      // A literal address is not looked up; the check holds for it too.
      if (addresses !== undefined && !addresses.includes(socket.remoteAddress ?? '') && isIP(host) === 0) {
        socket.destroy()
        reject(new Error('connected to an address that was not checked'))
        return
      }
      socket.off('error', reject)
      resolve(socket)
    })
  })
}

/** Answers with what was looked up before. */
function pinned(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, options, done) => {
    const [first] = found
    if (first === undefined) done(new Error('no address'), '', 4)
    else if (options.all === true) done(null, found)
    else done(null, first.address, first.family)
  }
}

function secure(socket: Duplex, hostname: string, signal: AbortSignal): Promise<Duplex> {
  const host = bare(hostname)
  return new Promise((resolve, reject) => {
    const wrapped = connectTls({ socket, host, ...(isIP(host) === 0 ? { servername: host } : {}), ALPNProtocols: ['http/1.1'] })
    endBy(signal, wrapped)
    wrapped.once('error', reject)
    wrapped.once('secureConnect', () => {
      wrapped.off('error', reject)
      resolve(wrapped)
    })
  })
}

function tunnelled(way: Duplex, { url, addresses, proxy }: SocketTarget, signal: AbortSignal): Promise<Duplex> {
  const address = addresses?.[0]
  const host = address === undefined ? url.hostname : isIP(address) === 6 ? `[${address}]` : address
  const path = `${host}:${portOf(url)}`
  return new Promise((resolve, reject) => {
    const asked = request({ createConnection: () => way, method: 'CONNECT', path, headers: { host: path, ...proxyAuthorization(proxy) }, maxHeaderSize: 32_768 })
    endBy(signal, asked)
    const refuse = (message: IncomingMessage): void => {
      way.destroy()
      reject(new ProxyRefused(proxy?.host ?? '', message.statusCode ?? 0))
    }
    asked.once('error', reject)
    asked.once('response', refuse)
    asked.once('connect', (message, socket, head) => {
      if (message.statusCode !== 200) return refuse(message)
      if (head.length > 0) socket.unshift(head)
      resolve(socket)
    })
    asked.end()
  })
}

/** The header that carries the proxy's own name and password. */
export function proxyAuthorization(proxy: URL | null): Readonly<Record<string, string>> {
  if (proxy === null || (proxy.username === '' && proxy.password === '')) return {}
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
}

function endBy(signal: AbortSignal, closable: { destroy(error?: Error): unknown; once(name: 'close', listener: () => void): unknown }): void {
  const end = (): void => void closable.destroy(new Error('ended'))
  signal.addEventListener('abort', end, { once: true })
  closable.once('close', () => signal.removeEventListener('abort', end))
  if (signal.aborted) end()
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '')
}
