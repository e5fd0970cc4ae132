/** What the host found of a project's repository. */
export interface ProjectGit {
  /** The text of `.git/config` (and `config.worktree`); null when the project lies in no repository. */
  readonly config: string | null
  /** True when there are submodules: each brings settings of its own that reading commands obey. */
  readonly hasSubmodules: boolean
}

const runs =
  /^(?:core\.(?:fsmonitor|hookspath|pager|askpass|gitproxy|alternaterefscommand|worktree|sshcommand|editor)|pager\..+|diff\.(?:external|.+\.(?:command|textconv))|filter\..+\.(?:clean|smudge|process)|interactive\.difffilter|merge\..+\.driver|trailer\..+\.(?:command|cmd)|log\.showsignature|gpg\..*|include\..+|includeif\..+|extensions\.worktreeconfig)$/u

/**
 * True when the settings of a repository make reading commands of git (`status`, `diff`, `log`, `branch`) run a program or
 * obey another file: then they are no readers (SECURITY rule of R66). Attributes only choose among what the settings name.
 * The person's own global settings are not looked at; they are the person's.
 */
export function projectGitExecutes({ config, hasSubmodules }: ProjectGit): boolean {
  if (hasSubmodules) return true
  return config !== null && settingsOf(config).some(({ key, value }) => runs.test(key) && !isOff(value))
}

function isOff(value: string): boolean {
  return /^(?:false|no|off|0|)$/iu.test(value)
}

interface Setting {
  /** Section, sub-section and name, in lower case but for the sub-section. */
  readonly key: string
  readonly value: string
}

/** The settings of a git config file. Lines that are not understood count as a setting that runs something. */
function settingsOf(text: string): readonly Setting[] {
  const settings: Setting[] = []
  let section = ''
  for (const line of text.replace(/\\\r?\n/gu, '').split(/\r?\n/u)) {
    const rest = readSection(line.trim())
    if (rest.section !== null) section = rest.section
    if (rest.text === '' || /^[#;]/u.test(rest.text)) continue
    const found = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/su.exec(rest.text)
    settings.push(found ? { key: `${section}.${(found[1] ?? '').toLowerCase()}`, value: plainValue(found[2] ?? 'true') } : { key: 'include.unreadable', value: 'true' })
  }
  return settings
}

/** `[section "sub"] key = value` may stand in one line. */
function readSection(line: string): { readonly section: string | null; readonly text: string } {
  const found = /^\[([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\]\s*/u.exec(line)
  if (!found) return { section: null, text: line }
  const name = (found[1] ?? '').toLowerCase()
  return { section: found[2] === undefined ? name : `${name}.${found[2]}`, text: line.slice(found[0].length) }
}

function plainValue(text: string): string {
  return text.replace(/\s+[#;].*$/su, '').replace(/"/gu, '').trim()
}
