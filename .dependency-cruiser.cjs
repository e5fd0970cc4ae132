// The floors of HOUSE: who may import whom. One rule a row; all are errors.
const entries = ['^src/main/index\\.ts$', '^src/main/headless\\.ts$', '^src/preload/index\\.ts$', '^src/renderer/main\\.tsx$', '^src/main/adapters/(sqlite|git|web|images)/worker\\.ts$', '^src/main/adapters/git/(scan|pack)Worker\\.ts$', '^src/main/app/(library|output)Worker\\.ts$']
/** Every way in which a package may be depended on: a package missing from package.json must not slip through. */
const npm = ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-bundled', 'npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined']
const pkg = (...names) => names.map((name) => `(^|/)node_modules/(@types/)?${name}(/|$)`)
const electron = ['^electron$', ...pkg('electron')]

/** A room may import only these places and packages, and what Node brings only where it says so. */
const room = (name, from, places, packages, hasNode = false) => [
  { name: `${name}-imports`, severity: 'error', from: { path: from }, to: { path: '^src/', pathNot: places } },
  { name: `${name}-packages`, severity: 'error', from: { path: from }, to: { dependencyTypes: hasNode ? npm : [...npm, 'core'], pathNot: ['^src/', ...packages] } },
]

/** The libraries of each adapter; one that is not named has none but Node. */
const adapterLibraries = { images: ['@imagemagick'], git: ['isomorphic-git', 'better-sqlite3'], index: ['better-sqlite3', '@parcel/watcher'], mcp: ['@modelcontextprotocol', 'zod'], model: ['undici', 'eventsource-parser', 'zod'], pty: ['node-pty'], search: ['@vscode/ripgrep'], secrets: ['zod'], segment: ['@node-rs/jieba', 'stemmer'], settings: ['jsonc-parser', 'smol-toml', 'yaml'], skills: ['@parcel/watcher', 'yaml'], sqlite: ['better-sqlite3'], syntax: ['web-tree-sitter'], web: ['@joplin/turndown-plugin-gfm', '@mozilla/readability', 'ipaddr.js', 'linkedom', 'turndown'] }
/** Libraries that live in one place alone. The stat cache of snapshots lies beside the objects it describes, in the git worker. */
const homes = { '@imagemagick': 'images/', 'better-sqlite3': '(sqlite/|git/scan/statCache\\.ts$|index/cacheFile\\.ts$)', 'web-tree-sitter': 'syntax/', 'isomorphic-git': 'git/', 'node-pty': 'pty/', '@modelcontextprotocol': 'mcp/', undici: 'model/', 'eventsource-parser': 'model/', '@vscode/ripgrep': 'search/', '@node-rs/jieba': 'segment/', stemmer: 'segment/', 'jsonc-parser': 'settings/', 'smol-toml': 'settings/', 'ipaddr.js': 'web/', '@joplin/turndown-plugin-gfm': 'web/', '@mozilla/readability': 'web/', linkedom: 'web/', turndown: 'web/', yaml: '(settings|skills)/' }

