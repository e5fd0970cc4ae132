import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import os from 'node:os'

/** Two looks must agree: a renewed lease takes an address away for a moment, and the connections over it live on. */
const lookMs = 2000

/** What is looked at, and how often. */
export interface SocketWatch {
  readonly addresses?: () => ReadonlySet<string>
  readonly everyMs?: number
}

/**
 * Ends connections whose own address this machine no longer has: after a change of the network (R112) nothing can come over
 * them any more, and nobody says so; a stream would be waited for until its silence is long enough. What is bound to an address
 * that is still there is left alone, so a model may think through the coming and going of other networks. Looks only while
 * there are connections. Returns what ends the watch.
 */
export function watchSockets({ addresses = ownAddresses, everyMs = lookMs }: SocketWatch = {}): () => void {
  const missing = new Map<Socket, number>()
  let timer: NodeJS.Timeout | null = null
  const look = (): void => {
    const here = addresses()
    for (const [socket, times] of missing) {
      if (here.has(socket.localAddress ?? '')) missing.set(socket, 0)
      else if (times === 0) missing.set(socket, 1)
      else socket.destroy(Object.assign(new Error('The network of this connection is gone'), { code: 'ENETDOWN' }))
    }
  }
  const onConnected = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket }
    // Ways of writing an address that are not known here are not judged.
    if (!addresses().has(socket.localAddress ?? '')) return
    missing.set(socket, 0)
    timer ??= setInterval(look, everyMs).unref()
    socket.once('close', () => {
      missing.delete(socket)
      if (missing.size === 0) stop()
    })
  }
  const stop = (): void => {
    if (timer !== null) clearInterval(timer)
    timer = null
  }
  subscribe('undici:client:connected', onConnected)
  return () => {
    unsubscribe('undici:client:connected', onConnected)
    missing.clear()
    stop()
  }
}

function ownAddresses(): ReadonlySet<string> {
  return new Set(Object.values(os.networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address)))
}
