import type { Arg, Call, Outcome, ProgramTable } from '../shell/call'
import { plainArg, sliceArg } from '../shell/call'
import { hasMark } from '../shell/marks'
import { allow, ask, deny, isDenied, join, nothing, withOutput } from '../shell/outcomes'
import { forbiddenReads, touch, touchAll } from '../shell/places'
import { hostOf, isThisMachine } from './hosts'
import { namesFromInput } from './inputNames'
import { deniedLines } from './traced'
import { hasOption, judgeCommandText, judgeOptions, optionTable, readOptions, valueOf, type Given } from './options'

/**
 * Reaching machines: asks, unless it is this one; secrets that would leave are denied. A login of a request (`-u`, a header)
 * is what its variable is for: a person sees where it goes.
 */
function reaches(call: Call, hosts: readonly string[], readsSecret: boolean, logins: readonly (Arg | null)[] = []): Outcome {
  const isLocal = hosts.length > 0 && hosts.every(isThisMachine)
  const sendsSecret = readsSecret || call.stdin.isSecret || call.args.some((arg) => arg.isSecret && !logins.some((login) => login !== null && arg.text.endsWith(login.text)))
  const host = hosts.join(', ') || '?'
  const found = sendsSecret && !isLocal ? deny('guard.sends-secret', { program: call.program, host }) : isLocal ? allow('guard.local-request', { host }) : ask('guard.network', { program: call.program, host })
  return withOutput({ ...found, hosts: isLocal ? [] : hosts.length > 0 ? hosts : ['?'], canUndo: isLocal }, { isRemote: !isLocal })
}

const curlOptions = optionTable(
  `-0123456fgGikIjlLnNqRsSvZaBOJ# -A= -b= -C= -c=w -d= -D=w -e= -E=r -F= -h? -H= -K=! -m= -o=w -P= -Q=! -r= -t=! -T= -u= -U= -w= -x=! -X= -y= -Y= -z=
    --url= --get --head --request= --data= --data-ascii= --data-binary= --data-raw= --data-urlencode= --json= --form= --form-string= --header= --user=
    --user-agent= --cookie= --cookie-jar=w --output=w --output-dir=w --remote-name --remote-name-all --remote-header-name --location --location-trusted
    --fail --fail-early --fail-with-body --silent --show-error --no-progress-meter --progress-bar --verbose --include --insecure --compressed
    --connect-timeout= --max-time= --max-redirs= --max-filesize= --retry= --retry-delay= --retry-all-errors --retry-connrefused --retry-max-time=
    --upload-file= --write-out= --dump-header=w --range= --continue-at= --referer= --http1.0 --http1.1 --http2 --http3 --ipv4 --ipv6 --tlsv1.2 --tlsv1.3
    --tls-max= --cacert=r --cert=r --key=r --parallel --parallel-max= --create-dirs --globoff --no-buffer --limit-rate= --path-as-is --noproxy= --post301
    --post302 --post303 --oauth2-bearer= --basic --digest --anyauth --netrc! --netrc-file=r --proxy=! --config=! --resolve=! --connect-to=!
    --unix-socket=! --interface=! --dns-servers=! --trace=w --trace-ascii=w --stderr=w --etag-save=w --etag-compare=r --time-cond= --raw --tcp-nodelay
    --disable --next --url-query= --styled-output --no-keepalive --keepalive-time= --ssl-reqd --proto= --proto-default= --remove-on-error --skip-existing
    --rate=`,
)

const curlSends = ['-d', '-F', '-T', '--data', '--data-ascii', '--data-binary', '--data-raw', '--data-urlencode', '--json', '--form', '--form-string', '--upload-file']

const curlLogins = ['-H', '-u', '-b', '--header', '--user', '--cookie', '--oauth2-bearer']

