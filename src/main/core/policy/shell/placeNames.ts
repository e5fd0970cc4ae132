/** Files of the machine that tell nothing about a person. */
export const readableMachineFile =
  /^\/(?:etc\/(?:os-release|lsb-release|debian_version|alpine-release|issue|hostname|timezone|shells|mime\.types)|proc\/(?:cpuinfo|meminfo|version|loadavg|uptime|stat|filesystems|self\/status|self\/cgroup)|sys\/class\/net|usr\/lib\/os-release)$/u

/** Folders that a build makes again from the sources. */
const regenerable: ReadonlySet<string> = new Set([
  'node_modules', 'dist', 'build', 'out', 'coverage', 'target', 'obj', 'tmp', 'temp', '.tmp', '.temp', 'logs', 'log', '.next', '.nuxt', '.output', '.cache', '.turbo',
  '.parcel-cache', '.svelte-kit', '.angular', '.vite', '.vitest', '.eslintcache', '.stylelintcache', '.nyc_output', '.tox', '.nox', '.venv', 'venv', '__pycache__', '.pytest_cache',
  '.mypy_cache', '.ruff_cache', '.gradle', '.dart_tool', '.serverless', '.webpack', 'storybook-static', '.docusaurus', 'playwright-report', 'test-results', 'htmlcov', '.coverage',
  'cmake-build-debug', 'cmake-build-release', 'debug', 'release', '.build', 'deriveddata', 'pods', 'elm-stuff', 'bower_components', '.expo', '.wrangler', '.vercel', '.netlify',
  'lib-cov', 'generated', '.rollup.cache', '.yalc', 'site-packages', 'dist-newstyle', '_build', 'deps', '.stack-work', 'tsconfig.tsbuildinfo', '.sass-cache',
  'package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock', 'bun.lockb', 'poetry.lock', 'uv.lock', 'cargo.lock', 'gemfile.lock', 'composer.lock',
  '.ds_store', '.terraform', '.bundle', '.hypothesis', '.ipynb_checkpoints', 'bazel-bin', 'bazel-out',
])
const regenerableEnding = /\.(?:log|tmp|temp|bak|orig|rej|swp|pyc|pyo|o|obj|class|tsbuildinfo|egg-info|map|gcda|gcno|tgz)$/u

/** True for a path, relative to the project, with a component or an ending that a build makes again. */
export function isRegenerable(path: string): boolean {
  const names = path.toLowerCase().split('/')
  return names.some((name) => regenerable.has(name)) || regenerableEnding.test(path.toLowerCase())
}

/** Places below system folders where people put their own programs and data: changing them asks, it is no catastrophe. */
export function isSharedSystem(path: string): boolean {
  return /^\/(?:usr\/local|opt|snap|nix|applications|library|var\/(?:log|cache|www|lib\/(?!dpkg|apt|rpm|systemd)[^/]+)|run\/user|srv|mnt|media)\/./iu.test(path)
}

/** A folder at the top of the file system, or one level below it in /usr and /var. */
export function topSystemFolder(path: string): boolean {
  return /^\/(?:bin|boot|dev|etc|lib\w*|proc|run|sbin|sys|usr|var|opt|root|nix|snap|home|users|mnt|media|srv|tmp|system|library|applications|private)$/iu.test(path) ||
    /^\/(?:usr|var|usr\/local|private|home|users)\/[^/]+$/iu.test(path) && !/^\/var\/(?:tmp)$/iu.test(path)
}

/** Folders of a person, relative to the home folder, that hold what cannot be fetched again. */
export function isPersonalFolder(belowHome: string): boolean {
  return /^(?:documents|desktop|downloads|pictures|music|videos|movies|library|\.config|\.local(?:\/share)?|\.gnupg|\.ssh|\.mozilla|\.thunderbird)$/iu.test(belowHome)
}
