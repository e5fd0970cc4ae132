import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { levelQuestion, linkQuestion, yes } from '../../../../src/main/app/electron/question'
import { electronItems, item, missing } from '../../../support/electronChecklist'

/** What of the checklist is decided by the repository: what is declared, how a package is made, what the source never does. */

const root = path.resolve(import.meta.dirname, '../../../..')
const read = (name: string): string => readFileSync(path.join(root, name), 'utf8')
const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name)).map((name) => ({ name: name.split(path.sep).join('/'), text: read(path.join('src', name)) }))
const sourcesWith = (pattern: RegExp): readonly string[] => sources.filter(({ text }) => pattern.test(text)).map(({ name }) => name)

interface Packaging {
  readonly electronFuses?: Readonly<Record<string, boolean>>
  readonly publish?: unknown
  readonly asar?: unknown
  readonly electronDist?: unknown
  readonly electronVersion?: unknown
  readonly toolsets?: { readonly appimage?: string }
  readonly appImage?: { readonly executableArgs?: readonly string[] }
  readonly linux: { readonly target: readonly string[] }
}
interface Manifest {
  readonly version: string
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}
interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity: string }>>
}
const packaging = parse(read('electron-builder.yml')) as Packaging
const manifest = JSON.parse(read('package.json')) as Manifest
const locked = (JSON.parse(read('package-lock.json')) as Lock).packages['node_modules/electron']

/** The program of a package that was made here; the stand-in runtime of tests is none. */
const packagedProgram = ['dist/linux-unpacked/countersign', 'dist/win-unpacked/Countersign.exe', 'dist/mac/Countersign.app/Contents/Frameworks/Electron Framework.framework/Electron Framework', 'dist/mac-arm64/Countersign.app/Contents/Frameworks/Electron Framework.framework/Electron Framework'].map((name) => path.join(root, name)).find(existsSync)