/** `curl`: reading from this machine may pass; everything that sends, changes or leaves asks. */
function curl(call: Call): Outcome {
  const given = readOptions(call.args, curlOptions)
  const addresses = [...given.operands, ...given.options.flatMap((option) => (option.name === '--url' && option.value ? [option.value] : []))]
  const files = given.options.filter((option) => curlSends.includes(option.name)).flatMap((option) => sentFiles(option.name, option.value))
  const local = addresses.filter((arg) => /^file:/iu.test(arg.text)).map((arg) => touch(call, sliceArg(arg, arg.text.indexOf(':') + 1), 'read'))
  const cookies = given.options.flatMap((option) => (/^(?:-b|--cookie)$/u.test(option.name) && option.value && !option.value.text.includes('=') ? [option.value] : []))
  const sent = touchAll(call, [...files, ...cookies], 'read')
  const method = valueOf(given, '-X', '--request')?.text.toUpperCase() ?? 'GET'
  const changes = hasOption(given, ...curlSends) && !hasOption(given, '-G', '--get') || !/^(?:GET|HEAD|OPTIONS)$/u.test(method)
  const hosts = addresses.filter((arg) => !/^file:/iu.test(arg.text)).map((arg) => (hasMark(hostOf(arg.text)) ? '?' : hostOf(arg.text)))
  const writes = hasOption(given, '-O', '-J', '--remote-name', '--remote-name-all') ? allow('guard.writes', { path: '.' }) : nothing
  const effect = changes ? ask('guard.remote-effect', { program: 'curl', host: hosts.join(', ') || '?' }) : nothing
  const own = { ...given, unknown: given.unknown && addresses.includes(given.unknown) ? null : given.unknown }
  const logins = given.options.filter((option) => curlLogins.includes(option.name)).map((option) => option.value)
  return join(reaches(call, hosts, sent.output.isSecret || local.some((found) => found.output.isSecret), logins), effect, sent, ...local, writes, judgeOptions(call, own))
}

/** Files named by `@name`, `name=@file` or `-T file`. */
function sentFiles(option: string, value: Arg | null): readonly Arg[] {
  if (!value) return []
  if (option === '-T' || option === '--upload-file') return value.text === '-' ? [] : [value]
  const at = option === '-F' || option === '--form' ? /=[@<]/u.exec(value.text) : option === '--data-urlencode' ? /^[^=@]*@/u.exec(value.text) : /^@/u.exec(value.text)
  if (!at || option === '--data-raw' || option === '--form-string') return []
  const file = sliceArg(value, at.index + at[0].length)
  const name = file.text.split(';')[0] ?? ''
  return name === '-' || name === '' ? [] : [{ ...file, text: name, shown: name }]
}

const wgetOptions = optionTable(
  `-46bcdEFhHkKLmNnpqrSvx -a=w -A= -B= -D= -e=! -i=r -I= -l= -o=w -O= -P=w -Q= -R= -t= -T= -U= -w= -X= --output-document= --output-file=w
    --append-output=w --quiet --verbose --no-verbose --continue --timestamping --no-check-certificate --tries= --timeout= --wait= --user-agent= --header=
    --directory-prefix=w --no-clobber --spider --server-response --show-progress --progress= --recursive --level= --no-parent --page-requisites
    --convert-links --mirror --post-data= --post-file=r --body-data= --body-file=r --method= --input-file=r --user= --password= --max-redirect=
    --content-disposition --no-hsts --https-only --use-askpass=! --execute=! --config=! --rejected-log=w --save-cookies=w --load-cookies=r --accept=
    --reject= --domains= --limit-rate= --no-proxy --compression= --retry-connrefused --waitretry= --no-directories --no-host-directories --cut-dirs=
    --adjust-extension --delete-after --inet4-only --ca-certificate=r --certificate=r --private-key=r`,
)

function wget(call: Call): Outcome {
  const given = readOptions(call.args, wgetOptions)
  const hosts = given.operands.map((arg) => (hasMark(hostOf(arg.text)) ? '?' : hostOf(arg.text)))
  const sent = touchAll(call, given.options.flatMap((option) => (/^--(?:post|body)-file$/u.test(option.name) && option.value ? [option.value] : [])), 'read')
  const method = valueOf(given, '--method')?.text.toUpperCase() ?? 'GET'
  const changes = hasOption(given, '--post-data', '--post-file', '--body-data', '--body-file') || !/^(?:GET|HEAD)$/u.test(method)
  const target = valueOf(given, '-O', '--output-document')
  const written = target === null ? allow('guard.writes', { path: '.' }) : target.text === '-' ? nothing : touch(call, target, 'write')
  const effect = changes ? ask('guard.remote-effect', { program: 'wget', host: hosts.join(', ') || '?' }) : nothing
  const own = { ...given, unknown: given.unknown && given.operands.includes(given.unknown) ? null : given.unknown }
  const logins = given.options.filter((option) => /^--(?:header|user|password)$/u.test(option.name)).map((option) => option.value)
  return join(reaches(call, hosts, sent.output.isSecret, logins), effect, sent, written, judgeOptions(call, own))
}

