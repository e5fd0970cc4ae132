import path from 'node:path'

/**
 * The file that an address of ours names.
 *
 * @returns an absolute path inside `folder`, or `undefined` for any other host, scheme or place. The bundle is made by our own
 *   build and holds no links, so comparing names is enough.
 */
export function bundleFile(folder: string, address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  if (url.protocol !== 'app:' || url.host !== 'ui') return undefined
  let name: string
  try {
    name = decodeURIComponent(url.pathname === '/' ? '/index.html' : url.pathname)
  } catch {
    return undefined // a lone % sign
  }
  if (name.includes('\0') || name.includes('\\')) return undefined
  const file = path.join(folder, name)
  return file.startsWith(folder + path.sep) ? file : undefined
}
