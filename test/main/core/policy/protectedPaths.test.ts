import { expect, test } from 'vitest'
import { classifyPath, isSecretPath, protectionOf, type Fence } from '../../../../src/main/core/policy/protectedPaths'

const fence: Fence = { root: '/home/ann/app', home: '/home/ann', appData: '/home/ann/.local/share/countersign' }

test.each([
  ['.git', 'git'], ['.git/config', 'git'], ['.GIT/hooks/x', 'git'], ['sub/.Git', 'git'], ['.git.', 'git'], ['.git ', 'git'], ['.g\u200dit/HEAD', 'git'],
  ['\ufeff.git', 'git'], ['GIT~1/config', 'git'], ['.git::$INDEX_ALLOCATION/config', 'git'], ['.git/HEAD.lock', 'git'],
  ['.vscode/settings.json', 'executed'], ['pkg/.VSCode/x', 'executed'], ['.github/workflows/ci.yml', 'executed'], ['.github', 'executed'], ['package.json', 'executed'],
  ['web/package.json', 'executed'], ['.mcp.json', 'executed'], ['.envrc', 'executed'], ['.npmrc', 'executed'], ['.gitattributes', 'executed'], ['a.code-workspace', 'executed'],
  ['.gitignore', null], ['.github/ISSUE_TEMPLATE.md', null], ['git', null], ['src/a.ts', null], ['package.json.md', null], ['.github2/workflows', null], ['src/github/workflows.ts', null],
])('R67: writing %j is judged as %j', (path, expected) => {
  expect(protectionOf(path)).toBe(expected)
})

test.each([
  ['.env', true], ['.ENV', true], ['config/.env.production', true], ['.env.local', true], ['.env-prod', true], ['prod.env', true], ['.envrc', true], ['server.key', true],
  ['a/b.PEM', true], ['id_rsa', true], ['id_ed25519', true], ['id_rsa.bak', true], ['id_deploy', true], ['secrets/k', true], ['a/secrets/db.yml', true], ['credentials.json', true],
  ['.env.example', false], ['.env.sample', false], ['id_rsa.pub', false], ['id_map.ts', false], ['src/secrets/read.ts', false], ['.environment', false], ['key.ts', false],
  ['secrets', false], ['monkey', false], ['infra/prod.auto.tfvars', true], ['terraform.tfvars.json', true], ['terraform.tfvars.example', false], ['.kube/config', true], ['ci/.docker/config.json', true], ['docker/config.json', false], ['kube/config', false],
])('R67: reading %j needs consent: %j', (path, expected) => {
  expect(isSecretPath(path)).toBe(expected)
})

test('R67: the places of a person and of the machine are told apart', () => {
  const of = (path: string): unknown => {
    const { place, secret, isStartPlace, isSystem, isAppData, special, holds } = classifyPath(path, fence)
    return { place, secret, isStartPlace, isSystem, isAppData, special, holds: holds.join() }
  }
  const plain = { place: 'outside', secret: null, isStartPlace: false, isSystem: false, isAppData: false, special: null, holds: '' }
  expect(of('/home/ann/app/src/a.ts')).toEqual({ ...plain, place: 'inside' })
  expect(of('/home/ann/app')).toEqual({ ...plain, place: 'root', holds: 'root' })
  expect(of('/home/ann/app-evil/a')).toEqual(plain)
  expect(of('/home/ann/APP/a')).toEqual(plain)
  expect(of('/home/ann')).toEqual({ ...plain, holds: 'root,home,app-data' })
  expect(of('/')).toEqual({ ...plain, isSystem: true, holds: 'root,home,app-data' })
  expect(of('/home/ann/.ssh/id_rsa')).toEqual({ ...plain, secret: 'credentials', isStartPlace: true })
  expect(of('/root/.aws/credentials')).toEqual({ ...plain, secret: 'credentials', isSystem: true })
  expect(of('/home/bob/.netrc')).toEqual({ ...plain, secret: 'credentials' })
  expect(of('/home/ann/.bashrc')).toEqual({ ...plain, isStartPlace: true })
  expect(of('/home/ann/.local/share/Countersign/x')).toEqual({ ...plain, isAppData: true })
  expect(of('/etc/cron.d/x')).toEqual({ ...plain, isStartPlace: true, isSystem: true })
  expect(of('/etc/shadow')).toEqual({ ...plain, secret: 'credentials', isStartPlace: true, isSystem: true })
  expect(of('/usr/local/src/x')).toEqual(plain)
  expect(of('/tmp/x')).toEqual(plain)
  expect(of('/dev/null')).toEqual({ ...plain, isSystem: true, special: 'null-device' })
  expect(of('/dev/sda')).toEqual({ ...plain, isSystem: true, special: 'device' })
  expect(of('/proc/self/environ')).toEqual({ ...plain, isSystem: true, special: 'kernel' })
})

test('R65: Windows and macOS compare the root without case, Linux with it', () => {
  const windows: Fence = { root: 'C:\\proj\\app', home: 'C:\\Users\\ann', appData: 'C:\\Users\\ann\\AppData\\Roaming\\Countersign', platform: 'win32' }
  expect(classifyPath('c:\\PROJ\\App\\src\\a.ts', windows)).toMatchObject({ place: 'inside', relative: 'src/a.ts' })
  expect(classifyPath('C:\\proj\\app2\\a', windows).place).toBe('outside')
  expect(classifyPath('C:\\Users\\ann\\.ssh\\id_rsa', windows).secret).toBe('credentials')
  expect(classifyPath('C:\\Windows\\win.ini', windows).isSystem).toBe(true)
  expect(classifyPath('/tmp/APP/a', { root: '/tmp/app', home: '/Users/ann', appData: '/Users/ann/Library/x', platform: 'darwin' }).place).toBe('inside')
})
