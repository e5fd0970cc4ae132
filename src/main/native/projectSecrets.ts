import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Dirent } from 'node:fs'
import type { ProjectSecrets, SecretPlace } from '../core/policy/commandReads'
import { isSecretPath } from '../core/policy/protectedPaths'
import type { Root } from './safeFolder'

/** Most entries that are looked at; more cannot be said. */
const mostEntries = 300_000
const mostLinks = 1000
/** Looked at together: enough to keep the disk busy. */
const atOnce = 32
/** An answer holds so long, and ten times what it cost. */
const freshMs = 1000

/**
 * Finds the secrets files of a project by name. Dependencies are left out, as everywhere. No link is followed but to see
 * whether it leads to a secret. The answer is kept for a moment, since one command may ask more than once.
 */
export function makeSecretFinder(root: Root, limit = mostEntries): () => Promise<ProjectSecrets> {
  let kept: { readonly found: Promise<ProjectSecrets>; untilMs: number } | null = null
  return () => {
    const now = performance.now()
    if (kept !== null && now < kept.untilMs) return kept.found
    const mine = { found: find(root.path, limit), untilMs: Number.POSITIVE_INFINITY }
    kept = mine
    const settle = (): void => {
      const cost = performance.now() - now
      mine.untilMs = now + cost + Math.max(freshMs, 10 * cost)
    }
    mine.found.then(settle, () => (mine.untilMs = 0))
    return mine.found
  }
}

interface Walk {
  readonly secrets: string[]
  readonly links: string[]
  entries: number
}

async function find(root: string, limit: number): Promise<ProjectSecrets> {
  const walk: Walk = { secrets: [], links: [], entries: 0 }
  const open = ['']
  while (open.length > 0 && walk.entries <= limit) {
    const below = await Promise.all(open.splice(-atOnce).map((folder) => lookInto(root, folder, walk)))
    open.push(...below.flat())
  }
  const isWhole = open.length === 0 && walk.links.length <= mostLinks
  const aliases = await Promise.all(walk.links.slice(0, mostLinks).map((link) => aliasesOf(root, link, walk.secrets)))
  const names = await Promise.all(walk.secrets.map((path) => stat(join(root, path)).then(({ nlink }) => nlink, () => 1)))
  return { places: [...walk.secrets.map((path) => ({ path, file: path })), ...aliases.flat()], isWhole, hasSecondName: names.some((count) => count > 1) }
}

async function lookInto(root: string, folder: string, walk: Walk): Promise<readonly string[]> {
  const entries: readonly Dirent[] = await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])
  walk.entries += entries.length
  const below: string[] = []
  for (const entry of entries) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules' && entry.name.toLowerCase() !== '.git') below.push(path)
    } else if (entry.isSymbolicLink()) walk.links.push(path)
    else if (isSecretPath(path)) walk.secrets.push(path)
  }
  return below
}

/** The paths by which a link leads to secrets of the project. What it leads to outside is judged where it is named. */
async function aliasesOf(root: string, link: string, secrets: readonly string[]): Promise<readonly SecretPlace[]> {
  const real = await realpath(join(root, link)).catch(() => null)
  if (real === null || !`${real}/`.startsWith(`${root}/`)) return []
  const target = real.slice(root.length + 1)
  if (isSecretPath(target) || isSecretPath(link)) return [{ path: link, file: target }]
  return secrets.filter((path) => target === '' || path.startsWith(`${target}/`)).map((path) => ({ path: `${link}/${target === '' ? path : path.slice(target.length + 1)}`, file: path }))
}
