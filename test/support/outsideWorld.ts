import { createSocket } from 'node:dgram'
import { accessSync, constants, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** What an attack of a sandbox reaches for: files, sockets and listeners of the machine, which note who comes. */
export interface OutsideWorld {
  readonly variables: Readonly<Record<string, string>>
  /** Files that are new or changed, and connections that came. */
  damage(): readonly string[]
  close(): void
}

/** Makes it; whoever makes it closes it. */
export async function makeOutsideWorld(data: string): Promise<OutsideWorld> {
  // Where the disk shows through, if this user may write there; the usual place for temporary files is hidden anyway.
  const folder = mkdtempSync(path.join(isWritable('/opt') ? '/opt' : tmpdir(), 'countersign-outside-'))
  const left = mkdtempSync(path.join(tmpdir(), 'countersign-left-'))
  writeFileSync(path.join(left, 'note'), 'left by others')
  const out = path.join(folder, 'out')
  mkdirSync(out)
  writeFileSync(path.join(out, 'victim'), 'whole')
  const came: string[] = []
  const servers = [4, 6, 'path', 'abstract'].map((name) => [String(name), createServer((socket) => {
    came.push(`connection ${name}`)
    socket.destroy()
  })] as const)
  const abstract = `countersign-${process.pid}-${path.basename(folder)}`
  const [port4, port6] = [await listen(servers[0]?.[1], { host: '127.0.0.1', port: 0 }), await listen(servers[1]?.[1], { host: '::1', port: 0 }).catch(() => 1)]
  await listen(servers[2]?.[1], { path: path.join(out, 'socket') })
  await listen(servers[3]?.[1], { path: `\0${abstract}` })
  const udp = createSocket('udp4', () => came.push('packet'))
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve))
  return {
    variables: { OUT: out, DATA: data, APP: String(process.pid), PORT4: String(port4), PORT6: String(port6), UDP: String(udp.address().port), SOCKET: path.join(out, 'socket'), ABSTRACT: abstract, LEFT: path.join(left, 'note') },
    damage() {
      const files = readdirSync(out).filter((name) => name !== 'victim' && name !== 'socket')
      const text = readFileSync(path.join(out, 'victim'), 'utf8')
      return [...files, ...(text === 'whole' ? [] : [`victim: ${text}`]), ...came]
    },
    close() {
      for (const [, server] of servers) server.close()
      udp.close()
      for (const place of [folder, left]) rmSync(place, { recursive: true, force: true })
    },
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function listen(server: Server | undefined, where: { readonly host?: string; readonly port?: number; readonly path?: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    server?.once('error', reject)
    server?.listen(where, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}
