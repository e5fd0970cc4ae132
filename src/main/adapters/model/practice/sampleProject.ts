import { mkdir, readFile, readdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { fail, succeed, type Result } from '../../../../shared/domain/result'
import { openRoot, writeFileNow } from '../../../native/safePath'

/** Reads the tutor's script; `practiceScript` checks its form. */
export async function readPracticeScript(resourcesFolder: string): Promise<unknown> {
  return JSON.parse(await readFile(path.join(resourcesFolder, 'practice', 'script.json'), 'utf8'))
}

/**
 * Puts the practice project into `parentFolder/name` and gives its real path. A copy that is as we shipped it is used again;
 * one that was changed is somebody's and stays as it is, and the next free name is taken (`name-2`, ...).
 */
export async function prepareSampleProject(resourcesFolder: string, parentFolder: string, name: string): Promise<Result<string>> {
  const source = path.join(resourcesFolder, 'practice', 'project')
  for (let n = 1; n <= 100; n++) {
    const target = path.join(parentFolder, n === 1 ? name : `${name}-${n}`)
    try {
      if (await isThere(target)) {
        if (await isSame(source, target)) return succeed(await realpath(target))
        continue
      }
      const copied = await copy(source, target)
      return copied.ok ? succeed(await realpath(target)) : copied
    } catch (error) {
      return fail('model.sample-failed', { path: target, problem: error instanceof Error ? error.message : String(error) })
    }
  }
  return fail('model.sample-failed', { path: parentFolder, problem: '100' })
}

async function isThere(target: string): Promise<boolean> {
  return stat(target).then(() => true, () => false)
}

/** Equal names and bytes, nothing more and nothing less. */
async function isSame(source: string, target: string): Promise<boolean> {
  const [ours, theirs] = await Promise.all([filesIn(source), filesIn(target)])
  if (ours.join('\n') !== theirs.join('\n')) return false
  for (const file of ours) {
    const [one, other] = await Promise.all([readFile(path.join(source, file)), readFile(path.join(target, file))])
    if (!one.equals(other)) return false
  }
  return true
}

/**
 * File by file: in a packed app the source lies inside an archive, where only plain reads work. Written as a workspace is:
 * nothing that stands there is replaced, and no link that appears there is followed.
 */
async function copy(source: string, target: string): Promise<Result<null>> {
  await mkdir(target, { recursive: true })
  const root = openRoot(target)
  if (!root.ok) return root
  for (const file of await filesIn(source)) {
    const bytes = await readFile(path.join(source, file))
    const written = writeFileNow(root.value, file.split(path.sep).join('/'), bytes, { expect: (found) => found.kind === 'missing', mode: null, durable: false })
    if (!written.ok) return written
  }
  return succeed(null)
}

async function filesIn(folder: string, under = ''): Promise<readonly string[]> {
  const entries = await readdir(path.join(folder, under), { withFileTypes: true })
  const lists = await Promise.all(entries.map(async (entry) => (entry.isDirectory() ? filesIn(folder, path.join(under, entry.name)) : [path.join(under, entry.name)])))
  return lists.flat().sort()
}
