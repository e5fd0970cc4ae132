/**
 * The names behind PathGuard and CommandGuard: one list for both (R67). All names are in folded form (see foldName), all
 * paths relative to the folder that the list speaks of, with `/`. An entry covers the place itself and all below it.
 */

/** Folders and files anywhere in a project whose content another program executes: every write asks, at every asking level. */
export const executedPlaces: readonly string[] = [
  '.vscode', '.idea', '.cursor', '.claude', '.husky', '.githooks', '.devcontainer', '.zed', '.windsurf', '.gemini', '.codex', '.fleet',
  '.circleci', '.github/workflows', '.github/actions', '.cargo/config', '.cargo/config.toml', '.yarn/plugins', '.yarn/releases',
  '.mcp.json', '.envrc', '.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', '.gitattributes', '.gitmodules', '.gitconfig', '.lfsconfig',
  'package.json', '.pre-commit-config.yaml', 'lefthook.yml', '.lefthook.yml', 'mise.toml', '.mise.toml', '.bazelrc', '.gitlab-ci.yml',
]

/** The same by the end of the name. */
export const executedEndings: readonly string[] = ['.code-workspace']

/** Names whose content is a secret: reading asks. */
export const secretNames: readonly string[] = [
  '.netrc', '_netrc', '.pypirc', '.git-credentials', '.pgpass', '.my.cnf', '.htpasswd', '.dockercfg', '.vault_pass', '.vault_pass.txt', '.vault-token',
  '.s3cfg', '.boto', '.dev.vars', 'credentials', 'credentials.json', '.credentials.json', 'credentials.toml', 'kubeconfig', 'terraform.tfstate',
  'secrets.json', 'secrets.yml', 'secrets.yaml', 'secrets.toml', 'secrets.env', 'secrets.ini',
]

/** Endings of key files and key stores. */
export const secretEndings: readonly string[] = ['.pem', '.key', '.p8', '.p12', '.pfx', '.jks', '.keystore', '.kdbx', '.ppk', '.keytab', '.ovpn', '.env', '.tfvars', '.tfvars.json']

/** Names that are secrets in one folder alone, wherever that lies. */
export const secretPlaces: readonly string[] = ['.docker/config.json', '.kube/config']

/** Folders that hold secrets; source code in a folder of such a name is none. */
export const secretFolders: readonly string[] = ['secrets', '.secrets']

/** Endings that mark an example of a secrets file, made to be shared. */
export const exampleEndings: readonly string[] = ['.example', '.sample', '.template', '.tmpl', '.dist', '.pub']

/** Source and prose, which a secrets folder may hold without being a secret. */
export const sourceEnding = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|cpp|cc|hpp|[chmr]|swift|scala|md|mdx|rst|html|css|vue|svelte)$/u

/** Below a person's home: logins, keys, shell histories, browser profiles. Never read by the agent. */
export const credentialPlaces: readonly string[] = [
  '.ssh', '.aws', '.azure', '.oci', '.gnupg', '.kube', '.docker', '.netrc', '_netrc', '.authinfo', '.authinfo.gpg', '.git-credentials', '.npmrc', '.pypirc', '.pgpass',
  '.my.cnf', '.mylogin.cnf', '.s3cfg', '.boto', '.vault-token', '.password-store', '.putty', '.pki', '.xauthority', '.iceauthority', '.1password',
  '.config/gh', '.config/hub', '.config/glab-cli', '.config/git/credentials', '.config/gcloud', '.config/op', '.config/rclone', '.config/doctl', '.config/sops',
  '.config/heroku', '.config/composer/auth.json', '.composer/auth.json', '.config/github-copilot', '.config/bitwarden', '.config/bitwarden cli', '.config/fish/fish_variables',
  '.terraform.d/credentials.tfrc.json', '.terraformrc', '.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials', '.m2/settings.xml',
  '.m2/settings-security.xml', '.gradle/gradle.properties', '.nuget/nuget.config', '.kaggle', '.huggingface', '.cache/huggingface/token', '.databrickscfg', '.fly',
  '.claude/.credentials.json', '.claude.json', '.codex/auth.json', '.gemini/oauth_creds.json', '.local/share/keyrings', '.local/share/kwalletd', '.local/share/opencode/auth.json',
  '.gnome2/keyrings', 'library/keychains', '.bitcoin', '.electrum', '.ethereum',
  '.bash_history', '.zsh_history', '.histfile', '.history', '.sh_history', '.python_history', '.node_repl_history', '.psql_history', '.mysql_history', '.sqlite_history',
  '.rediscli_history', '.local/share/fish/fish_history', '.local/state/bash/history', '.zsh_sessions', '.bash_sessions',
  '.mozilla', '.thunderbird', '.config/google-chrome', '.config/google-chrome-beta', '.config/chromium', '.config/bravesoftware', '.config/microsoft-edge', '.config/vivaldi',
  '.config/opera', '.librewolf', '.waterfox', 'snap/firefox', 'snap/chromium', '.var/app/org.mozilla.firefox', '.var/app/com.google.chrome',
  'library/application support/google/chrome', 'library/application support/firefox', 'library/application support/bravesoftware',
  'library/application support/microsoft edge', 'library/application support/arc', 'library/cookies', 'library/safari', 'library/messages',
  'appdata/local/google/chrome', 'appdata/local/microsoft/edge', 'appdata/roaming/mozilla', 'appdata/local/microsoft/credentials', 'appdata/roaming/microsoft/credentials',
  'appdata/roaming/microsoft/protect', 'appdata/roaming/gnupg', 'appdata/roaming/github cli', 'appdata/roaming/microsoft/windows/powershell/psreadline',
]

