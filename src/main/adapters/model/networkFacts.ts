import { accessSync, constants } from 'node:fs'
import type { NetworkFacts } from '../../../shared/ipc/modelViews'
import { pick, type ProxyVariables } from './network'

/** How requests leave this computer: what `openNetwork` is opened with, told without user names and passwords. */
export function networkFacts(env: ProxyVariables, authorityFile: string): NetworkFacts {
  const proxies = ['https_proxy', 'http_proxy'].flatMap((name) => {
    const value = pick(env, name)
    return value === undefined ? [] : [{ variable: named(env, name), host: hostOf(value) }]
  })
  const hosts = pick(env, 'no_proxy')
  return { proxies, exempt: hosts === undefined ? null : { variable: named(env, 'no_proxy'), hosts }, authority: authorityIn(env, authorityFile) }
}

const authorityVariable = 'NODE_EXTRA_CA_CERTS'

function authorityIn(env: ProxyVariables, authorityFile: string): NetworkFacts['authority'] {
  if (authorityFile !== '') return { file: authorityFile, from: 'settings', variable: null, isRead: isReadable(authorityFile) }
  const file = env[authorityVariable] ?? ''
  return file === '' ? null : { file, from: 'environment', variable: authorityVariable, isRead: isReadable(file) }
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}

function named(env: ProxyVariables, name: string): string {
  return env[name] === undefined ? name.toUpperCase() : name
}

/** Of what is no address nothing is told: it may hold a password. */
function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : '?'
}
