/**
 * What a sandboxed command sees of the person's home, relative to it; the rest of the home is an empty private folder. Tools
 * and what they were installed with, never logins: those lie beside and stay hidden.
 */
export const toolFolders: readonly string[] = [
  'bin', '.local/bin', '.local/lib', '.local/pipx', '.local/share/pipx', '.local/share/uv', '.local/share/pypoetry', '.local/share/virtualenvs', '.local/share/fnm', '.local/share/mise',
  '.local/share/pnpm', '.local/share/rtx', '.local/share/nvm', '.local/share/JetBrains/Toolbox/scripts', '.local/state/nix/profiles', '.local/state/fnm_multishells',
  '.nvm', '.fnm', '.volta', '.nodenv', 'n', '.n', '.asdf', '.bun/bin', '.deno/bin', '.yarn/bin', '.config/yarn/global', '.npm-global', '.npm-packages', '.node_modules',
  '.pyenv', '.virtualenvs', 'miniconda3', 'anaconda3', 'miniforge3', 'mambaforge', '.conda/envs', '.conda/pkgs', '.poetry',
  '.rbenv', '.rvm', '.gem/ruby', '.bundle/cache', '.phpenv', '.composer/vendor', '.config/composer/vendor',
  '.cargo/bin', '.cargo/env', '.rustup', 'go/bin', '.goenv', 'sdk', '.gvm', '.local/go',
  '.sdkman', '.jenv', '.jdks', '.m2/wrapper', '.gradle/wrapper', '.sbt/boot', '.dotnet', '.nuget/plugins', 'Android/Sdk', 'android-sdk',
  '.nix-profile', '.linuxbrew', '.elan', '.ghcup', '.cabal/bin', '.stack/programs', '.opam', '.juliaup', '.julia/juliaup', 'flutter', '.swiftly', '.platformio/penv', '.krew/bin',
  '.cache/ms-playwright', '.cache/puppeteer', '.cache/Cypress', '.cache/electron', '.cache/electron-builder', '.cache/node', '.cache/node-gyp', '.cache/pre-commit', '.cache/selenium', '.cache/deno', '.cache/bazelisk',
]

/** Settings that daily tools need. Shown only when nothing in them looks like a key; git's are shown without such lines. */
export const harmlessSettings: readonly string[] = [
  '.npmrc', '.yarnrc', '.config/pip/pip.conf', '.pip/pip.conf', '.cargo/config.toml', '.cargo/config', '.config/go/env', '.editorconfig', '.tool-versions', '.nvmrc', '.node-version',
  '.config/mise/config.toml', '.config/black', '.config/ruff/ruff.toml', '.gemrc', '.bundle/config', '.bazelrc', '.config/nvim/.editorconfig',
]

/** The person's settings for git: name, address, line ends. */
export const gitSettings: readonly string[] = ['.gitconfig', '.config/git/config', '.config/git/ignore', '.config/git/attributes', '.gitignore', '.gitignore_global', '.gitattributes']

/**
 * Where tools keep what they fetched. A project gets its own, writable, with its first command that has the network; until then
 * the person's is there to read. What a command puts there never reaches a command outside.
 */
export const fetchedFolders: readonly string[] = [
  '.npm', '.cargo/registry', '.cargo/git', '.m2/repository', '.nuget/packages', 'go/pkg', '.gradle/caches', '.pub-cache', '.bun/install', '.yarn/berry', '.local/share/pnpm/store', '.ivy2', '.sbt',
  '.cabal/packages', '.julia/packages', '.composer/cache',
]

/** Variables that name a tool's folder, wherever it lies. */
export const toolVariables: readonly string[] = [
  'NVM_DIR', 'NVM_BIN', 'NODENV_ROOT', 'N_PREFIX', 'FNM_DIR', 'FNM_MULTISHELL_PATH', 'VOLTA_HOME', 'PNPM_HOME', 'PYENV_ROOT', 'VIRTUAL_ENV', 'CONDA_PREFIX', 'POETRY_HOME', 'PIPX_HOME',
  'RBENV_ROOT', 'RUSTUP_HOME', 'GOROOT', 'GOENV_ROOT', 'JAVA_HOME', 'JENV_ROOT', 'SDKMAN_DIR', 'MAVEN_HOME', 'GRADLE_HOME', 'ANDROID_HOME', 'ANDROID_SDK_ROOT', 'DOTNET_ROOT', 'PHPENV_ROOT',
  'ASDF_DIR', 'ASDF_DATA_DIR', 'MISE_DATA_DIR', 'HOMEBREW_PREFIX',
]

/**
 * Protected names that are held free while a command runs, since looking at the project is enough to run what stands there: an
 * editor that opens it, a prompt that asks git, a tool that reads its settings. `/` at the end marks a folder. The other
 * protected names are held when they exist.
 */
export const heldFree: readonly string[] = [
  '.git/', '.vscode/', '.idea/', '.cursor/', '.claude/', '.husky/', '.github/workflows/', '.mcp.json', '.envrc', '.npmrc', '.gitattributes', '.gitmodules',
]

/** The same inside a repository's own folder. */
export const heldFreeInGit: readonly string[] = ['hooks/', 'config', 'config.worktree']

/** Variables that lead to programs outside, or to places that are hidden. */
export const takenVariables: readonly string[] = [
  'SSH_AUTH_SOCK', 'SSH_AGENT_PID', 'GPG_AGENT_INFO', 'DOCKER_HOST', 'DOCKER_CONTEXT', 'CONTAINER_HOST', 'DBUS_SESSION_BUS_ADDRESS', 'DBUS_SYSTEM_BUS_ADDRESS', 'XDG_RUNTIME_DIR', 'DISPLAY',
  'WAYLAND_DISPLAY', 'XAUTHORITY', 'GNOME_KEYRING_CONTROL', 'KRB5CCNAME', 'TMUX', 'STY', 'VSCODE_IPC_HOOK_CLI', 'KUBECONFIG',
]

/** Whole folders of the machine that are replaced by empty ones. */
export const emptiedFolders: readonly string[] = ['/tmp', '/var/tmp', '/run', '/var/run', '/home', '/root']

/** Shown again below an emptied folder: programs, no sockets. */
export const shownAgain: readonly string[] = ['/home/linuxbrew/.linuxbrew', '/run/current-system', '/run/booted-system', '/run/opengl-driver', '/run/wrappers']

/** Sockets that give power outside, wherever one is bound; others are found in the system's list of bound sockets. */
export const knownSockets: readonly string[] = [
  '/var/lib/docker.sock', '/var/snap/lxd/common/lxd/unix.socket', '/var/lib/lxd/unix.socket', '/var/lib/incus/unix.socket', '/nix/var/nix/daemon-socket/socket', '/var/snap/docker/common/run/docker.sock',
]

/** Of /proc: a user of number 0 owns these also without any capability. */
export const kernelFolders: readonly string[] = ['/proc/sys', '/proc/irq', '/proc/bus', '/proc/fs', '/proc/acpi', '/proc/scsi', '/proc/driver', '/proc/mtrr', '/proc/sysrq-trigger', '/proc/latency_stats', '/proc/asound']

/** Without a network, tools that try again only make the person wait. */
export const withoutRetries: Readonly<Record<string, string>> = { npm_config_fetch_retries: '0', PIP_RETRIES: '0', CARGO_NET_RETRY: '0', YARN_HTTP_RETRY: '0' }
