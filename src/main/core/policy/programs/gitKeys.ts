import { sliceArg, type Arg, type Call, type Outcome } from '../shell/call'
import { hasMark } from '../shell/marks'
import { ask, join, nothing } from '../shell/outcomes'
import { judgeCommandText } from './options'
import { oneOf } from '../shell/alternatives'

/** Settings that only concern names and looks; every other one given with `-c` may run something or reach elsewhere. */
const harmlessSettings = oneOf(String.raw`
  user\.(?:name|email) author\.\w+ committer\.\w+ color\.[\w.]+
  core\.(?:quotepath|autocrlf|safecrlf|filemode|ignorecase|precomposeunicode|abbrev|commentchar|longpaths) advice\.\w+ init\.defaultbranch log\.\w+
  diff\.(?:renames|renamelimit|context|algorithm|noprefix|colormoved) status\.\w+ column\.\w+ gc\.auto merge\.conflictstyle pull\.(?:rebase|ff)
  push\.default fetch\.prune rebase\.autostash versionsort\.\w+ tag\.sort branch\.sort blame\.\w+ commit\.verbose commit\.gpgsign=false
  tag\.gpgsign=false core\.pager=cat core\.fsmonitor=false core\.hookspath=/dev/null maintenance\.auto
`, 'iu')

/** Judges one setting of git, given for a single command or written down; a command in its value is judged. */
export function judgeKey(call: Call, key: string, value: Arg): Outcome {
  if (!hasMark(value.text) && (harmlessSettings.test(key) || harmlessSettings.test(`${key}=${value.text}`))) return nothing
  const asks = ask('guard.git-setting', { key })
  const isAlias = key.startsWith('alias.')
  if (isAlias && !value.text.startsWith('!')) return join(asks, call.runText(`git ${value.text}`))
  const runs = isAlias || /(?:command|cmd|pager|pager\..*|editor|askpass|fsmonitor|helper|program|textconv|external|clean|smudge|process|driver|difftool\..*|mergetool\..*|hook.*|uploadpack|receivepack|sshcommand|proxy|trustctime|packobjectshook|instaweb|browser.*|man\..*)$/u.test(key)
  const text = isAlias || value.text.startsWith('!') ? sliceArg(value, 1) : value
  return runs ? join(asks, judgeCommandText(call, `-c ${key}`, text)) : asks
}
