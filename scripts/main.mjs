// What follows the set-up: the window, the tests, a check, a development server or a build.
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { buildIfStale, windowParts } from './build.mjs'
import { checkTypesAndLint } from './check.mjs'
import { stopChildrenOnSignal } from './command.mjs'
import { SetupError, say } from './say.mjs'
import { root, setUp } from './steps.mjs'

/**
 * @param {string[]} words
 * @returns {Promise<number>} the exit code
 */
export async function main([command, ...args]) {
  const endSetUp = stopChildrenOnSignal()
  try {
    switch (command) {
      case undefined:
        await setUp('tests')
        say('everything is set up')
        return 0
      case 'start':
        return await start(args, endSetUp)
      case 'test':
        return await test(args, endSetUp)
      case 'check':
        return await check(args, endSetUp)
      case 'dev':
        return await dev(args, endSetUp)
      case 'build':
        await setUp('headless')
        await buildIfStale(windowParts)
        return 0
      default:
        say(`no such command: ${command}; there are start, test, check, dev, build`)
        return 2
    }
  } catch (error) {
    return explain(error)
  }
}

/** One line for a fault of the machine, everything for a bug of ours. @param {unknown} error */
export function explain(error) {
  const code = /** @type {NodeJS.ErrnoException} */ (error).code
  if (error instanceof SetupError) say(error.message)
  else if (code === 'ENOSPC') say('the disk is full: free about 2 GB, then run the same command again')
  else if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') say(`${/** @type {Error} */ (error).message}: make that place writable for you, then run the same command again`)
  else say(`set-up failed, please report it: ${error instanceof Error ? error.stack : String(error)}`)
  return 1
}

function requireDisplay() {
  if (process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY) return
  throw new SetupError('there is no display to open a window on: start from a desktop session, or run "xvfb-run -a npm start"')
}

/** Chromium's sandbox does not start as root. @returns {string[]} */
function sandboxArgs() {
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0
  if (process.env.COUNTERSIGN_NO_SANDBOX !== '1' && !isRoot) return []
  if (isRoot) say("running as root: Chromium's own sandbox is off (--no-sandbox)")
  return ['--no-sandbox']
}

/** @param {string[]} args; @param {() => void} endSetUp */
async function start(args, endSetUp) {
  requireDisplay() // before the long part
  const env = await setUp('window')
  await buildIfStale(windowParts)
  endSetUp()
  return runHere(env.ELECTRON_EXEC_PATH ?? '', [...sandboxArgs(), root, ...args], env)
}

/** @param {string[]} args; @param {() => void} endSetUp */
async function test(args, endSetUp) {
  const env = await setUp('tests')
  endSetUp()
  return runHere(process.execPath, [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...args], { ...env, COUNTERSIGN_STRICT_BUILD: '1' })
}

/** The quick half of the tests with types and lint beside them: for a person who waits before a commit. @param {string[]} args; @param {() => void} endSetUp */
async function check(args, endSetUp) {
  const env = await setUp('tests')
  endSetUp()
  const quick = ['architecture', 'rules', 'unit', 'dom'].flatMap((project) => ['--project', project])
  const tests = runHere(process.execPath, [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...quick, ...args], { ...env, COUNTERSIGN_STRICT_BUILD: '1' })
  const [isClean, code] = await Promise.all([checkTypesAndLint(root), tests])
  return isClean ? code : 1
}

/** @param {string[]} args; @param {() => void} endSetUp */
async function dev(args, endSetUp) {
  requireDisplay()
  const env = await setUp('window')
  // It builds into out/ by its own rules: what lies there afterwards is nobody's fresh build.
  for (const part of windowParts) rmSync(path.join(root, 'out', `.built-${part}`), { force: true })
  endSetUp()
  return runHere(process.execPath, [path.join(root, 'node_modules/electron-vite/bin/electron-vite.js'), 'dev', ...args], env)
}

/**
 * Runs in our place: same terminal, our signals handed on, its exit code ours.
 * @param {string} program
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @returns {Promise<number>}
 */
function runHere(program, args, env) {
  const { ELECTRON_RUN_AS_NODE: _asNode, ...inherited } = process.env // it would turn the app into plain node
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, env: { ...inherited, ...env }, stdio: 'inherit' })
    for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP'])) process.on(signal, () => child.kill(signal))
    // A terminal sends Ctrl-C to the child as well; it gets ours only when it seems not to have heard one.
    process.on('SIGINT', () => setTimeout(() => child.kill('SIGINT'), 2000).unref())
    child.once('error', (error) => reject(new SetupError(`could not start ${program}: ${error.message}`)))
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 1 : (os.constants.signals[signal] ?? 1))))
  })
}
