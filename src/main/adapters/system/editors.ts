import { spawn } from 'node:child_process'
import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { knownEditors } from '../../../shared/domain/editorCommand'
import { fail, succeed, type Result } from '../../../shared/domain/result'
import type { Editors } from '../../core/ports/editors'

/** A program that has not failed by then has started. */
const startedMs = 1500

/** What it needs of the system. */
export interface EditorsOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
}

/** Editors on the search path of an environment. */
export function makeEditors({ environment, home }: EditorsOptions): Editors {
  const find = (program: string): string | null => findProgram(program, environment)
  return {
    detected: () => Promise.resolve(knownEditors.filter(({ program }) => find(program) !== null).map(({ name, command }) => ({ name, command }))),
    start(program, args, forbidden) {
      const file = find(program)
      if (file === null) return Promise.resolve(fail('editor.not-found', { program }))
      if (forbidden !== null && isIn(forbidden, file)) return Promise.resolve(fail('editor.in-project', { program: file }))
      // Batch files are read by a shell; their arguments would be, too.
      if (/\.(?:cmd|bat)$/iu.test(file)) return Promise.resolve(fail('editor.batch', { program: file }))
      return run(file, args, { environment, home })
    },
  }
}

/** As written where it is absolute, else on the absolute entries of the search path; null where it is not, or is relative. */
function findProgram(program: string, environment: EditorsOptions['environment']): string | null {
  if (path.isAbsolute(program)) return isProgram(program) ? program : null
  if (/[\\/]/u.test(program)) return null
  const folders = (environment['PATH'] ?? environment['Path'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder))
  const endings = process.platform === 'win32' ? ['.exe', ''] : ['']
  for (const folder of folders) {
    for (const ending of endings) {
      const file = path.join(folder, `${program}${ending}`)
      if (isProgram(file)) return file
      // VS Code and its kin put a batch file on the search path; their program lies beside it.
      const beside = process.platform === 'win32' && isProgram(path.join(folder, `${program}.cmd`)) ? path.join(folder, '..', `${program}.exe`) : null
      if (beside !== null && isProgram(beside)) return beside
    }
  }
  return null
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/** By the name it was found under and by what it leads to. */
function isIn(folder: string, file: string): boolean {
  const fence = `${folder}${path.sep}`
  return file.startsWith(fence) || realpathSync(file).startsWith(fence)
}

function run(file: string, args: readonly string[], { environment, home }: EditorsOptions): Promise<Result<null>> {
  return new Promise((resolve) => {
    // Its own group, so that it lives on; nothing of the opened folder is its working folder.
    const child = spawn(file, [...args], { cwd: home, env: withoutOurs(environment), stdio: 'ignore', detached: true, shell: false, windowsHide: false })
    const timer = setTimeout(() => end(succeed(null)), startedMs)
    const end = (result: Result<null>): void => {
      clearTimeout(timer)
      child.removeAllListeners()
      // A late fault has nobody to hear it; it must not end the app.
      child.on('error', () => undefined)
      child.unref()
      resolve(result)
    }
    child.once('error', (error) => end(fail('editor.failed', { program: file, problem: error.message })))
    child.once('exit', (code) => end(code === 0 ? succeed(null) : fail('editor.failed', { program: file, problem: String(code ?? '') })))
  })
}

/** An editor that is built on Electron would read these as meant for it. */
function withoutOurs(environment: EditorsOptions['environment']): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('ELECTRON_') && name !== 'NODE_OPTIONS'))
}
