import { describe, expect, test } from 'vitest'
import { commandEnvironment } from '../../../../src/main/adapters/pty/environment'

const given = (source: NodeJS.ProcessEnv) => commandEnvironment({ HOME: '/home/me', USER: 'me', LANG: 'zh_CN.UTF-8', ...source }, ['/usr/bin'])
const plain = given({})

describe('the environment of a command is a named one', () => {
  test('nothing waits for a key, git takes no lock to look, and PATH is what is searched', () => {
    expect(plain).toEqual({
      HOME: '/home/me', USER: 'me', LANG: 'zh_CN.UTF-8', PATH: '/usr/bin', TERM: 'xterm-256color',
      PAGER: 'cat', MANPAGER: 'cat', GIT_PAGER: 'cat', GH_PAGER: 'cat', SYSTEMD_PAGER: 'cat', AWS_PAGER: '', BAT_PAGER: 'cat', DELTA_PAGER: 'cat', PSQL_PAGER: 'cat',
      HGEDITOR: 'false', SVN_EDITOR: 'false', KUBE_EDITOR: 'false', JJ_EDITOR: 'false', DEBIAN_FRONTEND: 'noninteractive',
      EDITOR: 'false', VISUAL: 'false', GIT_EDITOR: expect.stringContaining('no editor'), GIT_SEQUENCE_EDITOR: expect.stringContaining('no editor'),
      GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.quotePath', GIT_CONFIG_VALUE_0: 'false',
    })
  })

  test.each([
    'TZ', 'TMPDIR', 'SHELL', 'LC_ALL', 'LC_TIME', 'NVM_DIR', 'PYENV_ROOT', 'CARGO_HOME', 'JAVA_HOME', 'VIRTUAL_ENV', 'http_proxy', 'HTTPS_PROXY', 'no_proxy',
  ])('%s is passed on', (name) => {
    expect(given({ [name]: '/a/value' })[name]).toBe('/a/value')
  })

  test.each([
    'BASH_ENV', 'ENV', 'NODE_OPTIONS', 'ELECTRON_RUN_AS_NODE', 'ELECTRON_OVERRIDE_DIST_PATH', 'LD_PRELOAD', 'LD_LIBRARY_PATH', 'PYTHONPATH', 'SSH_AUTH_SOCK',
    'DOCKER_HOST', 'DBUS_SESSION_BUS_ADDRESS', 'OPENAI_API_KEY', 'COUNTERSIGN_PROVIDER_KEY', 'COUNTERSIGN_DATA_DIR', 'AWS_SECRET_ACCESS_KEY', 'GITHUB_TOKEN',
    'NVM_AUTH_HEADER', 'LC_API_KEY', 'BASH_FUNC_ls%%', 'PROMPT_COMMAND', 'PS4', 'SHELLOPTS', 'IFS', 'CDPATH', 'GIT_DIR', 'GIT_SSH_COMMAND', 'MY_OWN', 'Http_Proxy',
  ])('%s is not', (name) => {
    expect(given({ [name]: 'value' })).toEqual(plain)
  })

  test.each([
    ['sk-proj-abcdefghijklmnop1234'], [`ghp_${'a'.repeat(36)}`], ['AKIAIOSFODNN7EXAMPLE'], ['xoxb-1234567890-abc'], ['glpat-abcdefghij0123456789'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln'], ['-----BEGIN PRIVATE KEY-----'], ['Bearer abc'],
  ])('a value that looks like a key is dropped whatever its name: %s', (value) => {
    expect(given({ TZ: value, LC_TIME: `x ${value}` })).toEqual(plain)
  })

  test('a proxy keeps its address and loses its login', () => {
    const found = given({ http_proxy: 'http://me:word@proxy.example:3128/x', HTTPS_PROXY: 'me:word@proxy.example:3128', all_proxy: 'socks5://127.0.0.1:1080' })
    expect([found['http_proxy'], found['HTTPS_PROXY'], found['all_proxy']]).toEqual(['http://proxy.example:3128/x', 'proxy.example:3128', 'socks5://127.0.0.1:1080'])
  })

  test('a start without home, user and locale still gives usable ones', () => {
    const found = commandEnvironment({}, ['/usr/bin'])
    expect(found).toMatchObject({ HOME: expect.stringMatching(/^\//), USER: expect.stringMatching(/./), LANG: expect.stringContaining('UTF-8') })
    expect(commandEnvironment({ LC_ALL: 'C' }, [])['LANG']).toBeUndefined()
  })
})
