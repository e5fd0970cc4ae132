import { hookNames } from '../core/policy/programs/projectScripts'
import { makeRecipe } from '../core/policy/programs/makeRecipes'
import type { Where } from '../core/policy/shell/call'
import { lookNow, readFileNow } from '../native/safePath'
import type { Root } from '../native/safeFolder'

const fileBytes = 1024 * 1024

/**
 * What the guard may want to know of a project's own scripts, targets and hooks: looked up when a command names one, and
 * anew for each judgement, as a command may have changed them. Read as data for the guard, never as configuration of ours.
 */
export function projectScriptsOf(root: Root): Pick<Required<Where>, 'scripts' | 'hooks'> {
  let scripts: Readonly<Record<string, unknown>> | null = null
  let makefile: string | null = null
  return {
    scripts: (name, kind) => {
      if (kind === 'make') {
        makefile ??= ['GNUmakefile', 'makefile', 'Makefile'].map((file) => textOf(root, file)).find((text) => text !== '') ?? ''
        return makeRecipe(makefile, name)
      }
      scripts ??= scriptsIn(textOf(root, 'package.json'))
      const text = Object.hasOwn(scripts, name) ? scripts[name] : undefined
      return typeof text === 'string' ? text : null
    },
    hooks: () => {
      const folder = hooksFolder(textOf(root, '.git/config'))
      return folder === null ? [] : hookNames().filter((name) => isThere(root, `${folder}/${name}`))
    },
  }
}

function scriptsIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const manifest: unknown = JSON.parse(text)
    return isRecord(manifest) && isRecord(manifest['scripts']) ? manifest['scripts'] : {}
  } catch {
    // Not JSON: a package manager would find no scripts in it either.
    return {}
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The folder of hooks in the project; null when the settings put it elsewhere. */
function hooksFolder(config: string): string | null {
  const set = /^\s*hooksPath\s*=\s*"?([^"#;\n]+)/imu.exec(config)?.[1]?.trim()
  if (set === undefined) return '.git/hooks'
  return /^[~/]|(?:^|\/)\.\.(?:\/|$)/u.test(set) ? null : set.replace(/\/+$/u, '')
}

function textOf(root: Root, name: string): string {
  if (!isThere(root, name)) return ''
  const file = readFileNow(root, name, fileBytes)
  return file.ok ? new TextDecoder().decode(file.value.bytes) : ''
}

function isThere(root: Root, name: string): boolean {
  const found = lookNow(root, name)
  return found.ok && found.value.kind !== 'missing'
}
