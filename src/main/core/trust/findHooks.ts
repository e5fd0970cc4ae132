import type { TrustHook } from '../../../shared/domain/trust'
import type { ProjectFiles } from './projectFiles'

/** What sets a hook of git off. */
const gitHooks: Readonly<Record<string, string>> = {
  'pre-commit': 'git commit', 'prepare-commit-msg': 'git commit', 'commit-msg': 'git commit', 'post-commit': 'git commit', 'pre-merge-commit': 'git merge', 'post-merge': 'git merge',
  'pre-push': 'git push', 'post-checkout': 'git checkout', 'pre-rebase': 'git rebase', 'post-rewrite': 'git rebase', 'applypatch-msg': 'git am', 'pre-applypatch': 'git am', 'post-applypatch': 'git am',
  'fsmonitor-watchman': 'git status', 'post-index-change': 'git add', 'reference-transaction': 'git', 'pre-auto-gc': 'git gc', 'sendemail-validate': 'git send-email',
}
/** Scripts that a package manager runs without being told to. */
const lifecycle = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare', 'prepublish', 'prepublishOnly', 'prepack', 'postpack']
/** Files whose presence alone makes a program run what they say. */
const files: Readonly<Record<string, string>> = {
  '.pre-commit-config.yaml': 'git commit', 'lefthook.yml': 'git commit', 'lefthook.yaml': 'git commit', '.lefthook.yml': 'git commit', '.lefthook.yaml': 'git commit', '.envrc': 'direnv',
}
const readBytes = 1024 * 1024
const mostHooks = 100

/** Programs of the folder that other programs start. They are only named; none is read as configuration. */
export async function findHooks(project: ProjectFiles): Promise<readonly TrustHook[]> {
  const folders = ['.git/hooks', '.husky', '.githooks', ...(await namedFolder(project))]
  const hooks: TrustHook[] = []
  for (const folder of new Set(folders)) {
    for (const { name, kind } of (await project.list(folder)).entries) {
      const runsWith = Object.hasOwn(gitHooks, name) ? gitHooks[name] : undefined
      if (runsWith !== undefined && (kind === 'file' || kind === 'link')) hooks.push({ path: `${folder}/${name}`, runsWith })
    }
  }
  const here = (await project.list('')).entries
  for (const { name } of here) if (Object.hasOwn(files, name)) hooks.push({ path: name, runsWith: files[name] ?? '' })
  return [...hooks, ...(await scripts(project)), ...(await yarn(project))].slice(0, mostHooks)
}

/** `core.hooksPath`, when it names a folder of the project. */
async function namedFolder(project: ProjectFiles): Promise<readonly string[]> {
  const config = await project.text('.git/config', readBytes)
  const named = config?.ok === true ? /^\s*hooksPath\s*=\s*"?([^"#;\n]+)/imu.exec(config.value.text)?.[1]?.trim() : undefined
  return named === undefined || named.startsWith('/') || named.startsWith('~') ? [] : [named.replace(/^\.\//u, '').replace(/\/+$/u, '')]
}

async function scripts(project: ProjectFiles): Promise<readonly TrustHook[]> {
  const file = await project.text('package.json', readBytes)
  if (file?.ok !== true) return []
  const names = scriptNames(file.value.text)
  return lifecycle.filter((name) => names.has(name)).map((name) => ({ path: `package.json: ${name}`, runsWith: name.startsWith('prepublish') || name.endsWith('pack') ? 'npm publish' : 'npm install' }))
}

function scriptNames(text: string): ReadonlySet<string> {
  try {
    const read: unknown = JSON.parse(text)
    const found = typeof read === 'object' && read !== null && 'scripts' in read ? read.scripts : null
    return new Set(typeof found === 'object' && found !== null ? Object.keys(found) : [])
  } catch {
    return new Set() // npm cannot read it either
  }
}

/** A release or plug-in of yarn in the project runs with every command of yarn. */
async function yarn(project: ProjectFiles): Promise<readonly TrustHook[]> {
  const file = await project.text('.yarnrc.yml', readBytes)
  return file?.ok === true && /^\s*(?:yarnPath|plugins)\s*:/mu.test(file.value.text) ? [{ path: '.yarnrc.yml', runsWith: 'yarn' }] : []
}
