import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { execFileSync } from 'node:child_process'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { builtinTools } from '../../src/main/core/tools/builtins'
import { en } from '../../src/shared/words/en'
import { zhCN } from '../../src/shared/words/zh-CN'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

function filesIn(folder: string, fits: RegExp): readonly string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => fits.test(file))
    .map((file) => path.join(folder, file))
}

/** What git holds or would take in: no build, no packages. */
const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '')
const code = [...filesIn('src', /\.tsx?$/), ...filesIn('test', /\.tsx?$/), ...filesIn('scripts', /\.mjs$/)].filter((file) => !file.startsWith('test/cases/'))
const product = code.filter((file) => file.startsWith('src/'))

/** Places in these files that a pattern fits, comments and strings included, also over the end of a line. */
function found(files: readonly string[], pattern: RegExp): readonly string[] {
  const everywhere = new RegExp(pattern.source, `gm${pattern.flags}`)
  return files.flatMap((file) => {
    const text = read(file)
    const lineAt = (index: number): number => text.slice(0, index).split('\n').length
    return [...text.matchAll(everywhere)].map(({ index }) => `${file}:${lineAt(index)} ${text.split('\n')[lineAt(index) - 1]?.trim().slice(0, 80) ?? ''}`)
  })
}

describe('tools', () => {
  const tests = filesIn('test/main', /\.test\.ts$/).map(read).join('\n')
  const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

  // Made for a host, with the service that they ask.
  const made = ['fetchUrl', 'loadSkill', 'saveMemory', 'searchCode', 'searchWeb']
  const named = [...builtinTools.map(({ name }) => camel(name)), ...made]

  test('each has an effect, the paths it touches and a file of its own', () => {
    const files = readdirSync(path.join(root, 'src/main/core/tools/builtins')).map((file) => file.replace(/\.ts$/, ''))
    expect(named.sort()).toEqual(files.sort())
    expect(builtinTools.filter((tool) => !['read', 'write', 'execute', 'network'].includes(tool.effect) || typeof tool.paths !== 'function').map(({ name }) => name)).toEqual([])
  })

  test('each is played in a test', () => {
    expect(named.filter((name) => !tests.includes(`builtins/${name}'`))).toEqual([])
  })
})

test('every table has its statements in one file, and its migration', () => {
  const migrated = filesIn('resources/migrations', /\.sql$/).flatMap((file) => [...read(file).matchAll(/CREATE (?:VIRTUAL )?TABLE (?:IF NOT EXISTS )?(\w+)/g)].map(([, name]) => name ?? ''))
  const tables = readdirSync(path.join(root, 'src/main/adapters/sqlite/tables')).filter((file) => file.endsWith('Table.ts')).map((file) => file.slice(0, -'Table.ts'.length).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
  expect(migrated.sort()).toEqual(tables.sort())
})

describe('documents', () => {
  const documents = tracked.filter((file) => /^(?:docs\/.*|[^/]+)\.md$/.test(file))

  test('what code cites by name lies in this repository', () => {
    const names = new Set(tracked.filter((file) => file.endsWith('.md')).map((file) => path.basename(file)))
    const cited = code.flatMap((file) => [...read(file).matchAll(/(?<![\w.-])[A-Z][A-Z-]+\.md\b/g)].map(([name]) => name))
    // A skill's file, instructions of somebody's project, what stands for any name in the usage of the command line, and a file of a test.
    const foreign = new Set(['SKILL.md', 'AGENTS.md', 'CLAUDE.md', 'GEMINI.md', 'FILE.md', 'NOTES.md'])
    expect(cited.filter((name) => !names.has(name) && !foreign.has(name))).toEqual([])
  })

  test('every link to a file leads to one, and both read-mes lead to every guide', () => {
    const broken = documents.flatMap((file) => [...read(file).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, to]) => path.normalize(path.join(path.dirname(file), to ?? ''))).filter((to) => !tracked.some((one) => one === to || one.startsWith(`${to}/`))))
    expect(broken).toEqual([])
    const led = ['README.md', 'README.zh-CN.md'].map((file) => ['COMMANDS', 'LOOKUP', 'SKILLS'].filter((name) => !new RegExp(`\\]\\(docs/${name}(?:\\.zh-CN)?\\.md\\)`).test(read(file))))
    expect(led).toEqual([[], []])
  })

  test('the guide to the command line has every option and every variable that the app reads', () => {
    const guide = read('docs/COMMANDS.md')
    const options = filesIn('src/main/headless', /\.ts$/).flatMap((file) => [...read(file).matchAll(/'?([a-z][a-z-]+)'?: \{ type: '(?:string|boolean)' \}/g)].map(([, name]) => `--${name ?? ''}`))
    const variables = product.flatMap((file) => [...read(file).matchAll(/'(COUNTERSIGN_[A-Z_]+)'/g)].map(([, name]) => name ?? ''))
    const inside = new Set(['COUNTERSIGN_SQLITE_BINDING', 'COUNTERSIGN_CRASH_AT', 'COUNTERSIGN_TEST', 'COUNTERSIGN_CALL'])
    expect(options.length).toBeGreaterThan(15)
    expect([...new Set([...options, ...variables])].filter((name) => !inside.has(name) && !guide.includes(name))).toEqual([])
  })
})

