import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { scratchFolder } from '../../../support/scratchDatabase'
import { configFolder, parseEnv, readEnvironment } from '../../../../src/main/adapters/settings/environment'

test.each([
  ['A=1', '1'],
  ['  export A = spaced out  ', 'spaced out'],
  ["A='single $x \\n # all of it' # comment", 'single $x \\n # all of it'],
  ['A="double\\n\\"quoted\\" \\\\ $x # kept"', 'double\n"quoted" \\ $x # kept'],
  ['A=with # comment', 'with'],
  ['A=with#no-comment', 'with#no-comment'],
  ['A=', ''],
  ["A=''", ''],
  ['A=a=b', 'a=b'],
  ['A=密钥', '密钥'],
  ['\ufeffA=bom', 'bom'],
  ['A=1\r\nB=2', '1'],
  ['A=1\nA=2', '2'],
])('R35: %j gives %j', (text, expected) => {
  expect(parseEnv(text).values['A']).toBe(expected)
  expect(parseEnv(text).badLines).toEqual([])
})

test('R35: a line that makes no sense is left out and named, the others count', () => {
  expect(parseEnv('# comment\n\nA=1\nno assignment\n1A=x\nB="open\nC=\'x\' y\nD=4')).toEqual({ values: { A: '1', D: '4' }, badLines: [4, 5, 6, 7] })
})

test('R35: the environment stands above .env of the configuration folder, and the process is not changed', async () => {
  const folder = scratchFolder()
  writeFileSync(path.join(folder, '.env'), 'COUNTERSIGN_TEST_ONE=file\nCOUNTERSIGN_TEST_TWO=file\nbad\n')
  const { values, faults } = await readEnvironment(folder, { COUNTERSIGN_TEST_ONE: 'environment', UNSET: undefined })
  expect(values).toEqual({ COUNTERSIGN_TEST_ONE: 'environment', COUNTERSIGN_TEST_TWO: 'file' })
  expect(faults).toEqual([{ code: 'settings.bad-env-line', values: { file: path.join(folder, '.env'), line: 3 } }])
  expect(process.env['COUNTERSIGN_TEST_TWO']).toBe(undefined)
})

test('R35: no file is no fault; one that cannot be opened is one, and the environment still counts', async () => {
  const folder = scratchFolder()
  expect(await readEnvironment(path.join(folder, 'nowhere'), { A: '1' })).toEqual({ values: { A: '1' }, faults: [] })
  mkdirSync(path.join(folder, '.env'))
  expect(await readEnvironment(folder, { A: '1' })).toMatchObject({ values: { A: '1' }, faults: [{ code: 'settings.cannot-open' }] })
})

test('R35: the configuration folder is the system’s own for each user', () => {
  expect(configFolder('linux', {}, '/home/me')).toBe('/home/me/.config/countersign')
  expect(configFolder('linux', { XDG_CONFIG_HOME: '/conf' }, '/home/me')).toBe('/conf/countersign')
  expect(configFolder('linux', { XDG_CONFIG_HOME: 'relative' }, '/home/me')).toBe('/home/me/.config/countersign')
  expect(configFolder('darwin', {}, '/Users/me')).toBe('/Users/me/Library/Preferences/Countersign')
})
