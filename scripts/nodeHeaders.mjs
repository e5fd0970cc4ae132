import { existsSync } from 'node:fs'
import path from 'node:path'

/** The folder with Node's own headers, when they lie beside this node: without them node-gyp fetches them from the network. */
export function nodeHeaders() {
  const given = process.env.npm_config_nodedir
  if (given) return given
  const prefix = path.resolve(process.execPath, '../..')
  return existsSync(path.join(prefix, 'include/node/node_api.h')) ? prefix : undefined
}