/** The same for the whole machine, absolute. */
export const systemCredentials: readonly string[] = [
  '/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers', '/etc/sudoers.d', '/etc/ssl/private', '/etc/kubernetes', '/run/secrets', '/var/run/secrets',
  '/etc/krb5.keytab', '/var/lib/sss', '/library/keychains', '/private/etc/master.passwd', '/etc/master.passwd',
]

/** Below a person's home: what runs by itself later. Writing is planting. */
export const startPlaces: readonly string[] = [
  '.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile', '.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout', '.kshrc', '.mkshrc', '.cshrc',
  '.tcshrc', '.login', '.logout', '.inputrc', '.config/fish', '.config/zsh', '.config/bash', '.xinitrc', '.xprofile', '.xsession', '.xsessionrc', '.pam_environment',
  '.config/autostart', '.config/systemd', '.local/share/systemd', '.config/environment.d', '.config/upstart', '.ssh', '.crontab',
  'library/launchagents', 'documents/powershell', 'documents/windowspowershell', '.config/powershell', 'appdata/roaming/microsoft/windows/start menu/programs/startup',
]

/** The same for the whole machine, absolute. */
export const systemStartPlaces: readonly string[] = [
  '/etc/profile', '/etc/profile.d', '/etc/bash.bashrc', '/etc/bashrc', '/etc/zsh', '/etc/zshrc', '/etc/zshenv', '/etc/zprofile', '/etc/environment', '/etc/crontab', '/etc/anacrontab',
  '/etc/cron.d', '/etc/cron.daily', '/etc/cron.hourly', '/etc/cron.weekly', '/etc/cron.monthly', '/etc/cron.allow', '/var/spool/cron', '/var/spool/at', '/etc/systemd',
  '/lib/systemd', '/usr/lib/systemd', '/usr/local/lib/systemd', '/run/systemd', '/etc/init.d', '/etc/init', '/etc/rc.local', '/etc/rc.d', '/etc/xdg/autostart',
  '/etc/ld.so.preload', '/etc/ld.so.conf', '/etc/ld.so.conf.d', '/etc/sudoers', '/etc/sudoers.d', '/etc/pam.d', '/etc/hosts', '/etc/passwd', '/etc/shadow', '/etc/group',
  '/etc/gshadow', '/etc/ssh', '/etc/udev', '/lib/udev', '/usr/lib/udev', '/etc/modules', '/etc/modules-load.d', '/etc/apt/apt.conf.d', '/boot',
  '/library/launchdaemons', '/library/launchagents', '/system/library/launchdaemons', '/private/etc/hosts', 'c:/windows/system32/drivers/etc', 'c:/windows/system32/tasks',
]

/** Folders of the operating system (R80), absolute; `/usr/local/src` is a place for people's sources. */
export const systemFolders: readonly string[] = [
  '/bin', '/boot', '/dev', '/etc', '/lib', '/lib32', '/lib64', '/libx32', '/proc', '/run', '/sbin', '/sys', '/usr', '/var', '/opt', '/root', '/nix', '/snap',
  '/system', '/library', '/applications', '/private/etc', '/private/var', '/cores',
  'c:/windows', 'c:/program files', 'c:/program files (x86)', 'c:/programdata', 'c:/recovery', 'c:/boot',
]

/** Places that look like system folders and are none. */
export const notSystemFolders: readonly string[] = ['/usr/local/src', '/var/tmp', '/private/var/folders', '/private/var/tmp']
