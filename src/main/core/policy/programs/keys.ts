import type { Call, Judge, Outcome, ProgramTable } from '../shell/call'
import { allow, ask, deny, join, nothing } from '../shell/outcomes'
import { touchAll } from '../shell/places'

const wordsOf = (call: Call): readonly string[] => call.args.map((arg) => arg.text)

/** `gpg`: what hands out private keys is denied; signing and decrypting ask. */
function gpg(call: Call): Outcome {
  const words = wordsOf(call)
  if (words.some((word) => /^--export-(?:secret|ssh)|^--export-secret-subkeys|^--export-ownertrust/u.test(word))) return deny('guard.key-store', { program: call.program })
  if (words.some((word) => /^--delete-(?:secret|key)/u.test(word))) return deny('guard.key-store', { program: call.program })
  if (words.length > 0 && words.every((word) => /^--(?:verify|list-keys|list-public-keys|fingerprint|version|keyid-format|list-sigs)|^-k$|^[^-]/u.test(word)) && words[0]?.startsWith('-')) return ask('guard.outside-read', { path: call.program }, true)
  return ask('guard.key-use', { program: call.program })
}

/** macOS keychain. */
const security: Judge = (call) => (/^(?:help|list-keychains|default-keychain|find-certificate|verify-cert|error)$/u.test(call.args[0]?.text ?? '') ? ask('guard.key-use', { program: 'security' }) : deny('guard.key-store', { program: 'security' }))

function sshKeygen(call: Call): Outcome {
  const words = wordsOf(call)
  const isReading = words.some((word) => /^-\w*[lFBH]/u.test(word)) && !words.includes('-R')
  const at = words.indexOf('-f')
  const target = at >= 0 ? call.args.slice(at + 1, at + 2) : []
  const reads = words.includes('-y') ? touchAll(call, target, 'read') : nothing
  return join(isReading ? ask('guard.outside-read', { path: 'ssh-keygen' }, true) : ask('guard.key-use', { program: 'ssh-keygen' }), reads, isReading ? nothing : at < 0 ? nothing : touchAll(call, target, 'write'))
}

const stores: Judge = (call) => {
  const what = wordsOf(call).filter((word) => !word.startsWith('-'))[0] ?? ''
  return /^(?:lock|status|logout|version|help|sync|config|list-folders)$/u.test(what) ? ask('guard.key-use', { program: call.program }) : deny('guard.key-store', { program: call.program })
}

const dumps: Judge = (call) => deny('guard.key-store', { program: call.program })

/** Programs that hold keys and passwords. */
export const keyPrograms: ProgramTable = {
  gpg, gpg2: gpg, gpgsm: gpg, security, 'ssh-keygen': sshKeygen,
  'ssh-add': (call) => (wordsOf(call).some((word) => word === '-L' || word === '-l') ? ask('guard.key-use', { program: 'ssh-add' }) : ask('guard.key-use', { program: 'ssh-add' })),
  'ssh-agent': (call) => ask('guard.key-use', { program: call.program }), keytool: (call) => ask('guard.key-use', { program: call.program }),
  age: (call) => ask('guard.key-use', { program: call.program }), 'age-keygen': (call) => ask('guard.key-use', { program: call.program }),
  sops: (call) => ask('guard.key-use', { program: call.program }),
  'secret-tool': stores, pass: stores, gopass: stores, op: stores, bw: stores, lpass: stores, 'keepassxc-cli': stores, 'kwallet-query': stores, keyctl: stores,
  'gnome-keyring': stores, kinit: (call) => ask('guard.key-use', { program: call.program }), klist: (call) => ask('guard.key-use', { program: call.program }),
  'docker-credential-desktop': dumps, 'docker-credential-osxkeychain': dumps, 'docker-credential-secretservice': dumps, 'docker-credential-pass': dumps,
  'git-credential-store': dumps, 'git-credential-libsecret': dumps, 'git-credential-osxkeychain': dumps, 'git-credential-manager': dumps, mimikatz: dumps,
  unshadow: dumps, john: dumps, hashcat: dumps, cmdkey: dumps, vaultcmd: dumps,
  pbpaste: () => ask('guard.outside-read', { path: 'clipboard' }, true), xclip: () => ask('guard.outside-read', { path: 'clipboard' }, true),
  xsel: () => ask('guard.outside-read', { path: 'clipboard' }, true), 'wl-paste': () => ask('guard.outside-read', { path: 'clipboard' }, true),
  pbcopy: () => ask('guard.outside-write', { path: 'clipboard' }), 'wl-copy': () => ask('guard.outside-write', { path: 'clipboard' }),
  history: () => ask('guard.outside-read', { path: 'history' }, true), last: () => ask('guard.outside-read', { path: 'logins' }, true),
  who: () => allow('guard.reads-machine', { program: 'who' }), w: () => allow('guard.reads-machine', { program: 'w' }),
  users: () => allow('guard.reads-machine', { program: 'users' }), finger: () => ask('guard.outside-read', { path: 'logins' }, true),
}
