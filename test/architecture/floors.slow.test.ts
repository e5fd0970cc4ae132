import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { cruise, floorsFile } from '../support/cruise'

const root = path.resolve(import.meta.dirname, '../..')
const config = createRequire(import.meta.url)(floorsFile) as { readonly forbidden: readonly { readonly name: string; readonly severity: string }[] }

/** One violation of each rule: the file that breaks it, and what it imports. Paths from `src/`, packages by name. */
const planted: Readonly<Record<string, readonly [from: string, imported: string]>> = {
  'no-cycles': ['shared/one.ts', './other'],
  'no-orphans': ['shared/alone.ts', ''],
  'src-never-imports-test': ['main/services/tested.ts', '../../../test/thing'],
  'shared-imports': ['shared/reaches.ts', '../main/core/thing'],
  'shared-packages': ['shared/packed.ts', 'undici'],
  'core-imports': ['main/core/reaches.ts', '../services/thing'],
  'core-packages': ['main/core/packed.ts', 'node:fs'],
  'native-imports': ['main/native/reaches.ts', '../services/thing'],
  'native-packages': ['main/native/packed.ts', 'zod'],
  'services-imports': ['main/services/reaches.ts', '../adapters/git/thing'],
  'services-packages': ['main/services/packed.ts', 'node:path'],
  'adapters-imports': ['main/adapters/git/reaches.ts', '../../core/thing'],
  'adapters-are-strangers': ['main/adapters/git/visits.ts', '../sqlite/thing'],
  'adapters-packages': ['main/adapters/fs/packed.ts', 'zod'],
  'adapter-git-packages': ['main/adapters/git/packed.ts', 'zod'],
  'adapter-images-packages': ['main/adapters/images/packed.ts', 'zod'],
  'adapter-mcp-packages': ['main/adapters/mcp/packed.ts', 'unbash'],
  'adapter-model-packages': ['main/adapters/model/packed.ts', 'unbash'],
  'adapter-pty-packages': ['main/adapters/pty/packed.ts', 'zod'],
  'adapter-search-packages': ['main/adapters/search/packed.ts', 'zod'],
  'adapter-secrets-packages': ['main/adapters/secrets/packed.ts', 'unbash'],
  'adapter-segment-packages': ['main/adapters/segment/packed.ts', 'zod'],
  'adapter-settings-packages': ['main/adapters/settings/packed.ts', 'unbash'],
  'adapter-skills-packages': ['main/adapters/skills/packed.ts', 'zod'],
  'adapter-index-packages': ['main/adapters/index/packed.ts', 'zod'],
  'adapter-sqlite-packages': ['main/adapters/sqlite/packed.ts', 'zod'],
  'adapter-syntax-packages': ['main/adapters/syntax/packed.ts', 'zod'],
  'adapter-web-packages': ['main/adapters/web/packed.ts', 'unbash'],
  'ipc-imports': ['main/ipc/reaches.ts', '../core/thing'],
  'ipc-packages': ['main/ipc/packed.ts', 'node:fs'],
  'compose-imports': ['main/app/reaches.ts', '../ipc/thing'],
  'compose-packages': ['main/app/packed.ts', 'zod'],
  'headless-imports': ['main/headless/reaches.ts', '../adapters/git/thing'],
  'headless-packages': ['main/headless/packed.ts', 'unbash'],
  'window-host-imports': ['main/app/electron/reaches.ts', '../../../renderer/ui/thing'],
  'window-host-packages': ['main/app/electron/packed.ts', 'zod'],
  'electron-stays-at-the-edge': ['main/services/windows.ts', 'electron'],
  'one-library-one-adapter-better-sqlite3': ['main/adapters/git/objects.ts', 'better-sqlite3'],
  'one-library-one-adapter-web-tree-sitter': ['main/core/grammar.ts', 'web-tree-sitter'],
  'one-library-one-adapter-isomorphic-git': ['main/native/history.ts', 'isomorphic-git'],
  'one-library-one-adapter-node-pty': ['main/adapters/fs/terminal.ts', 'node-pty'],
  'one-library-one-adapter-@imagemagick': ['main/adapters/web/pictures.ts', '@imagemagick/magick-wasm'],
  'one-library-one-adapter-@modelcontextprotocol': ['main/adapters/model/server.ts', '@modelcontextprotocol/sdk/client/index.js'],
  'one-library-one-adapter-undici': ['main/adapters/search/fetches.ts', 'undici'],
  'one-library-one-adapter-eventsource-parser': ['main/core/stream/events.ts', 'eventsource-parser'],
  'one-library-one-adapter-@vscode/ripgrep': ['main/adapters/fs/searches.ts', '@vscode/ripgrep'],
  'one-library-one-adapter-@node-rs/jieba': ['main/services/cuts.ts', '@node-rs/jieba'],
  'one-library-one-adapter-stemmer': ['main/core/stems.ts', 'stemmer'],
  'one-library-one-adapter-jsonc-parser': ['main/core/comments.ts', 'jsonc-parser'],
  'one-library-one-adapter-smol-toml': ['main/core/tables.ts', 'smol-toml'],
  'one-library-one-adapter-ipaddr.js': ['main/adapters/search/addresses.ts', 'ipaddr.js'],
  'one-library-one-adapter-@joplin/turndown-plugin-gfm': ['main/adapters/search/tables.ts', '@joplin/turndown-plugin-gfm'],
  'one-library-one-adapter-@mozilla/readability': ['main/adapters/search/readable.ts', '@mozilla/readability'],
  'one-library-one-adapter-linkedom': ['main/adapters/search/pages.ts', 'linkedom'],
  'one-library-one-adapter-turndown': ['main/adapters/search/marks.ts', 'turndown'],
  'one-library-one-adapter-yaml': ['main/core/front.ts', 'yaml'],
  'preload-imports': ['preload/reaches.ts', '../shared/ipc/schemas'],
  'preload-packages': ['preload/packed.ts', 'zod'],
  'bridge-imports': ['renderer/bridge/reaches.ts', '../ui/thing'],
  'bridge-packages': ['renderer/bridge/packed.ts', 'zod'],
  'ui-imports': ['renderer/ui/reaches.ts', '../bridge/thing'],
  'ui-packages': ['renderer/ui/packed.ts', 'zustand'],
  'features-are-strangers': ['renderer/features/work/visits.ts', '../timeline/thing'],
  'features-imports': ['renderer/features/work/reaches.ts', '../../app/thing'],
  'features-packages': ['renderer/features/work/packed.ts', 'undici'],
  'renderer-imports': ['renderer/app/reaches.ts', '../../main/core/thing'],
  'renderer-packages': ['renderer/app/packed.ts', 'monaco-editor'],
  'renderer-has-no-node': ['renderer/app/noded.ts', 'node:fs'],
}

