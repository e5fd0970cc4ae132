import { fail, succeed, type Result } from './result'

/** An editor that can be offered: its name, and the command that opens a place in it. */
export interface EditorOffer {
  readonly name: string
  readonly command: string
}

/** Editors that are looked for, with the program that starts each. Those that run in a terminal are not among them. */
export const knownEditors: readonly (EditorOffer & { readonly program: string })[] = [
  { name: 'VS Code', program: 'code', command: 'code --goto {path}:{line}:{column}' },
  { name: 'Cursor', program: 'cursor', command: 'cursor --goto {path}:{line}:{column}' },
  { name: 'VSCodium', program: 'codium', command: 'codium --goto {path}:{line}:{column}' },
  { name: 'Zed', program: 'zed', command: 'zed {path}:{line}:{column}' },
  { name: 'IntelliJ IDEA', program: 'idea', command: 'idea --line {line} --column {column} {path}' },
  { name: 'Sublime Text', program: 'subl', command: 'subl {path}:{line}:{column}' },
]

/** They need a terminal, which a window does not give them. */
const terminalEditors = new Set(['vi', 'vim', 'nvim', 'nano', 'pico', 'micro', 'hx', 'helix', 'kak', 'joe', 'ne', 'ed'])
/** They read their arguments as a program: a path that is a command would be run. */
const shells = new Set(['sh', 'bash', 'zsh', 'dash', 'fish', 'ksh', 'cmd', 'powershell', 'pwsh', 'env', 'sudo', 'doas', 'xargs', 'eval', 'exec', 'osascript', 'wsl', 'cscript', 'wscript', 'mshta', 'rundll32'])

/**
 * Reads the setting: a program and its arguments, cut at blanks; quotes keep blanks together, and a backslash is an ordinary
 * character, since it stands in paths. It never goes through a shell. Refused without `{path}`, with a program
 * that is a place holder, a shell, or runs in a terminal, and with a quote that is not closed.
 */
export function readEditorCommand(text: string): Result<readonly [string, ...string[]]> {
  const words = wordsOf(text)
  if (words === null) return fail('editor.open-quote')
  const [program, ...rest] = words
  if (program === undefined) return fail('editor.no-program')
  const name = (program.split(/[\\/]/u).at(-1) ?? '').toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/u, '')
  if (/\{(?:path|line|column)\}/u.test(program)) return fail('editor.no-program')
  if (shells.has(name)) return fail('editor.shell', { program: name })
  if (terminalEditors.has(name)) return fail('editor.terminal', { program: name })
  if (!rest.some((word) => word.includes('{path}'))) return fail('editor.no-path')
  return succeed([program, ...rest])
}

function wordsOf(text: string): readonly string[] | null {
  const words: string[] = []
  let word: string | null = null
  let quote: string | null = null
  for (const character of text) {
    if (quote !== null) {
      if (character === quote) quote = null
      else word = (word ?? '') + character
    } else if (character === '"' || character === "'") {
      quote = character
      word ??= ''
    } else if (/\s/u.test(character)) {
      if (word !== null) words.push(word)
      word = null
    } else word = (word ?? '') + character
  }
  if (word !== null) words.push(word)
  return quote === null ? words : null
}

/** The arguments with the place filled in, each place holder once: what a path holds is never read as one. */
export function editorArguments(args: readonly string[], place: { readonly path: string; readonly line: number; readonly column: number }): readonly string[] {
  return args.map((word) => word.replace(/\{(path|line|column)\}/gu, (_, name: 'path' | 'line' | 'column') => String(place[name])))
}

/** Endings whose files the system opens to be looked at; others it may run, and a page may run scripts. */
const looked = new Set(['txt', 'md', 'markdown', 'rst', 'log', 'csv', 'tsv', 'json', 'jsonc', 'yaml', 'yml', 'toml', 'ini', 'cfg', 'conf', 'c', 'h', 'cc', 'cpp', 'hpp', 'cs', 'rs', 'go', 'java', 'kt', 'swift', 'ts', 'tsx', 'jsx', 'css', 'scss', 'sql', 'pdf', 'png', 'jpg', 'jpeg', 'gif', 'webp'])

/** Whether a file may be handed to the system without an editor: never what it might run, whatever it is called. */
export function isOnlyLookedAt(path: string, mode: number): boolean {
  const ending = /\.([^./\\]+)$/u.exec(path)?.[1]?.toLowerCase() ?? ''
  return looked.has(ending) && (mode & 0o111) === 0
}
