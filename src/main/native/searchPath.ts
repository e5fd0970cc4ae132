import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import path from 'node:path'
import { makeProcessTree, markVariable } from './processTree'
import { findProgram, probeIsolation } from './processTreeIsolation'

const usualPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const npmFolder = /\/node_modules\/(?:\.bin|.*\/node-gyp-bin)\/?$/
/** A project must not bring the shell that judged commands run in, so programs of the system are looked for in its own folders first. */
export const programFolders: readonly string[] = ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin', '/run/current-system/sw/bin']
/** Shells that take the same options and print PATH the same way. */
const readableShells = ['bash', 'zsh', 'fish', 'ksh', 'dash', 'sh']

/**
 * The absolute folders of PATH, each once, in order; the usual ones when there is none. What npm put in front when it started
 * the app is left out: those are this app's own tools, not the user's.
 */
export function searchFolders(source: NodeJS.ProcessEnv): readonly string[] {
  const isByNpm = source['npm_execpath'] !== undefined
  const given = foldersOf(source['PATH'] ?? '').filter((folder) => !(isByNpm && npmFolder.test(folder)))
  return given.length > 0 ? given : foldersOf(usualPath)
}

/** Folders in which programs are looked for, and whether the user's login shell had its say in them. */
export interface SearchPath {
  readonly folders: readonly string[]
  /** Why they are the app's own alone: the shell took too long, or did not tell; null when it did, or none is set up that could be asked. */
  readonly problem: 'slow' | 'silent' | null
}

/**
 * The folders that the user's terminal would search. Started from a desktop, the app knows little of what the user's shell
 * sets up, so the login shell is asked; a profile that prints, fails or is slow changes nothing (D01). Everything the profile
 * started is ended. In a terminal, PATH is right as it is and the shell's answer only adds to it.
 * @param limitMs how long the shell may take
 */
export async function readSearchPath(source: NodeJS.ProcessEnv, limitMs = 3000): Promise<SearchPath> {
  const own = searchFolders(source)
  const answer = await askLoginShell(source, limitMs)
  const told = answer.kind === 'told' ? foldersOf(answer.path) : []
  const isInTerminal = !['', 'dumb', 'linux'].includes(source['TERM'] ?? '')
  const folders = [...new Set(isInTerminal ? [...own, ...told] : [...told, ...own])]
  return { folders, problem: answer.kind === 'slow' || answer.kind === 'silent' ? answer.kind : null }
}

function foldersOf(text: string): readonly string[] {
  return [...new Set(text.split(':').filter((folder) => path.isAbsolute(folder)))]
}

type Answer = { readonly kind: 'told'; readonly path: string } | { readonly kind: 'slow' | 'silent' | 'not-asked' }

async function askLoginShell(source: NodeJS.ProcessEnv, limitMs: number): Promise<Answer> {
  const shell = source['SHELL'] ?? shellOfAccount()
  const bash = findProgram('bash', programFolders)
  if (bash === null || !path.isAbsolute(shell) || !readableShells.includes(path.basename(shell))) return { kind: 'not-asked' }
  const isolation = await probeIsolation(bash, programFolders)
  const word = randomBytes(12).toString('hex')
  const [file, ...args] = [...(isolation.kind === 'namespace' ? isolation.launcher : []), shell, '-i', '-l', '-c', `printf '%s' '${word}<' "$PATH" '>${word}'`]
  const child = spawn(file, args, { env: { ...source, [markVariable]: word, DISABLE_AUTO_UPDATE: 'true' }, stdio: ['ignore', 'pipe', 'ignore'], detached: true })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (printed.length < 1_000_000) printed += text
  })
  const found = await new Promise<Answer>((resolve) => {
    const timer = setTimeout(() => resolve({ kind: 'slow' }), limitMs)
    const look = (): void => {
      const answer = new RegExp(`${word}<(.*)>${word}`, 's').exec(printed)?.[1]
      if (answer === undefined && child.exitCode === null && child.signalCode === null) return
      clearTimeout(timer)
      resolve(answer === undefined ? { kind: 'silent' } : { kind: 'told', path: answer })
    }
    child.stdout.on('data', look)
    child.once('error', () => resolve({ kind: 'not-asked' }))
    child.once('close', look)
  })
  if (child.pid !== undefined) await makeProcessTree({ leader: child.pid, isolation, mark: word, terminal: () => null }).end(0)
  child.stdout.destroy()
  return found
}

function shellOfAccount(): string {
  try {
    return userInfo().shell ?? ''
  } catch {
    return '' // a number without an account
  }
}