test('migrations are numbered from 1 without a gap', () => {
  expect(readdirSync(path.join(root, 'resources/migrations')).map((file) => file.slice(0, 4)).sort()).toEqual(Array.from({ length: readdirSync(path.join(root, 'resources/migrations')).length }, (_, at) => `${String(at + 1).padStart(3, '0')}-`))
})

test('decisions are numbered from 1 without a gap', () => {
  const numbers = readdirSync(path.join(root, 'docs/adr')).map((file) => Number(file.slice(0, 4))).sort((a, b) => a - b)
  expect(numbers).toEqual(numbers.map((_, at) => at + 1))
})

test('the built preload asks for electron and nothing else', () => {
  const asked = [...read('out/preload/index.cjs').matchAll(/\b(?:require|import)\s*\(\s*([^)]*)\)/g)].map(([, what]) => (what ?? '').replace(/["'`]/g, '').trim())
  expect([...new Set(asked)]).toEqual(['electron'])
})

describe('words', () => {
  // The page of an exported record speaks the same words.
  const text = [...product.filter((file) => !file.startsWith('src/shared/words/')), 'resources/record/record.js'].map(read).join('\n')
  /** `ui.page.${name}` uses every code that begins so, `${code}.spoken` every code that ends so. */
  const beginnings = [...text.matchAll(/`([a-z][a-z-]*\.[a-z0-9.-]*)\$\{/g)].map(([, start]) => start ?? '')
  const ends = [...text.matchAll(/`\$\{[\w.?]+\}([.-][a-z][a-z0-9.-]*)`/g)].map(([, end]) => end ?? '')

  test('no code is written that nobody says', () => {
    const written = new Set([...text.matchAll(/'([a-z][a-z0-9.-]*)'/g)].map(([, name]) => name))
    const isSaid = (name: string): boolean => written.has(name) || beginnings.some((start) => name.startsWith(start)) || ends.some((end) => name.endsWith(end))
    expect(Object.keys(en).filter((name) => !isSaid(name))).toEqual([])
  })

  test('both languages have the same codes with the same values', () => {
    const values = (sentence: string): readonly string[] => [...new Set([...sentence.matchAll(/\{(\w+)/g)].map(([, name]) => name ?? ''))].sort()
    expect(Object.keys(zhCN).sort()).toEqual(Object.keys(en).sort())
    const differing = (Object.keys(en) as (keyof typeof en)[]).filter((name) => values(zhCN[name]).some((value) => !values(en[name]).includes(value)))
    expect(differing).toEqual([])
  })
})

test('every export of shared and core says what it promises', () => {
  const bare = product.filter((file) => /^src\/(shared|main\/core)\//.test(file) && !file.startsWith('src/shared/words/')).flatMap(undocumented)
  expect(bare).toEqual([])
})

/** Exports without a docstring. A type made from the constant or schema above it is said by that one. */
function undocumented(file: string): readonly string[] {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.ESNext, true)
  return source.statements.flatMap((statement) => {
    const isExported = ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    if (!isExported || ts.getJSDocCommentsAndTags(statement).length > 0) return []
    const isDerived = ts.isTypeAliasDeclaration(statement) && /\btypeof \w+/.test(statement.type.getText())
    return isDerived ? [] : [`${file}:${source.getLineAndCharacterOfPosition(statement.getStart()).line + 1} ${statement.getText().split('\n')[0]?.slice(0, 80) ?? ''}`]
  })
}

describe('what is not written here', () => {
  const own = 'test/architecture/house.test.ts'
  const planted = 'test/architecture/lint.test.ts'
  const others = code.filter((file) => file !== own && file !== planted)

  test('no any, in types or casts', () => {
    expect(found(others, /\bas any\b|<any[,>]|(?<!\*.*): any\b(?! \w)|\bany\[\]/)).toEqual([])
  })

  test('no unfinished remark', () => {
    expect(found(others, /(?:\/\/|\/\*|\*).*\b(?:TODO|FIXME|XXX|HACK)\b/)).toEqual([])
  })

  test('no lint rule is switched off in a file', () => {
    expect(found(others, /(?:es|ox)lint-disable|@ts-ignore|@ts-nocheck|@ts-expect-error/)).toEqual([])
  })

  test('no default export and no export of everything, but where a tool asks for it', () => {
    const asked = new Set(['test/lab/vite.config.ts', 'test/renderer/stories/vite.config.ts', 'test/support/globalSetup.ts'])
    expect(found(others.filter((file) => !asked.has(file)), /^[ \t]*export\s*(?:default\b|\*)/)).toEqual([])
  })

  const ipc = /\bipc(?:Main|Renderer)\b|\bwebContents\s*\??\.\s*send\b/
  const chance = /\bDate\s*\.\s*now\b|\bnew\s+Date\b(?!\s*\(\s*[^\s)])|\bMath\s*\.\s*random\b|\brandomUUID\b/

  test('no message between the processes, but in the preload and main/ipc', () => {
    const places = /^src\/(?:main\/ipc|preload)\/|^test\/(?:e2e|main\/app\/electron)\/checklist\.test\.ts$/ // the last look for one in vain
    expect(found(others.filter((file) => !places.test(file)), ipc)).toEqual([])
  })

  test('no clock and no chance in core: they come through the ports', () => {
    expect(found(product.filter((file) => file.startsWith('src/main/core/')), chance)).toEqual([])
  })

  test.each([
    [ipc, ['import { ipcMain } from', 'electron.ipcRenderer.invoke', 'window.webContents.send(', 'window?.webContents\n  ?.send(']],
    [chance, ['Date.now()', 'Date\n  .now', 'new Date()', 'new Date( )', 'new Date', 'Math.random()', 'crypto.randomUUID()']],
  ])('%s finds what it is for', (pattern, texts) => {
    expect(texts.filter((text) => !pattern.test(text))).toEqual([])
  })

  test('a date made of a number is no clock', () => {
    expect(chance.test('new Date(atMs)')).toBe(false)
  })

  test('no test is left out; one that its machine cannot run says so by a condition', () => {
    expect(found(others, /\b(?:test|describe|it)(?:\.\w+)*\.(?:skip|only|todo)\(/)).toEqual([])
  })

  test('no machine’s paths and no registry’s host', () => {
    const text = tracked.filter((file) => !/\.(?:png|ico|icns|woff2?|gz|sse)$/.test(file) && file !== own && !file.startsWith('test/cases/'))
    const here = new RegExp(`${root.replace(/[^\w/]/g, '\\$&')}/|registry\\.npm|npmmirror|\\bartifactory\\b|verdaccio`)
    expect(found(text, here)).toEqual([])
    expect(found(['package-lock.json'], /"resolved": "(?!\.)/)).toEqual([])
  })
})
