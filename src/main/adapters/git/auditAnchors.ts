import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import type { AuditAnchor } from '../../../shared/domain/audit'
import { mainRef } from './storeFiles'

const inflated = promisify(inflate)
const defaultLimits = { stores: 32, commits: 32 }

/**
 * The audit chain as the newest snapshots of every workspace have it: against them a cut tail of the log shows. Only so many
 * stores, those written to last, and so many commits of each are read. Commits that plain git has packed end the walk; a store
 * that cannot be read says nothing.
 *
 * @param dataFolder the app's; the stores lie in `snapshots`.
 */
export async function readAuditAnchors(dataFolder: string, limits = defaultLimits): Promise<readonly AuditAnchor[]> {
  const all = path.join(dataFolder, 'snapshots')
  const names = await readdir(all).catch(() => [])
  const stores = await Promise.all(names.map(async (name) => ({ folder: path.join(all, name), atMs: await stat(path.join(all, name, mainRef)).then((facts) => facts.mtimeMs, () => 0) })))
  const newest = stores.filter(({ atMs }) => atMs > 0).sort((a, b) => b.atMs - a.atMs).slice(0, limits.stores)
  const anchors = await Promise.all(newest.map(({ folder }) => anchorsOf(folder, limits.commits)))
  return anchors.flat()
}

async function anchorsOf(folder: string, limit: number): Promise<readonly AuditAnchor[]> {
  const anchors: AuditAnchor[] = []
  let commit: string | null = (await readFile(path.join(folder, mainRef), 'utf8').catch(() => '')).trim()
  for (let left = limit; left > 0 && commit !== null; left -= 1) {
    const text: string | null = await readCommit(folder, commit)
    if (text === null) break
    const chain = /^Countersign-Audit: ([0-9a-f]{64})$/m.exec(text)?.[1]
    const entry = /^Countersign-Audit-Entry: (\d{1,15})$/m.exec(text)?.[1]
    if (chain !== undefined) anchors.push({ chain, entries: entry === undefined ? null : Number(entry) })
    commit = /^parent ([0-9a-f]{40})$/m.exec(text)?.[1] ?? null
  }
  return anchors
}

async function readCommit(folder: string, id: string): Promise<string | null> {
  if (!/^[0-9a-f]{40}$/.test(id)) return null
  try {
    const text = (await inflated(await readFile(path.join(folder, 'objects', id.slice(0, 2), id.slice(2))))).toString('utf8')
    return text.startsWith('commit ') ? text.slice(text.indexOf('\0') + 1) : null
  } catch {
    return null // not loose, or damaged: the snapshots themselves say so where it matters
  }
}
