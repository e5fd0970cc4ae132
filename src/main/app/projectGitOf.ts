import { existsSync } from 'node:fs'
import path from 'node:path'
import { projectGitExecutes } from '../core/policy/projectGit'
import { lookNow, readFileNow } from '../native/safePath'
import type { Root } from '../native/safeFolder'

const configBytes = 1024 * 1024

/**
 * Whether the project's git settings name programs that reading commands of git would run; null where that cannot be known,
 * so that they ask. The settings are read as data for the guard, never as configuration of ours (R74). Looked at anew for
 * each judgement: a command may have changed them.
 */
export function projectGitOf(root: Root): { readonly executes: boolean | null } {
  const git = lookNow(root, '.git')
  if (!git.ok) return { executes: null }
  if (git.value.kind === 'missing') return { executes: isInsideRepository(root.path) ? null : false }
  // A gitfile leads to settings outside the project.
  if (git.value.kind !== 'folder') return { executes: null }
  const texts = ['.git/config', '.git/config.worktree'].map((name) => textOf(root, name))
  const submodules = ['.gitmodules', '.git/modules'].map((name) => isThere(root, name))
  if (texts.includes(null) || submodules.includes(null)) return { executes: null }
  return { executes: projectGitExecutes({ config: texts.join('\n'), hasSubmodules: submodules.includes(true) }) }
}

/** A repository that begins above the opened folder has its settings outside it. */
function isInsideRepository(folder: string): boolean {
  const parent = path.dirname(folder)
  return parent !== folder && (existsSync(path.join(parent, '.git')) || isInsideRepository(parent))
}

/** Empty for a file that is not there, null for one that cannot be read. */
function textOf(root: Root, name: string): string | null {
  if (isThere(root, name) === false) return ''
  const file = readFileNow(root, name, configBytes)
  return file.ok ? new TextDecoder().decode(file.value.bytes) : null
}

/** Null where it cannot be looked at: what cannot be judged is not let through. */
function isThere(root: Root, name: string): boolean | null {
  const found = lookNow(root, name)
  return found.ok ? found.value.kind !== 'missing' : null
}
