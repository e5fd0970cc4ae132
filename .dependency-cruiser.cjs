// The floors of HOUSE: who may import whom. One rule a row; all are errors.
const entries = ['^src/main/index\\.ts$', '^src/main/headless\\.ts$', '^src/preload/index\\.ts$', '^src/renderer/main\\.tsx$', '^src/main/adapters/(sqlite|git)/worker\\.ts$']
const npm = ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-bundled', 'npm-no-pkg', 'npm-unknown', 'unknown', 'core']

/** A room may import only these places, and these packages. */
const room = (name, from, places, packages) => [
  { name: `${name}-imports`, severity: 'error', from: { path: from }, to: { path: '^src/', pathNot: places } },
  { name: `${name}-packages`, severity: 'error', from: { path: from }, to: { dependencyTypes: npm, path: '.+', pathNot: ['^src/', ...packages] } },
]
const pkg = (...names) => names.map((name) => `(^|/)node_modules/(@types/)?${name}(/|$)`)
const node = ['^(node:)?[a-z_/]+$']
const ui = pkg('react', 'react-dom', 'radix-ui', '@radix-ui', 'class-variance-authority', 'clsx', 'tailwind-merge', 'lucide-react', 'monaco-editor', '@xterm', 'streamdown', '@streamdown', 'shiki', '@shikijs', 'react-virtuoso', '@tanstack', 'react-hook-form', '@hookform', 'react-resizable-panels', 'tailwindcss', '@fontsource', '@fontsource-variable')

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: { path: '^src/' }, to: { circular: true } },
    { name: 'no-orphans', severity: 'error', from: { orphan: true, path: '^src/', pathNot: [...entries, '\\.d\\.ts$'] }, to: {} },
    { name: 'src-never-imports-test', severity: 'error', from: { path: '^src/' }, to: { path: '^test/' } },
    ...room('shared', '^src/shared/', ['^src/shared/'], pkg('zod')),
    ...room('core', '^src/main/core/', ['^src/main/core/', '^src/shared/'], pkg('zod', 'unbash', 'node-diff3')),
    ...room('native', '^src/main/native/', ['^src/main/native/', '^src/main/core/', '^src/shared/'], node),
    ...room('services', '^src/main/services/', ['^src/main/services/', '^src/main/core/', '^src/shared/'], pkg('zod')),
    { name: 'adapters-imports', severity: 'error', from: { path: '^src/main/adapters/([^/]+)/' }, to: { path: '^src/', pathNot: ['^src/main/adapters/$1/', '^src/main/core/ports/', '^src/main/native/', '^src/shared/'] } },
    { name: 'adapters-are-strangers', severity: 'error', from: { path: '^src/main/adapters/([^/]+)/' }, to: { path: '^src/main/adapters/', pathNot: '^src/main/adapters/$1/' } },
    ...room('ipc', '^src/main/ipc/', ['^src/main/ipc/', '^src/main/services/', '^src/shared/'], ['^electron$', ...pkg('electron')]),
    { name: 'compose-imports', severity: 'error', from: { path: '^src/main/app/[^/]+\\.ts$' }, to: { path: ['^src/main/(ipc|app/electron)/', '^src/(preload|renderer)/'] } },
    { name: 'headless-imports', severity: 'error', from: { path: '^src/main/headless(\\.ts|/)' }, to: { path: '^src/', pathNot: ['^src/main/headless', '^src/main/app/[^/]+\\.ts$', '^src/main/core/', '^src/main/services/', '^src/shared/'] } },
    { name: 'main-never-renders', severity: 'error', from: { path: '^src/main/' }, to: { path: '^src/(preload|renderer)/' } },
    { name: 'electron-stays-at-the-edge', severity: 'error', from: { path: '^src/', pathNot: ['^src/main/index\\.ts$', '^src/main/app/electron/', '^src/main/ipc/', '^src/preload/'] }, to: { path: ['^electron$', '(^|/)node_modules/electron(/|$)'] } },
    ...[['better-sqlite3', '(sqlite/|git/)'], ['isomorphic-git', 'git/'], ['node-pty', 'pty/'], ['@modelcontextprotocol', 'mcp/'], ['undici', 'model/'], ['eventsource-parser', 'model/'], ['@vscode/ripgrep', 'search/']].map(([library, place]) => ({
      name: `one-library-one-adapter-${library}`,
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/main/adapters/${place}` },
      to: { path: pkg(library) },
    })),
    ...room('preload', '^src/preload/', ['^src/shared/ipc/(channels|bridge)\\.ts$', '^src/preload/'], ['^electron$', ...pkg('electron')]),
    ...room('bridge', '^src/renderer/bridge/', ['^src/renderer/bridge/', '^src/shared/'], []),
    ...room('ui', '^src/renderer/ui/', ['^src/renderer/ui/', '^src/shared/words/'], ui),
    { name: 'features-are-strangers', severity: 'error', from: { path: '^src/renderer/features/([^/]+)/' }, to: { path: '^src/renderer/features/', pathNot: '^src/renderer/features/$1/' } },
    ...room('features', '^src/renderer/features/', ['^src/renderer/(bridge|ui|features)/', '^src/shared/'], [...ui, ...pkg('zustand', 'zod')]),
    ...room('renderer', '^src/renderer/(app/|main\\.tsx$)', ['^src/renderer/', '^src/shared/'], [...ui, ...pkg('zustand', 'zod')]),
    { name: 'renderer-has-no-node', severity: 'error', from: { path: '^src/renderer/' }, to: { dependencyTypes: ['core'] } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.web.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
}