test('the thirty rules are there, and each has a test named by it', () => {
  const files = ['test/e2e/checklist.test.ts', 'test/e2e/packaged.test.ts', 'test/e2e/security.test.ts', 'test/main/app/electron/checklist.test.ts']
  const named = new Set(files.flatMap((file) => [...read(file).matchAll(/(?:\bitem\(|\[)'(E\d+)'/g)].map((match) => match[1])))
  expect(Object.keys(electronItems)).toEqual(Array.from({ length: 30 }, (_, at) => `E${at + 1}`))
  expect(Object.keys(electronItems).filter((number) => !named.has(number))).toEqual([])
})

test(item('E4', 'nothing that starts a package carries --no-sandbox'), () => {
  const said = (value: unknown): readonly string[] => (typeof value === 'string' ? [value] : value !== null && typeof value === 'object' ? Object.values(value).flatMap(said) : [])
  expect([...said(packaging), ...Object.values(manifest.scripts)].filter((text) => /no-sandbox/i.test(text))).toEqual([])
  // An AppImage's desktop entry has the switch where no arguments are given; the newer tool adds it at the start by itself.
  expect({ isAppImage: packaging.linux.target.includes('AppImage'), args: packaging.appImage?.executableArgs, tool: packaging.toolsets?.appimage }).toEqual({ isAppImage: true, args: [], tool: undefined })
  expect([sourcesWith(/appendSwitch\(\W*no-sandbox|['"`]--no-sandbox/), sourcesWith(/\bapp\.enableSandbox\(\)/)]).toEqual([[], ['main/app/electron/security.ts']])
})

test(`${item('E9')}; ${item('E10')}: no source names them`, () => {
  expect(sourcesWith(/experimentalFeatures|enable-experimental|[eE]nableBlinkFeatures|enable-blink-features|blinkFeatures|disableBlinkFeatures|enable-features/)).toEqual([])
})

test(item('E16', 'one exact version is declared and locked, and a package is made from it'), () => {
  const declared = manifest.devDependencies['electron']
  expect(declared).toMatch(/^\d+\.\d+\.\d+$/)
  expect([locked?.version, (locked?.integrity ?? '').startsWith('sha512-'), packaging.electronDist, packaging.electronVersion]).toEqual([declared, true, undefined, undefined])
})

test(item('E16', 'one of the newest three majors'), ({ skip }) => {
  skip(missing('E16', 'no test asks the registry; a script for releases that compares the declared version with it is missing'))
})

test(item('E17', 'no handler is registered outside of the one wrapper'), () => {
  expect(sourcesWith(/\bipcMain\b/)).toEqual(['main/ipc/register.ts'])
  expect(sourcesWith(/\bipcRenderer\b/)).toEqual(['preload/index.ts'])
})

test.each(['en', 'zh-CN'] as const)(item('E19', 'the dialog says in %s what would be asked less, and no is what Enter and closing mean'), (locale) => {
  const { message, detail, buttons, defaultId, cancelId } = levelQuestion(locale, 'commands')
  expect({ message, detail, yes: buttons?.[yes], defaultId, cancelId }).toEqual({
    en: { message: 'Ask less from now on? The level becomes "Ask for commands".', detail: 'writing inside the project does not wait', yes: 'Yes', defaultId: 0, cancelId: 0 },
    'zh-CN': { message: '从现在起减少询问？级别将变为“命令需签字”。', detail: '项目内写入不再等待', yes: '是', defaultId: 0, cancelId: 0 },
  }[locale])
  const link = linkQuestion(locale, 'https://example.org/')
  expect([link.message.endsWith('https://example.org/'), link.defaultId, link.buttons?.length]).toEqual([true, 0, 2])
})

const fuses = { runAsNode: false, enableCookieEncryption: true, enableNodeOptionsEnvironmentVariable: false, enableNodeCliInspectArguments: false, enableEmbeddedAsarIntegrityValidation: true, onlyLoadAppFromAsar: true, grantFileProtocolExtraPrivileges: false } as const

test(item('E21', 'as a package is made'), () => {
  expect(packaging.electronFuses).toEqual(fuses)
})

/** The order of the fuses in the wire, version 1 (Electron's docs, fuses). */
const wire: readonly (keyof typeof fuses | null)[] = ['runAsNode', 'enableCookieEncryption', 'enableNodeOptionsEnvironmentVariable', 'enableNodeCliInspectArguments', 'enableEmbeddedAsarIntegrityValidation', 'onlyLoadAppFromAsar', null, 'grantFileProtocolExtraPrivileges']

test(item('E21', 'in the program of a package'), ({ skip }) => {
  if (packagedProgram === undefined) return skip(missing('E21', 'there is no package in dist/; make one with electron-builder, which needs the declared Electron'))
  const program = readFileSync(packagedProgram)
  const at = program.indexOf('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX')
  expect([at > 0, program[at + 32]]).toEqual([true, 1])
  const states = [...program.subarray(at + 34, at + 34 + (program[at + 33] ?? 0))].map((byte) => String.fromCodePoint(byte) === '1')
  expect(Object.fromEntries(wire.flatMap((name, place) => (name === null ? [] : [[name, states[place]]])))).toEqual(fuses)
})

test(item('E22', 'the declared one is newer than the fixed ones, and a package keeps its archive'), () => {
  const [major = 0, minor = 0, patch = 0] = (locked?.version ?? '').split('.').map(Number)
  // CVE-2025-55305: fixed in 35.7.5, 36.8.1 and 37.3.1.
  const fixed: Readonly<Record<number, readonly [number, number]>> = { 35: [7, 5], 36: [8, 1], 37: [3, 1] }
  const since = fixed[major]
  const isFixed = since === undefined ? major > 37 : minor > since[0] || (minor === since[0] && patch >= since[1])
  expect({ isFixed, asar: packaging.asar, isValidated: packaging.electronFuses?.['enableEmbeddedAsarIntegrityValidation'] }).toEqual({ isFixed: true, asar: undefined, isValidated: true })
})

test(item('E23', 'one file of the app touches the keychain'), () => {
  expect(sourcesWith(/\bsafeStorage\b|setUsePlainTextEncryption/)).toEqual(['main/app/electron/keychain.ts'])
  expect(sourcesWith(/setUsePlainTextEncryption\(/)).toEqual([])
})

test(item('E24', 'there is none'), () => {
  expect(packaging.publish).toBeNull()
  expect(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).filter((name) => /updat/i.test(name))).toEqual([])
  expect(sourcesWith(/\bautoUpdater\b|electron-updater|setFeedURL/)).toEqual([])
})

test(item('E29', 'one server waits for the answer of a sign-in, and one for the self-test of the sandbox, which tries to reach it'), () => {
  expect(sourcesWith(/\bcreate(Secure|Http2)?Server\(|\.listen\(|\bcreateSocket\(/)).toEqual(['main/adapters/mcp/loopbackAnswer.ts', 'main/adapters/sandbox/selfTest.ts'])
})
