import { expect, test } from 'vitest'
import { placesMadeBy } from '../../../../src/main/core/snapshot/placesMade'
import { said } from '../../../../src/shared/domain/result'

const part = (line: string, folder: string | null = '') => ({ argv: line.split(' '), verdict: 'allowable' as const, reason: said('guard.builds'), reads: [], writes: [], deletes: [], hosts: [], canUndo: true, folder })

test.each([
  ['npm ci', ['node_modules/']],
  ['CI=1 npm install left-pad --no-audit', ['node_modules/']],
  ['yarn', ['node_modules/']],
  ['/usr/bin/pnpm --silent add x', ['node_modules/']],
  ['npm run build', ['dist/', 'build/', '.next/']],
  ['npm test', []],
  ['npm ls', []],
  ['cargo test --release', ['target/']],
  ['cargo tree', []],
  ['./gradlew check', ['build/', '.gradle/']],
  ['git status', []],
  ['rm -r install', []],
])('R80 what “%s” would make is known before it is there', (line, places) => {
  expect(placesMadeBy([part(line)])).toEqual(places)
})

test('R80 in the folder where the part runs, each once', () => {
  expect(placesMadeBy([part('npm ci', 'web'), part('npm install', 'web'), part('npm ci', null)])).toEqual(['web/node_modules/', 'node_modules/'])
})