/** What stands there for the violations to reach. */
const places = [
  'shared/other', 'shared/ipc/schemas', 'main/core/thing', 'main/services/thing', 'main/ipc/thing', 'main/adapters/git/thing', 'main/adapters/sqlite/thing',
  'renderer/ui/thing', 'renderer/bridge/thing', 'renderer/app/thing', 'renderer/features/timeline/thing',
]

const scratch = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'countersign-floors-')))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

function plant(): void {
  symlinkSync(path.join(root, 'node_modules'), path.join(scratch, 'node_modules'))
  for (const file of ['package.json', 'tsconfig.base.json', 'tsconfig.web.json']) cpSync(path.join(root, file), path.join(scratch, file))
  const put = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(scratch, file)), { recursive: true })
    writeFileSync(path.join(scratch, file), text)
  }
  for (const place of places) put(`src/${place}.ts`, 'export const thing = 1\n')
  put('test/thing.ts', 'export const thing = 1\n')
  for (const [from, imported] of Object.values(planted)) put(`src/${from}`, imported === '' ? 'export const alone = 1\n' : `import * as thing from '${imported}'\nexport const used = thing\n`)
  put('src/shared/other.ts', "import * as one from './one'\nexport const thing = one\n")
  // Types count as much as values, and a package that nobody has installed does not slip through.
  put('src/shared/typed.ts', "import type { App } from 'electron'\nexport type Used = App\n")
  put('src/main/core/unknown.ts', "import * as thing from 'no-such-package-anywhere'\nexport const used = thing\n")
}

describe('a rule that never fires is none', () => {
  plant()
  const found = cruise(scratch)

  test('every rule is an error and has its planted violation', () => {
    expect(config.forbidden.filter(({ severity }) => severity !== 'error')).toEqual([])
    expect(Object.keys(planted).sort()).toEqual(config.forbidden.map(({ name }) => name).sort())
  })

  test.each(Object.entries(planted))('%s fires on its planted violation', async (rule, [from]) => {
    expect((await found).filter((line) => line.startsWith(`${rule}: src/${from} →`))).toHaveLength(1)
  })

  test.each([['shared-packages', 'shared/typed.ts'], ['core-packages', 'main/core/unknown.ts']])('%s counts types and packages that are nowhere: %s', async (rule, from) => {
    expect((await found).filter((line) => line.startsWith(`${rule}: src/${from} →`))).toHaveLength(1)
  })
})
