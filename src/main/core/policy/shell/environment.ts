import type { Arg, Call, Outcome } from './call'
import { hasMark } from './marks'
import { allow, ask, isDenied, join } from './outcomes'
import { oneOf } from './alternatives'

/** Variables that a rule looks past: they steer output and language only. */
const shortList = /^(?:CI|NODE_ENV|FORCE_COLOR|NO_COLOR|CLICOLOR|CLICOLOR_FORCE|DEBUG|TZ|LANG|LANGUAGE|LC_[A-Z]+|COLUMNS|LINES|RUST_BACKTRACE|RUST_LOG|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|NODE_NO_WARNINGS)$/u

/** Variables whose text is a command that some program runs. */
const commandVariables =
  oneOf(String.raw`
    GIT_(?:SSH|SSH_COMMAND|EXTERNAL_DIFF|PAGER|EDITOR|SEQUENCE_EDITOR|ASKPASS|PROXY_COMMAND) PAGER MANPAGER [A-Z]+_PAGER EDITOR VISUAL [A-Z]+_EDITOR
    BROWSER PROMPT_COMMAND LESSOPEN LESSCLOSE SSH_ASKPASS SUDO_ASKPASS FCEDIT RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTC CC CXX LD AR MAKE SHELL
    CONFIG_SHELL RSYNC_RSH CVS_RSH MAILER PS0 PS1 PS2 PS4 TAR_OPTIONS XZ_OPT
  `)

/** Variables that make programs load or run other code, go elsewhere, or trust others. */
const executing =
  oneOf(String.raw`
    LD_\w+ DYLD_\w+ PATH IFS ENV BASH_ENV BASH_FUNC.* BASHOPTS SHELLOPTS BASH_\w+ CDPATH GLOBIGNORE HISTFILE HOME USER LOGNAME XDG_\w+ TMPDIR TERMINFO\w*
    TERM_PROGRAM\w* GCONV_PATH LOCPATH NLSPATH HOSTALIASES RES_OPTIONS MALLOC_\w+ GLIBC_TUNABLES NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS
    NODE_TLS_REJECT_UNAUTHORIZED NODE_REPL_\w+ ELECTRON_\w+ npm_config_\w+ NPM_\w+ YARN_\w+ PNPM_\w+ BUN_\w+ DENO_\w+ COREPACK_\w+ PYTHON\w* PIP_\w+
    UV_\w+ POETRY_\w+ VIRTUAL_ENV CONDA_\w+ PERL\w* RUBY\w* BUNDLE_\w+ GEM_\w+ JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS JAVA_OPTS JAVA_HOME
    CLASSPATH MAVEN_\w+ GRADLE_\w+ SBT_OPTS GO\w+ CGO_\w+ CARGO_\w+ RUSTUP_\w+ RUSTFLAGS RUSTDOC\w* MAKEFLAGS MFLAGS GNUMAKEFLAGS MAKEFILES CMAKE_\w+
    CFLAGS CXXFLAGS CPPFLAGS LDFLAGS LESS\w* MAN\w+ GREP_\w+ LS_OPTIONS GIT_\w+ SSH_\w+ GPG_\w+ GNUPGHOME DOCKER_\w+ BUILDKIT_\w+ COMPOSE_\w+ KUBE\w*
    HELM_\w+ TF_\w+ AWS_\w+ AZURE_\w+ GOOGLE_\w+ CLOUDSDK_\w+ GH_\w+ GITHUB_\w+ GITLAB_\w+ VAULT_\w+ ANSIBLE_\w+ PHP\w* PHPRC COMPOSER_\w+ LUA_\w+ R_\w+
    JULIA_\w+ NIX_\w+ [A-Za-z]*_?(?:http|https|ftp|all|no)_proxy (?:HTTP|HTTPS|FTP|ALL|NO)_PROXY SSL_\w+ CURL_\w+ REQUESTS_CA_BUNDLE OPENSSL_\w+ WGETRC
    INPUTRC MAILCAPS DISPLAY WAYLAND_DISPLAY DBUS_\w+ SYSTEMD_\w+ PKG_CONFIG\w* ACLOCAL_PATH QT_\w+ GTK_\w+ GIO_\w+ GST_\w+ VIMINIT EXINIT VIM\w* EMACS\w*
    ZDOTDIR FPATH POSIXLY_CORRECT RIPGREP_\w+ ACK_\w+ BAT_\w+ FZF_\w+ HG\w+ SVN_\w+ PG\w+ PSQL\w* MYSQL_\w+ ANT_\w+ JVM_OPTS JAVA_ARGS ERL_\w+ ELIXIR_\w+ TCLLIBPATH
    LIBRARY_PATH CPATH \w*INCLUDE_PATH COMPILER_PATH GCC_EXEC_PREFIX XZ_DEFAULTS GZIP ZIPOPT UNZIP PARALLEL SUDO_\w+ TMUX\w* DIRENV_\w+ BC_ENV_ARGS NVIM\w*
    RSYNC_\w+ EDITOR_\w+ WINE\w* PLAYWRIGHT_\w+ PUPPETEER_\w+ CYPRESS_\w+ TS_NODE_\w+ ESBUILD_BINARY_PATH SASS_\w+ TURBO_\w+ NX_\w+
  `)

