import { connect } from 'node:net'

const limitMs = 700

/** Whether what listens there answers a request for nothing but the head of its first page as HTTP does, in good time. */
export function speaksHttp(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port })
    let answer = ''
    const end = (isHttp: boolean): void => {
      socket.destroy()
      resolve(isHttp)
    }
    socket.setTimeout(limitMs, () => end(false))
    socket.once('connect', () => socket.write(`HEAD / HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`))
    socket.setEncoding('latin1').on('data', (piece: string) => {
      answer += piece
      if (answer.length >= opening.length) end(answer.startsWith(opening))
    })
    socket.once('error', () => end(false))
    socket.once('close', () => end(answer.startsWith(opening)))
  })
}

const opening = 'HTTP/1.'
