// Builds better-sqlite3's addon from the package's own source for runtimes below N-API 10 (Node 20, Electron before 36):
// there the shipped prebuild ends the process at first use. Once per version, into the cache, never into node_modules.
import { createHash } from 'node:crypto'
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { cacheRoot, inCache } from './cache.mjs'
import { run, tail } from './command.mjs'
import { nodeHeaders } from './nodeHeaders.mjs'
import { SetupError, say, withProgress } from './say.mjs'

const defines = '-UNAPI_VERSION -DNAPI_VERSION=2147483647 -DNAPI_EXPERIMENTAL -DNODE_API_EXPERIMENTAL_NOGC_ENV_OPT_OUT'
const require = createRequire(import.meta.url)

/** @param {string} dir */
const versionIn = (dir) => /** @type {{ version: string }} */ (JSON.parse(readFileSync(path.join(dir, 'package.json'), 'utf8'))).version

/**
 * The N-API version that an Electron release has inside.
 * @param {string | undefined} electronVersion unknown: taken for a current one
 */
const electronNapi = (electronVersion) => (Number(electronVersion?.split('.')[0] ?? 99) < 36 ? 9 : 10)

/**
 * Whether the shipped prebuild is no good for this node, or for the Electron in use.
 * @param {string | undefined} electronVersion
 */
export function needsOwnAddon(electronVersion) {
  return Number(process.versions.napi) < 10 || electronNapi(electronVersion) < 10
}

function sources() {
  const sqlite = path.dirname(require.resolve('better-sqlite3/package.json'))
  const addonApi = path.dirname(require.resolve('node-addon-api/package.json', { paths: [sqlite] }))
  return { sqlite, addonApi }
}

/** Where the built addon lies in the cache; the name changes with everything that changes the result. */
export function addonPath() {
  const { sqlite, addonApi } = sources()
  const facts = [versionIn(sqlite), versionIn(addonApi), defines, process.platform, process.arch, process.version]
  const key = createHash('sha256').update(facts.join('\n')).digest('hex').slice(0, 12)
  return path.join(cacheRoot(), `better-sqlite3-${versionIn(sqlite)}-${key}`, 'better_sqlite3.node')
}

/** @returns {string | undefined} what is there already; undefined also while the packages are missing */
export function findSqliteAddon() {
  const given = process.env.COUNTERSIGN_SQLITE_BINDING
  if (given) return given
  try {
    return existsSync(addonPath()) ? addonPath() : undefined
  } catch {
    return undefined
  }
}

/**
 * The addon for COUNTERSIGN_SQLITE_BINDING, built first when it is not in the cache.
 * @returns {Promise<string>}
 */
export async function ensureSqliteAddon() {
  const given = process.env.COUNTERSIGN_SQLITE_BINDING
  if (given) {
    if (existsSync(given)) return given
    throw new SetupError(`COUNTERSIGN_SQLITE_BINDING names ${given}, which is not there: unset it`)
  }
  const to = addonPath()
  return inCache(
    () => (existsSync(to) ? to : undefined),
    async (scratch) => {
      await withProgress('compiling SQLite for this Node', '1 to 2 minutes, once', () => compile(scratch))
      mkdirSync(path.dirname(to), { recursive: true })
      copyFileSync(path.join(scratch, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'), path.join(scratch, 'done.node'))
      renameSync(path.join(scratch, 'done.node'), to)
    },
  )
}

/** @param {string} scratch */
async function compile(scratch) {
  const { sqlite, addonApi } = sources()
  const cwd = path.join(scratch, 'node_modules/better-sqlite3')
  cpSync(sqlite, cwd, { recursive: true, filter: (file) => !file.endsWith('prebuilds') })
  cpSync(addonApi, path.join(scratch, 'node_modules/node-addon-api'), { recursive: true })
  const headers = nodeHeaders()
  const args = [require.resolve('node-gyp/bin/node-gyp.js'), 'rebuild', '--release', '--force_build=1', '-j', 'max']
  if (headers) args.push(`--nodedir=${headers}`)
  const built = await run(process.execPath, args, { cwd, env: { CXXFLAGS: `${process.env.CXXFLAGS ?? ''} ${defines}`.trim() } })
  if (built.code === 0) return
  say(tail(built.output))
  throw new SetupError('SQLite did not compile: install a C++ compiler, make and python3 (see above), then run the same command again')
}