const sshOptions = optionTable('-46AaCfGgKkMNnqsTtVvXxYy -B= -b= -c= -D=! -E=w -e= -F=! -I=! -i= -J= -L=! -l= -m= -O= -o= -p= -Q= -R=! -S= -W=! -w=!')

/** `ssh`: acts on another machine. What it would run there is judged too; on this machine it is as good as run here. */
function ssh(call: Call): Outcome {
  const given = readOptions(call.args, sshOptions, { stopsAtOperand: true })
  if (call.args.length === 1 && call.args[0]?.text === '-V') return allow('guard.reads')
  const [target, ...command] = given.operands
  const host = target ? hostOf(target.text.replace(/^ssh:\/\//u, '')) : '?'
  const options = given.options.filter((option) => option.name === '-o').map((option) => sshSetting(call, option.value))
  const text = command.length === 0 ? (call.stdin.text ?? '') : command.map((arg) => arg.text).join(' ')
  const inner = text === '' ? nothing : elsewhere(call.runText(text), isThisMachine(host))
  const effect = { ...ask('guard.remote-effect', { program: 'ssh', host }), hosts: [host] }
  const sends = call.stdin.isSecret || call.args.some((arg) => arg.isSecret) ? deny('guard.sends-secret', { program: 'ssh', host }) : nothing
  return withOutput(join(effect, inner, sends, ...options, judgeOptions(call, given)), { isRemote: true, text: null })
}

/** On another machine only what destroys it is denied; turning it off or changing its services is a question. */
function elsewhere(inner: Outcome, isHere: boolean): Outcome {
  const destroys = /^guard\.(?:deletes-place|moves-place|rights-place|formats-disk|device|fork-bomb|kills-all|reverse-shell)$/u
  if (isHere || inner.parts.some((part) => part.verdict === 'deny' && destroys.test(part.reason.code))) return inner
  return { ...inner, kind: 'ask', parts: inner.parts.map((part) => (part.verdict === 'deny' ? { ...part, verdict: 'ask' } : part)) }
}

/** `-o ProxyCommand=…` and its relatives run a command on this machine. */
function sshSetting(call: Call, value: Arg | null): Outcome {
  const found = /^\s*(\w+)[\s=]+/u.exec(value?.text ?? '')
  if (!value || !found) return ask('guard.option', { program: call.program, option: '-o' })
  const runs = /^(?:proxycommand|localcommand|knownhostscommand|proxyusefdpass|permitlocalcommand|pkcs11provider|securitykeyprovider|include|match)$/iu.test(found[1] ?? '')
  return runs ? judgeCommandText(call, `-o ${found[1] ?? ''}`, sliceArg(value, found[0].length)) : ask('guard.option', { program: call.program, option: `-o ${found[1] ?? ''}` })
}

const scpOptions = optionTable('-346ABCOpqRrsTv -c= -D=! -F=! -i= -J= -l= -o= -P= -S=x -X=')
const rsyncOptions = optionTable(`-0abcDdEgHhIiJKkLlmNnOoPpqRrSstUuvWXxyz -B= -e=x -f= -M= -T=w --archive --verbose --quiet --recursive --relative --update --inplace --append --dirs
  --links --copy-links --safe-links --hard-links --perms --executability --chmod= --owner --group --times --dry-run --whole-file --delete!
  --delete-before! --delete-after! --delete-excluded! --delete-during! --remove-source-files! --force! --max-delete= --existing --ignore-existing
  --size-only --checksum --compress --partial --partial-dir=w --progress --info= --stats --human-readable --exclude= --include= --exclude-from=r
  --include-from=r --files-from=r --filter= --cvs-exclude --bwlimit= --timeout= --port= --password-file=r --log-file=w --out-format= --itemize-changes
  --backup --backup-dir=w --suffix= --rsh=x --rsync-path=x --no-perms --no-owner --no-group --one-file-system --sparse --numeric-ids --temp-dir=w
  --compare-dest= --copy-dest= --link-dest= --mkpath --daemon!`)

/** `scp`, `rsync`, `sftp`: a `host:` in any operand means another machine. */
function copyBetween(options: ReturnType<typeof optionTable>): (call: Call) => Outcome {
  return (call) => {
    const given = readOptions(call.args, options)
    const remotes = given.operands.filter((arg) => /^(?:[\w.-]+@)?[\w.\-\uFDD0-\uFDD2[\]]+:(?!\/\/)|^(?:rsync|scp|sftp):\/\//u.test(arg.text) && !arg.text.startsWith('/'))
    const own = given.operands.filter((arg) => !remotes.includes(arg))
    const target = given.operands.at(-1)
    const sources = own.filter((arg) => arg !== target)
    const isRemote = remotes.length > 0 || call.program === 'sftp'
    const hosts = remotes.map((arg) => hostOf(arg.text.includes('://') ? arg.text : `x://${arg.text.slice(0, arg.text.indexOf(':'))}`))
    const effect = isRemote ? { ...ask('guard.remote-effect', { program: call.program, host: hosts.join(', ') || '?' }), hosts } : nothing
    const settings = given.options.filter((option) => option.name === '-o').map((option) => sshSetting(call, option.value))
    const written = target && own.includes(target) ? touch(call, target, 'write') : nothing
    const listed = valueOf(given, '--files-from')?.text === '-' ? touchAll(call, namesFromInput(call), 'read-tree') : nothing
    const moved = hasOption(given, '--remove-source-files') ? touchAll(call, sources, 'move') : nothing
    return join(effect, call.program === 'sftp' ? sentByScript(call) : nothing, touchAll(call, sources, 'read-tree'), listed, moved, written, mirrored(call, given, target && own.includes(target) ? target : null), ...settings, judgeOptions(call, given))
  }
}

/** `rsync --delete`: what the target holds beyond the source goes. In the project itself that is a question. */
function mirrored(call: Call, given: Given, target: Arg | null): Outcome {
  if (target === null || !given.options.some((option) => option.name.startsWith('--delete'))) return nothing
  const found = touch(call, { ...target, text: target.text.replace(/(?<=.)\/+$/u, '') }, 'delete-tree')
  return found.kind === 'deny' && found.deletes.every((path) => path !== call.where.root) ? found : nothing
}

/** Raw connections: with a shell at the near end they hand this machine over. */
function raw(call: Call): Outcome {
  const words = call.args.map((arg) => arg.text)
  const runsShell = words.some((word) => /^--(?:exec|sh-exec|lua-exec)/u.test(word) || (/^-\w*[ec]/u.test(word) && call.program !== 'telnet'))
  const host = words.find((word) => /^\w[\w.-]*$/u.test(word) && !/^\d{1,5}$/u.test(word)) ?? '?'
  if (runsShell) return { ...deny('guard.reverse-shell', { host }), hosts: [host] }
  if (words.some((word) => /^-\w*z/u.test(word)) && isThisMachine(host)) return allow('guard.local-request', { host })
  return reaches(call, [host], false)
}

function socat(call: Call): Outcome {
  const text = call.args.map((arg) => arg.text).join(' ')
  if (/(?:exec|system|shell|open:\/dev\/(?:mem|sd))/iu.test(text)) return deny('guard.reverse-shell', { host: 'socat' })
  const files = call.args.flatMap((arg) => {
    const file = /(?:^|!!)(?:g?open|file|creat\w*|pipe):([^,!]+)/iu.exec(arg.text)
    return file ? [{ ...arg, text: file[1] ?? '' }] : []
  })
  const read = touchAll(call, files, 'read')
  return join(reaches(call, [/(?:tcp|udp|openssl)\w*:([^:,\s]+)/iu.exec(text)?.[1] ?? '?'], read.output.isSecret), read)
}

function openssl(call: Call): Outcome {
  const [what, ...rest] = call.args
  if (what?.text === 's_client' || what?.text === 's_server') return reaches(call, [hostOf(rest[rest.findIndex((arg) => /^-connect$/u.test(arg.text)) + 1]?.text ?? '?')], false)
  if (what?.text === 'version' || (what?.text === 'rand' && !rest.some((arg) => /^-(?:out|writerand)/u.test(arg.text)))) return allow('guard.reads')
  const named = rest.flatMap((arg, at) => (/^-(?:in|out|key|inkey|CAfile|keyout|signkey|passin|config)$/u.test(arg.text) ? [{ option: arg.text, value: rest[at + 1] }] : []))
  const touched = named.flatMap(({ option, value }) => (value ? [touch(call, value, /out$/u.test(option) ? 'write' : 'read')] : []))
  return join(/^(?:dgst|sha\d+|md5|x509|verify|asn1parse|base64)$/u.test(what?.text ?? '') ? allow('guard.reads') : ask('guard.unknown-option', { program: 'openssl', option: what?.shown ?? '' }), ...touched)
}

/** Looks names up: a name can carry data out. */
function lookUp(call: Call): Outcome {
  const names = call.args.filter((arg) => !/^[-+]/u.test(arg.text)).map((arg) => arg.text.replace(/^@/u, ''))
  return reaches(call, names.length > 0 ? names.map((name) => (hasMark(name) ? '?' : name)) : ['?'], false)
}

/** What the lines of a file transfer name on this machine: `put ~/x`, and `!command`. */
function sentByScript(call: Call): Outcome {
  const lines = (call.stdin.text ?? '').split('\n').slice(0, 50)
  const put = lines.flatMap((line) => /^\s*-?(?:m?put|reput|append|send)\s+(?:-\w+\s+)*(\S+)/iu.exec(line)?.slice(1) ?? []).map((path) => touch(call, plainArg(path.replace(/^~(?=\/)/u, call.where.home)), 'read')).filter(isDenied)
  return join(...put, deniedLines(call))
}

function sends(call: Call): Outcome {
  const secret = call.stdin.isSecret || call.args.some((arg) => arg.isSecret) ? deny('guard.sends-secret', { program: call.program, host: '?' }) : nothing
  return { ...join(ask('guard.sends', { program: call.program }), secret, forbiddenReads(call), sentByScript(call)), hosts: ['?'] }
}

function httpie(call: Call): Outcome {
  const given: Given = readOptions(call.args, optionTable(`-bhvfjpqdFI -a= -o=w -A= --body --headers --verbose --form --json --print= --pretty= --style= --download --output=w --follow --auth= --timeout=
    --check-status --ignore-stdin --verify= --session=w`))
  const methodless = given.operands.filter((arg) => !/^[A-Z]+$/u.test(arg.text))
  const host = hostOf((methodless[0]?.text ?? '').replace(/^:/u, 'localhost:'))
  const files = given.operands.flatMap((arg) => (/^[\w-]*:?=?[=@]@?(?=[~/.])/u.exec(arg.text) && arg.text.includes('@') ? [sliceArg(arg, arg.text.indexOf('@') + 1)] : []))
  const changes = given.operands.some((arg) => /^(?:POST|PUT|PATCH|DELETE)$/u.test(arg.text)) || methodless.length > 1
  const logins = [valueOf(given, '-a', '--auth'), ...given.operands.filter((arg) => /^[A-Za-z][\w-]*:(?!\/\/)/u.test(arg.text))]
  return join(reaches(call, [host], false, logins), changes ? ask('guard.remote-effect', { program: call.program, host }) : nothing, judgeOptions(call, given), touchAll(call, files, 'read'))
}

/** Programs that reach other machines. */
export const networkPrograms: ProgramTable = {
  curl, wget, ssh, mosh: ssh, autossh: ssh, scp: copyBetween(scpOptions), sftp: copyBetween(scpOptions), rsync: copyBetween(rsyncOptions), nc: raw, ncat: raw,
  netcat: raw, 'nc.traditional': raw, 'nc.openbsd': raw,
  telnet: raw, socat, openssl, dig: lookUp, host: lookUp, nslookup: lookUp, ping: lookUp, ping6: lookUp, traceroute: lookUp, whois: lookUp, mtr: lookUp, nmap: lookUp,
  drill: lookUp, getent: lookUp,
  sendmail: sends, mail: sends, mailx: sends, mutt: sends, msmtp: sends, swaks: sends, ftp: sends, lftp: sends, tftp: sends, aria2c: sends, 'ssh-copy-id': sends,
  http: httpie, https: httpie, xh: httpie, rclone: sends, croc: sends, wormhole: sends, ngrok: sends, cloudflared: sends,
}
