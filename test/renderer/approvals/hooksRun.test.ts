import { expect, test } from 'vitest'
import { hooksRunBy } from '../../../src/renderer/features/approvals/hooksRun'

const hooks = [{ path: '.githooks/pre-commit', runsWith: 'git commit' }, { path: 'package.json: postinstall', runsWith: 'npm install' }, { path: '.yarnrc.yml', runsWith: 'yarn' }]

test.each([
  [['git', 'commit', '-m', 'x'], ['.githooks/pre-commit']],
  [['/usr/bin/git', '-C', 'sub', 'commit'], ['.githooks/pre-commit']],
  [['git', 'status'], []],
  [['npm', 'ci'], ['package.json: postinstall']],
  [['pnpm', '--filter', 'a', 'add', 'left-pad'], ['package.json: postinstall']],
  [['npm', 'test'], []],
  [['yarn'], ['package.json: postinstall', '.yarnrc.yml']],
  [['yarn', 'build'], ['.yarnrc.yml']],
  [['echo', 'git', 'commit'], []],
])('E30: %j sets off %j', (argv, paths) => {
  expect(hooksRunBy([{ argv: ['ls'] }, { argv }], hooks)).toEqual(paths)
})
