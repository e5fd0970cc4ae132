// node_modules from the lock file: `npm ci` when it does not fit, nothing when it does.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { npmCommand, run, tail } from './command.mjs'
import { isAlive, processStart } from './lock.mjs'
import { nodeHeaders } from './nodeHeaders.mjs'
import { SetupError, say, withProgress } from './say.mjs'

/** Raise when installing changes in a way that old node_modules do not fit. */
const scriptVersion = 1

/** @typedef {{ version?: string, optional?: boolean, devOptional?: boolean, peer?: boolean, link?: boolean }} LockEntry */

/** @param {string} root */
export function packagesKey(root) {
  const lock = readFileSync(path.join(root, 'package-lock.json'))
  return createHash('sha256').update([scriptVersion, process.version, process.platform, process.arch, ''].join('\n')).update(lock).digest('hex')
}

/** It lies in node_modules: `npm ci` empties that first, so an interrupted one leaves no stamp. @param {string} root */
const stampFile = (root) => path.join(root, 'node_modules', '.countersign-packages')

/** node-pty ships no binary for Linux. @param {string} root */
const hasTerminalModule = (root) => process.platform !== 'linux' || existsSync(path.join(root, 'node_modules/node-pty/build/Release/pty.node'))

/** @param {string} root */
export function arePackagesReady(root) {
  try {
    return readFileSync(stampFile(root), 'utf8') === packagesKey(root) && hasTerminalModule(root) && existsSync(path.join(root, 'node_modules/electron/package.json'))
  } catch {
    return false
  }
}

/**
 * Whether somebody's own `npm ci` or `npm install` has brought all of the lock file: npm's record is written at the very end.
 * @param {string} root
 */
function fitsLockFile(root) {
  const read = (/** @type {string} */ file) =>
    /** @type {{ packages: Record<string, LockEntry> }} */ (JSON.parse(readFileSync(path.join(root, file), 'utf8'))).packages
  try {
    const there = read('node_modules/.package-lock.json')
    return Object.entries(read('package-lock.json')).every(([name, entry]) => {
      const found = there[name]
      if (name === '' || entry.link) return true
      return found ? found.version === entry.version : entry.optional === true || entry.devOptional === true
    })
  } catch {
    return false
  }
}

/** @param {string} root; @returns {boolean} whether the stamp is for another Node version */
const isForOtherNode = (root) => existsSync(path.join(root, 'node_modules/.countersign-node')) && readFileSync(path.join(root, 'node_modules/.countersign-node'), 'utf8') !== process.version

/**
 * Installs from the lock file. The caller holds the lock of the work tree.
 * @param {string} root
 */
export async function ensurePackages(root) {
  if (arePackagesReady(root)) return
  await waitForOrphan(root)
  if (!fitsLockFile(root) || isForOtherNode(root)) await installAll(root)
  if (!hasTerminalModule(root)) await buildTerminalModule(root)
  writeFileSync(path.join(root, 'node_modules/.countersign-node'), process.version)
  writeFileSync(stampFile(root), packagesKey(root))
}

/** @param {string} root */
const childFile = (root) => path.join(root, 'out', 'npm-ci.pid')

/** A set-up that was killed hard can leave its npm at work: two in one folder would spoil each other. @param {string} root */
async function waitForOrphan(root) {
  if (!existsSync(childFile(root))) return
  const [pid, startedAt = ''] = readFileSync(childFile(root), 'utf8').split(' ')
  const isRunning = () => isAlive({ pid: Number(pid), startedAt, token: '' })
  if (isRunning()) say(`npm ci of a set-up that was killed is still at work (process ${pid}); waiting for it`)
  while (isRunning()) await sleep(200)
  rmSync(childFile(root), { force: true })
}

/** Node's own headers, so that node-gyp does not fetch them. */
function buildEnv() {
  const headers = nodeHeaders()
  return headers === undefined ? {} : { npm_config_nodedir: headers }
}

/** @param {string} root */
async function installAll(root) {
  // A production setting of the environment must not leave out what builds and tests the app.
  const [program, args] = npmCommand(['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'])
  mkdirSync(path.join(root, 'out'), { recursive: true })
  const done = await withProgress('installing packages from package-lock.json', '1 minute', () =>
    run(program, args, {
      cwd: root,
      env: buildEnv(),
      onStart: (pid) => writeFileSync(childFile(root), `${pid} ${processStart(pid)}`),
    }),
  )
  rmSync(childFile(root), { force: true })
  if (done.code === 0) return
  say(tail(done.output))
  throw new SetupError('npm ci failed: check the network and the disk (about 1.5 GB), then run the same command again')
}

/** Where the user's settings forbid install scripts, npm ci leaves it out. @param {string} root */
async function buildTerminalModule(root) {
  const [program, args] = npmCommand(['rebuild', 'node-pty', '--ignore-scripts=false', '--loglevel=error'])
  const built = await withProgress('compiling the terminal module', '10 seconds', () => run(program, args, { cwd: root, env: buildEnv() }))
  if (hasTerminalModule(root)) return
  say(tail(built.output))
  throw new SetupError('node-pty did not compile: install a C++ compiler, make and python3, then run the same command again')
}
