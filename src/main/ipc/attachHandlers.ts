import type { HostServices } from '../services/hostServices'
import type { Handlers } from './answer'

/** Pictures and files that are to go with a message. The page gives bytes and names; what they are is found out by the service. */
export function attachHandlers({ attaching }: Pick<HostServices, 'attaching'>): Pick<Handlers, 'attach/find' | 'attach/place' | 'attach/take'> {
  return {
    'attach/find': ({ query }) => attaching.find(query),
    'attach/place': ({ path }) => attaching.place(path),
    'attach/take': ({ name, base64 }) => attaching.take({ name, bytes: Buffer.from(base64, 'base64') }),
  }
}
