import { homedir, userInfo } from 'node:os'

/** Passed on as they are, when set and not key-like: what SECURITY names, and where version managers and their tools lie. */
const passed = [
  'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR',
  'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME',
  'NVM_DIR', 'NVM_BIN', 'NODENV_ROOT', 'N_PREFIX', 'FNM_DIR', 'FNM_MULTISHELL_PATH', 'VOLTA_HOME', 'PNPM_HOME', 'BUN_INSTALL', 'DENO_INSTALL', 'COREPACK_HOME',
  'PYENV_ROOT', 'PYENV_VERSION', 'VIRTUAL_ENV', 'CONDA_PREFIX', 'CONDA_EXE', 'CONDA_PYTHON_EXE', 'CONDA_DEFAULT_ENV', 'POETRY_HOME', 'PIPX_HOME', 'UV_INSTALL_DIR',
  'RBENV_ROOT', 'RBENV_VERSION', 'GEM_HOME', 'GEM_PATH', 'CARGO_HOME', 'RUSTUP_HOME', 'RUSTUP_TOOLCHAIN', 'GOPATH', 'GOROOT', 'GOENV_ROOT',
  'JAVA_HOME', 'JENV_ROOT', 'SDKMAN_DIR', 'M2_HOME', 'MAVEN_HOME', 'GRADLE_HOME', 'ANDROID_HOME', 'ANDROID_SDK_ROOT', 'DOTNET_ROOT', 'PHPENV_ROOT',
  'ASDF_DIR', 'ASDF_DATA_DIR', 'MISE_DATA_DIR', 'MISE_CONFIG_DIR', 'HOMEBREW_PREFIX', 'HOMEBREW_CELLAR', 'HOMEBREW_REPOSITORY',
]
const proxies = ['http_proxy', 'https_proxy', 'ftp_proxy', 'all_proxy', 'no_proxy']

/** git hands this to a shell. An editor would wait for keys for ever (D07); this says what to do instead, and fails. */
const noEditor = `echo 'There is no editor here: give the text on the command line, as with git commit -m.' >&2; false`

/** What every command gets: nothing waits for a key, and git takes no lock for a mere look. */
const fixed: Readonly<Record<string, string>> = {
  TERM: 'xterm-256color',
  PAGER: 'cat',
  MANPAGER: 'cat',
  GIT_PAGER: 'cat',
  GH_PAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  AWS_PAGER: '',
  BAT_PAGER: 'cat',
  DELTA_PAGER: 'cat',
  PSQL_PAGER: 'cat',
  EDITOR: 'false',
  VISUAL: 'false',
  // These go before EDITOR in programs that have one of their own.
  HGEDITOR: 'false',
  SVN_EDITOR: 'false',
  KUBE_EDITOR: 'false',
  JJ_EDITOR: 'false',
  // Packages of Debian ask on the terminal otherwise.
  DEBIAN_FRONTEND: 'noninteractive',
  GIT_EDITOR: noEditor,
  GIT_SEQUENCE_EDITOR: noEditor,
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  // Names that are not ASCII as they are, for the person and the model alike.
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'core.quotePath',
  GIT_CONFIG_VALUE_0: 'false',
}

const keyNames = /key|token|secret|passw|passphrase|credential|auth|cookie|session/i
const keyValues =
  /-----BEGIN|\b(?:sk|pk|rk)[-_][\w-]{16,}|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[abeoprs]-[\w-]{10,}|\bA[KS]IA[0-9A-Z]{16}\b|\bAIza[\w-]{30,}|\bnpm_\w{30,}|\bhf_\w{20,}|\beyJ[\w-]{10,}\.[\w-]{10,}\.|\bBearer\s/

/**
 * The named environment of a command: no variable gets in that is not named here, and none whose name or value
 * looks like a key. A proxy loses the user part of its address.
 * @param source the app's own environment
 * @param searchPath folders to search, absolute
 */
export function commandEnvironment(source: NodeJS.ProcessEnv, searchPath: readonly string[]): Record<string, string> {
  const found = Object.entries(source).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  const own = found.filter(([name, value]) => isNamed(name) && !keyNames.test(name) && !keyValues.test(value))
  const environment = { ...Object.fromEntries(own.map(([name, value]) => [name, isProxy(name) ? withoutUser(value) : value])), ...fixed, PATH: searchPath.join(':') }
  return withDefaults(environment)
}

function isNamed(name: string): boolean {
  return passed.includes(name) || /^LC_[A-Z]+$/.test(name) || isProxy(name)
}

function isProxy(name: string): boolean {
  return proxies.includes(name) || (name === name.toUpperCase() && proxies.includes(name.toLowerCase()))
}

/** `http://name:word@host` loses `name:word@`. */
function withoutUser(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/)?[^/?#]*@/i, '$1')
}

/** Started from a desktop, little may be set. The terminal is UTF-8, and without a locale many programs print `?` for Chinese. */
function withDefaults(environment: Record<string, string>): Record<string, string> {
  const hasLocale = ['LC_ALL', 'LC_CTYPE', 'LANG'].some((name) => (environment[name] ?? '') !== '')
  return {
    ...environment,
    HOME: environment['HOME'] ?? homedir(),
    USER: environment['USER'] ?? userName(),
    ...(hasLocale ? {} : { LANG: process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8' }),
  }
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? '') // a number without an account, as in some containers
  }
}