const ui = pkg('react', 'react-dom', 'radix-ui', '@radix-ui', 'clsx', 'tailwind-merge', 'lucide-react', 'monaco-editor', '@xterm', 'streamdown', 'remark-cjk-friendly', 'remark-cjk-friendly-gfm-strikethrough', 'shiki', '@shikijs', 'react-virtuoso', 'tailwindcss', '@fontsource', '@fontsource-variable', '@tanstack', 'react-hook-form', 'react-resizable-panels')
const state = pkg('zustand')

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: { path: '^src/' }, to: { circular: true } },
    { name: 'no-orphans', severity: 'error', from: { orphan: true, path: '^src/', pathNot: [...entries, '\\.d\\.ts$'] }, to: {} },
    { name: 'src-never-imports-test', severity: 'error', from: { path: '^src/' }, to: { path: '^test/' } },
    ...room('shared', '^src/shared/', ['^src/shared/'], pkg('zod')),
    ...room('core', '^src/main/core/', ['^src/main/core/', '^src/shared/'], pkg('zod', 'unbash', 'node-diff3', '@cfworker/json-schema')),
    ...room('native', '^src/main/native/', ['^src/main/native/', '^src/main/core/', '^src/shared/'], [], true),
    ...room('services', '^src/main/services/', ['^src/main/services/', '^src/main/core/', '^src/shared/'], pkg('zod')),
    { name: 'adapters-imports', severity: 'error', from: { path: '^src/main/adapters/([^/]+)/' }, to: { path: '^src/', pathNot: ['^src/main/adapters/', '^src/main/core/ports/', '^src/main/native/', '^src/shared/'] } },
    { name: 'adapters-are-strangers', severity: 'error', from: { path: '^src/main/adapters/([^/]+)/' }, to: { path: '^src/main/adapters/', pathNot: '^src/main/adapters/$1/' } },
    ...Object.entries(adapterLibraries).map(([name, libraries]) => ({ name: `adapter-${name}-packages`, severity: 'error', from: { path: `^src/main/adapters/${name}/` }, to: { dependencyTypes: npm, pathNot: ['^src/', ...pkg(...libraries)] } })),
    { name: 'adapters-packages', severity: 'error', from: { path: '^src/main/adapters/', pathNot: `^src/main/adapters/(${Object.keys(adapterLibraries).join('|')})/` }, to: { dependencyTypes: npm, pathNot: ['^src/'] } },
    ...room('ipc', '^src/main/ipc/', ['^src/main/ipc/', '^src/main/services/', '^src/shared/'], electron),
    ...room('compose', '^src/main/app/[^/]+\\.ts$', ['^src/main/(core|native|services|adapters)/', '^src/main/app/[^/]+\\.ts$', '^src/shared/'], [], true),
    ...room('headless', '^src/main/headless(\\.ts|/)', ['^src/main/headless', '^src/main/app/[^/]+\\.ts$', '^src/main/(core|services)/', '^src/shared/'], pkg('zod'), true),
    ...room('window-host', '^src/main/(app/electron/|index\\.ts$)', ['^src/main/', '^src/shared/'], electron, true),
    { name: 'electron-stays-at-the-edge', severity: 'error', from: { path: '^src/', pathNot: ['^src/main/index\\.ts$', '^src/main/app/electron/', '^src/main/ipc/', '^src/preload/'] }, to: { path: electron } },
    ...Object.entries(homes).map(([library, place]) => ({ name: `one-library-one-adapter-${library}`, severity: 'error', from: { path: '^src/', pathNot: `^src/main/adapters/${place}` }, to: { path: pkg(library) } })),
    ...room('preload', '^src/preload/', ['^src/shared/ipc/(channels|bridge)\\.ts$', '^src/preload/'], electron),
    ...room('bridge', '^src/renderer/bridge/', ['^src/renderer/bridge/', '^src/shared/'], []),
    ...room('ui', '^src/renderer/ui/', ['^src/renderer/ui/', '^src/shared/words/'], ui),
    { name: 'features-are-strangers', severity: 'error', from: { path: '^src/renderer/features/([^/]+)/' }, to: { path: '^src/renderer/features/', pathNot: '^src/renderer/features/$1/' } },
    ...room('features', '^src/renderer/features/', ['^src/renderer/(bridge|ui|features)/', '^src/shared/'], [...ui, ...state, ...pkg('zod')]),
    ...room('renderer', '^src/renderer/(app/|main\\.tsx$)', ['^src/renderer/', '^src/shared/'], [...pkg('react', 'react-dom', 'lucide-react'), ...state]),
    { name: 'renderer-has-no-node', severity: 'error', from: { path: '^src/renderer/' }, to: { dependencyTypes: ['core'] } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.web.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
}
