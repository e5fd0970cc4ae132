import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { dataFolder, prepareDataFolder, type DataFolderFacts } from '../../../src/main/app/dataFolder'

const facts: DataFolderFacts = { args: [], env: {}, platform: 'linux', home: '/home/u', cwd: '/work' }

test.each<[string, Partial<DataFolderFacts>, string]>([
  ['the argument wins over everything', { args: ['run', '--data', 'here'], env: { COUNTERSIGN_DATA_DIR: '/env' } }, '/work/here'],
  ['the argument may be one word', { args: ['--data=/there'] }, '/there'],
  ['the variable comes next', { env: { COUNTERSIGN_DATA_DIR: '/env', XDG_DATA_HOME: '/xdg' } }, '/env'],
  ['an empty variable counts as none', { env: { COUNTERSIGN_DATA_DIR: '' } }, '/home/u/.local/share/countersign'],
  ['Linux has XDG', { env: { XDG_DATA_HOME: '/xdg' } }, '/xdg/countersign'],
  ['a relative XDG folder is ignored', { env: { XDG_DATA_HOME: 'xdg' } }, '/home/u/.local/share/countersign'],
  ['macOS has its Library', { platform: 'darwin' }, '/home/u/Library/Application Support/Countersign'],
])('%s', (_name, given, expected) => {
  expect(dataFolder({ ...facts, ...given }).path).toBe(expected)
})

test('the folder belongs to its owner alone, also when it was there before', () => {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'countersign-data-'))
  chmodSync(scratch, 0o755)
  const inner = path.join(scratch, 'a', 'b')
  prepareDataFolder(scratch)
  prepareDataFolder(inner)
  const modes = [scratch, inner].map((folder) => statSync(folder).mode & 0o777)
  rmSync(scratch, { recursive: true })
  expect(modes).toEqual([0o700, 0o700])
})

test('R35 the command line comes first, then the environment, then the .env of the app’s own configuration folder, then the default', () => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'countersign-home-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const config = path.join(home, '.config/countersign')
  const project = path.join(home, 'project')
  for (const folder of [config, project]) mkdirSync(folder, { recursive: true })
  const where = (args: readonly string[], env: Readonly<Record<string, string>>) => dataFolder({ args, env, platform: 'linux', home, cwd: project })
  // What lies in a project chooses nothing.
  writeFileSync(path.join(project, '.env'), 'COUNTERSIGN_DATA_DIR=/project\n')
  expect(where([], {})).toEqual({ path: path.join(home, '.local/share/countersign'), setBy: null })
  writeFileSync(path.join(config, '.env'), '# mine\nexport COUNTERSIGN_DATA_DIR="store"\n')
  expect([where([], {}), where([], { COUNTERSIGN_DATA_DIR: '/env' }), where(['--data', '/there'], { COUNTERSIGN_DATA_DIR: '/env' })]).toEqual([
    { path: path.join(config, 'store'), setBy: 'COUNTERSIGN_DATA_DIR' }, { path: '/env', setBy: 'COUNTERSIGN_DATA_DIR' }, { path: '/there', setBy: '--data' },
  ])
})
