// What the system must bring: compilers, GTK and NSS for the window, a virtual display for tests, git, bubblewrap, a Chinese font.
// Looked for as files, so that looking takes a few milliseconds.
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { spawnSync } from 'node:child_process'
import { run, tail } from './command.mjs'
import { SetupError, say, withProgress } from './say.mjs'

/** @typedef {'compile' | 'git' | 'window' | 'display' | 'font' | 'sandbox'} Purpose */
/**
 * @typedef {object} Need
 * @property {string} name in words
 * @property {Purpose} purpose
 * @property {() => boolean} isThere
 * @property {string[]} packages Debian's names for it, newest first (releases of 2024 and later renamed some to ...t64)
 */

/** Without these the app still works: a rougher sandbox, squares instead of Chinese characters. */
const optional = new Set(/** @type {Purpose[]} */ (['font', 'sandbox']))

const triplet = /** @type {Record<string, string>} */ ({ x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu', arm: 'arm-linux-gnueabihf' })[process.arch]
const libraryFolders = [`/usr/lib/${triplet}`, `/lib/${triplet}`, '/usr/lib64', '/lib64', '/usr/lib', '/usr/local/lib']

/** @param {string} file */
const hasLibrary = (file) => libraryFolders.some((dir) => existsSync(path.join(dir, file)))

/** @param {string} name */
function hasProgram(name) {
  return (process.env.PATH ?? '').split(path.delimiter).some((dir) => {
    try {
      accessSync(path.join(dir, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

const chineseFonts = ['opentype/noto/NotoSansCJK-Regular.ttc', 'truetype/wqy/wqy-zenhei.ttc', 'truetype/wqy/wqy-microhei.ttc', 'opentype/source-han-sans/SourceHanSansSC-Regular.otf']

function hasChineseFont() {
  if (chineseFonts.some((file) => existsSync(path.join('/usr/share/fonts', file)))) return true
  return spawnSync('fc-list', [':lang=zh', 'family'], { encoding: 'utf8' }).stdout?.trim() ? true : false
}

/** @type {Need[]} */
const needs = [
  { name: 'a C++ compiler', purpose: 'compile', isThere: () => hasProgram('g++') || hasProgram('clang++'), packages: ['g++'] },
  { name: 'make', purpose: 'compile', isThere: () => hasProgram('make'), packages: ['make'] },
  { name: 'python3', purpose: 'compile', isThere: () => hasProgram('python3'), packages: ['python3'] },
  { name: 'git', purpose: 'git', isThere: () => hasProgram('git'), packages: ['git'] },
  { name: 'GTK 3', purpose: 'window', isThere: () => hasLibrary('libgtk-3.so.0'), packages: ['libgtk-3-0t64', 'libgtk-3-0'] },
  { name: 'NSS', purpose: 'window', isThere: () => hasLibrary('libnss3.so'), packages: ['libnss3'] },
  { name: 'GBM', purpose: 'window', isThere: () => hasLibrary('libgbm.so.1'), packages: ['libgbm1'] },
  { name: 'ALSA', purpose: 'window', isThere: () => hasLibrary('libasound.so.2'), packages: ['libasound2t64', 'libasound2'] },
  { name: 'AT-SPI', purpose: 'window', isThere: () => hasLibrary('libatk-bridge-2.0.so.0'), packages: ['libatk-bridge2.0-0t64', 'libatk-bridge2.0-0'] },
  { name: 'CUPS', purpose: 'window', isThere: () => hasLibrary('libcups.so.2'), packages: ['libcups2t64', 'libcups2'] },
  { name: 'Xvfb', purpose: 'display', isThere: () => hasProgram('Xvfb'), packages: ['xvfb'] },
  { name: 'a Chinese font', purpose: 'font', isThere: hasChineseFont, packages: ['fonts-noto-cjk', 'fonts-wqy-zenhei'] },
  { name: 'bubblewrap', purpose: 'sandbox', isThere: () => hasProgram('bwrap'), packages: ['bubblewrap'] },
]

/**
 * @param {ReadonlySet<Purpose>} purposes
 * @returns {Need[]}
 */
export function missingNeeds(purposes) {
  if (process.platform !== 'linux') return []
  return needs.filter((need) => purposes.has(need.purpose) && !need.isThere())
}

/** Debian, Ubuntu and what is made from them. */
function hasApt() {
  try {
    return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(readFileSync('/etc/os-release', 'utf8')) && hasProgram('apt-get')
  } catch {
    return false
  }
}

/**
 * The package of each need that this release has.
 * @param {Need[]} missing
 */
function packageNames(missing) {
  const answer = spawnSync('apt-cache', ['policy', ...missing.flatMap((need) => need.packages)], { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } }).stdout ?? ''
  const known = new Set([...answer.matchAll(/^(\S+):\n.*\n\s+Candidate: (?!\(none\))/gm)].map((match) => match[1]))
  // Where apt has no lists yet, the release decides which of the two names is likely.
  const likely = (/** @type {Need} */ need) => need.packages.find((name) => name.endsWith('t64') === hasRenamedPackages()) ?? need.packages[0] ?? need.name
  return missing.map((need) => need.packages.find((name) => known.has(name)) ?? likely(need))
}

/** Debian 13 and Ubuntu 24.04 renamed libraries to ...t64. */
function hasRenamedPackages() {
  const release = readFileSync('/etc/os-release', 'utf8')
  const version = Number(/^VERSION_ID="?([\d.]+)/m.exec(release)?.[1] ?? 99)
  return version >= (/^ID=debian/m.test(release) ? 13 : 24.04)
}

/** @param {Need[]} missing; the one line that a person runs to get them */
export function installLine(missing) {
  if (!hasApt()) return `install ${missing.map((need) => need.name).join(', ')} with your system's package manager`
  return `run: sudo apt-get update && sudo apt-get install -y --no-install-recommends ${packageNames(missing).join(' ')}`
}

/**
 * Installs what is missing when that is ours to do (root on Debian or Ubuntu), else says the one line that does.
 * @param {ReadonlySet<Purpose>} purposes
 * @param {string} triedFile remembers what could not be had, so that every start does not try it again
 */
export async function ensureSystemLibraries(purposes, triedFile) {
  let missing = missingNeeds(purposes)
  if (missing.length === 0) return
  if (process.getuid?.() === 0 && hasApt() && !hasTried(triedFile, missing)) {
    await install(missing)
    missing = missingNeeds(purposes)
    if (missing.length === 0) return
  }
  const names = missing.map((need) => need.name).join(', ')
  if (missing.some((need) => !optional.has(need.purpose))) throw new SetupError(`missing on this system: ${names}; ${installLine(missing)}`)
  say(`recommended and missing: ${names}; ${installLine(missing)}`)
  writeFileSync(triedFile, names)
}

/** @param {string} file; @param {Need[]} missing */
function hasTried(file, missing) {
  const isOptional = missing.every((need) => optional.has(need.purpose))
  return isOptional && existsSync(file) && readFileSync(file, 'utf8') === missing.map((need) => need.name).join(', ')
}

/** @param {Need[]} missing */
async function install(missing) {
  const env = { DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' }
  // Another apt at work holds dpkg's lock: wait for it instead of failing.
  const apt = (/** @type {string[]} */ args) => run('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=300', ...args], { env })
  await withProgress(`installing system packages for ${missing.map((need) => need.name).join(', ')}`, 'half a minute', async () => {
    const updated = await apt(['update'])
    if (updated.code !== 0) say('apt-get update failed; trying with the lists that are there')
    const installed = await apt(['install', '-y', '--no-install-recommends', ...packageNames(missing)])
    if (installed.code !== 0) say(tail(installed.output, 6))
  })
}
