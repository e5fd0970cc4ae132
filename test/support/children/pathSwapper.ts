import { linkSync, lstatSync, mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Swaps folders and files of a project for links to an outside folder and back, as fast as it can, until it is told to end;
 * then prints how often. Works on names right below the project and in a stash of its own alone, so that it never goes
 * through a link of its own making. Takes the project, the outside folder and a seed.
 */
const [root = '', outside = '', seed = '1'] = process.argv.slice(2)
const stash = join(root, '.stash')
const folders = ['d0', 'd1', 'd2']
const files = ['f', 'g']
let state = Number(seed)
let swaps = 0

/** Park and Miller's generator: the same seed, the same swaps. */
function random(below: number): number {
  state = (state * 48_271) % 2_147_483_647
  return state % below
}

function attempt(act: () => unknown): boolean {
  try {
    act()
    return true
  } catch {
    return false // the other side was quicker, which is what is wanted
  }
}

const isFolder = (path: string): boolean => attempt(() => {
  if (!lstatSync(path).isDirectory()) throw new Error('no folder')
})
const isThere = (path: string): boolean => attempt(() => lstatSync(path))

function swapFolder(name: string): void {
  const at = join(root, name)
  const kept = join(stash, name)
  if (isFolder(at)) {
    // Moved away, a link in its place: to the outside folder, one in it, the one above, or another of the project.
    if (!attempt(() => renameSync(at, kept))) attempt(() => renameSync(at, join(stash, `${name}-${swaps}`)))
    attempt(() => symlinkSync([outside, join(outside, 'sub'), '../outside', '..', 'd0'][random(5)] ?? outside, at))
  } else {
    attempt(() => unlinkSync(at))
    if (!attempt(() => renameSync(kept, at))) attempt(() => mkdirSync(at))
  }
  swaps += 1
}

function swapFile(folder: string, name: string): void {
  const kept = join(stash, folder)
  // Only in a real folder, and nobody else moves things in the stash.
  if (!isFolder(kept)) return
  const at = join(kept, name)
  if (isFolder(at)) return
  const was = isThere(at) ? random(4) : 3
  attempt(() => unlinkSync(at))
  if (was === 0) attempt(() => symlinkSync(join(outside, name), at))
  else if (was === 1) attempt(() => linkSync(join(outside, 'linked'), at))
  else if (was === 2) attempt(() => symlinkSync('../../outside/sub/f', at))
  else attempt(() => writeFileSync(at, 'inside'))
  swaps += 1
}

function turn(): void {
  for (let n = 0; n < 20; n += 1) {
    const folder = folders[random(folders.length)] ?? 'd0'
    swapFolder(folder)
    swapFile(folder, files[random(files.length)] ?? 'f')
  }
  setImmediate(turn)
}

process.on('SIGTERM', () => process.stdout.write(`${swaps}\n`, () => process.exit(0)))
attempt(() => mkdirSync(stash))
process.stdout.write('go\n')
turn()