/** Of those: values and names that are known to be harmless. */
const harmless = oneOf(String.raw`
  GIT_(?:OPTIONAL_LOCKS|TERMINAL_PROMPT|AUTHOR_\w+|COMMITTER_\w+|MERGE_AUTOEDIT|PROGRESS_DELAY|CONFIG_NOSYSTEM|TRACE(?:_\w+)?)=[^/]*
  (?:GIT_|MAN)?PAGER=(?:cat|) (?:GIT_|GIT_SEQUENCE_)?EDITOR=(?:true|:|cat) CC=(?:gcc|clang|cc)(?:-\d+)? CXX=(?:g\+\+|clang\+\+|c\+\+)(?:-\d+)?
  GO(?:OS|ARCH|MAXPROCS|GC)=\w* CGO_ENABLED=[01] PYTHON(?:UNBUFFERED|DONTWRITEBYTECODE|HASHSEED|UTF8)=\w* NODE_NO_WARNINGS=\w* PNPM_\w*=
  CARGO_(?:TERM_COLOR|INCREMENTAL|NET_OFFLINE|BUILD_JOBS)=\w* COMPOSE_PROJECT_NAME=\w* NO_PROXY=[\w.,*-]*
`)

/** True for variables that a rule may look past. */
export function isShortListed(name: string): boolean {
  return shortList.test(name)
}

/** True for variables that make programs run, load or trust something else. */
export function canRedirectPrograms(name: string): boolean {
  return !shortList.test(name) && (commandVariables.test(name) || executing.test(name))
}

/** Judges setting one variable, in front of a command or for the shell. */
export function judgeVariable(call: Call, name: string, value: Arg | null): Outcome {
  if (isShortListed(name)) return allow('guard.steers')
  const text = value?.text ?? ''
  if (name === 'IFS' && call.program === 'read') return allow('guard.steers')
  if (!hasMark(text) && harmless.test(`${name}=${text}`)) return allow('guard.steers')
  if (commandVariables.test(name)) return join(ask('guard.environment', { name }), ...deniedCommand(call, text))
  if (executing.test(name)) return ask('guard.environment', { name })
  return allow('guard.steers')
}

/** The value as a command, when it is one that is denied. */
function deniedCommand(call: Call, text: string): readonly Outcome[] {
  if (text.trim() === '') return []
  // LESSOPEN begins with marks of its own.
  const inner = call.runText(text.replace(/^\|{1,2}-?/u, ''))
  return isDenied(inner) ? [inner] : []
}
