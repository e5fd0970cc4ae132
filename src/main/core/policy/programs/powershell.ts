import { said } from '../../../../shared/domain/result'
import { plainArg, type Arg, type Call, type Judge, type Outcome, type ProgramTable } from '../shell/call'
import { ask, deny, isDenied, join, nothing } from '../shell/outcomes'
import { forbiddenReads, touch, type PlaceUse } from '../shell/places'
import { decodeBase64 } from './decode'
import { judgeInlineCode } from './inlineCode'

const removes = /^(?:remove-item|ri|rm|rmdir|rd|del|erase)$/u
const lists = /^(?:get-childitem|gci|dir|ls|get-item|gi)$/iu
const reads = /^(?:get-content|gc|cat|type|more|select-string|sls|import-csv|import-clixml|copy-item|copy|cpi|cp|get-filehash|format-hex)$/u
const writes = /^(?:set-content|sc|add-content|ac|clear-content|clc|out-file|tee-object|tee|new-item|ni|export-csv|copy-item|copy|cpi|cp|move-item|move|mi|mv|rename-item|ren|rni)$/u
const powers = /^(?:stop-computer|restart-computer|shutdown|logoff)$/u
const disks = /^(?:format-volume|clear-disk|initialize-disk|remove-partition|format|diskpart|clear-volume)$/u
const schedules = /^(?:register-scheduledtask|new-scheduledtask|register-scheduledjob|new-service|schtasks)$/u
const windowsSystem = /^(?:[a-z]:[\\/]*\*?$|[a-z]:[\\/](?:windows|users|program files|programdata|boot)|[\\/]+\*?$|(?:env:|hk(?:lm|cu|cr|ey_[a-z_]+):)|\\\\[.?]\\)/iu
const tokens = /'((?:[^']|'')*)'|"((?:[^"`]|`[\s\S])*)"|([;|&{}()\n])|([^\s;|&{}()'"]+)/gu
const plainEnds = /^(?:-Path|-LiteralPath|-FilePath|-Destination|-Target)$/iu

/** Statements that are looked at in one text, and words in one statement. */
const mostStatements = 100
const mostDepth = 4

/**
 * PowerShell text is not understood, so it asks; only what is plainly catastrophic in it is looked for: deleting or
 * writing where nothing may, keys read, the machine turned off, disks, schedules, and programs of this machine.
 */
function judgePowerShell(call: Call, code: string, depth = 0): Outcome {
  if (depth > mostDepth) return nothing
  const home = call.where.home
  const text = code.replace(/\$(?:\{?HOME\}?|\{?env:(?:HOME|USERPROFILE)\}?)(?![\w:])/giu, home).replace(/%(?:USERPROFILE|HOMEPATH)%/giu, home)
  const statements = statementsOf(text).slice(0, mostStatements)
  const found = statements.map((words, at) => judgeStatement(call, withListed(words, statements[at - 1] ?? []), depth))
  const calls = /::|New-Object/u.test(text) ? judgeInlineCode(call, text) : nothing
  return onlyDenied([...found, calls])
}

function statementsOf(text: string): readonly (readonly string[])[] {
  const statements: string[][] = [[]]
  for (const match of text.matchAll(tokens)) {
    if (match[3] !== undefined) statements.push([])
    else statements.at(-1)?.push((match[1]?.replaceAll("''", "'") ?? match[2] ?? match[4] ?? '').replace(/`([\s\S])/gu, '$1'))
  }
  return statements.filter((words) => words.length > 0)
}

/** A deletion that names nothing deletes what the statement before it listed, unless that was told to list some of it only. */
function withListed(words: readonly string[], [before = '', ...listed]: readonly string[]): readonly string[] {
  const [first = '', ...rest] = words
  const isFed = removes.test(first.toLowerCase()) && operandsOf(rest).length === 0 && lists.test(before)
  if (!isFed || listed.some((word) => /^-(?:fi|i|ex)/iu.test(word))) return words
  return [...words, ...listed.filter((word) => /^-r/iu.test(word)), ...operandsOf(listed)]
}

function judgeStatement(call: Call, words: readonly string[], depth: number): Outcome {
  const [first = '', ...rest] = words
  const name = first.toLowerCase().replace(/\.exe$/u, '')
  if (powers.test(name)) return deny('guard.power', { program: first })
  if (disks.test(name)) return deny('guard.device', { path: words.join(' ') })
  if (/^(?:vssadmin|wbadmin|bcdedit)$/u.test(name) && /delete|set|resize/iu.test(rest.join(' '))) return deny('guard.device', { path: words.join(' ') })
  if (schedules.test(name)) return deny('guard.schedules', { program: first })
  if (/^(?:invoke-expression|iex)$/u.test(name)) return judgePowerShell(call, rest.filter((word) => !/^-Command$/iu.test(word)).join(' '), depth + 1)
  const operands = operandsOf(rest)
  const isTree = rest.some((word) => /^-r|^\/s$/iu.test(word)) || operands.some((word) => word.includes('*'))
  const removed = removes.test(name) ? acts(call, operands, isTree ? 'delete-tree' : 'delete') : nothing
  const read = reads.test(name) ? acts(call, operands, 'read') : nothing
  const written = writes.test(name) ? acts(call, operands, 'write') : nothing
  // Here `rm` and its like are programs of the machine, and any program may be called by its name.
  const asShell = /^[\w./-]+$/u.test(first) && rest.length > 0 ? call.runText(words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')) : nothing
  return join(removed, read, written, isDenied(asShell) ? asShell : nothing)
}

/** Operands and the values of parameters that name paths; lists are taken apart. */
function operandsOf(words: readonly string[]): readonly string[] {
  return words.filter((word, at) => !/^-|^\/[a-z]$/iu.test(word) && (plainEnds.test(words[at - 1] ?? '') || !/^-(?:Include|Exclude|Filter|Encoding|Value|ItemType|ErrorAction|Pattern)$/iu.test(words[at - 1] ?? ''))).flatMap((word) => word.split(','))
}

function acts(call: Call, operands: readonly string[], use: PlaceUse): Outcome {
  return join(...operands.filter((word) => word !== '').map((word) => {
    if (use !== 'read' && windowsSystem.test(word)) return deny(use === 'write' ? 'guard.writes-place' : 'guard.deletes-place', { place: said('guard.place-system', { path: word }) })
    const path = word.replaceAll('\\', '/').replace(/^~(?=\/|$)/u, call.where.home)
    return touch(call, plainArg(use === 'delete-tree' ? path.replace(/(?<=.)\/\*$|(?<=^\/)\*$/u, '') : path), use)
  }))
}

function onlyDenied(found: readonly Outcome[]): Outcome {
  const denied = found.filter(isDenied)
  return denied.length === 0 ? nothing : { ...join(...denied), reads: [], writes: [], deletes: [] }
}

/** `pwsh -c text`, `-EncodedCommand`, a script, or what it gets as input. */
const powershell: Judge = (call) => {
  const asks = ask('guard.inline-code', { program: call.program })
  for (let at = 0; at < call.args.length; at++) {
    const text = call.args[at]?.text ?? ''
    const rest = call.args.slice(at + 1)
    if (/^[-/](?:c|co\w*|cwa|commandw\w*)$/iu.test(text)) return join(asks, code(call, rest))
    if (/^[-/](?:e|ec|en\w*)$/iu.test(text)) return join(asks, judgePowerShell(call, decodeBase64(rest[0]?.text ?? '')?.replaceAll('\0', '') ?? ''))
    if (/^[-/](?:f|fi\w*)$/iu.test(text)) return script(call, rest[0])
    if (/^[-/](?:ep|ex\w*|wd|wo\w*|v|version|w|wi\w*|inputformat|outputformat|settingsfile|configurationname)$/iu.test(text)) at++
    else if (!/^[-/][a-z]+$/iu.test(text)) return /\.ps1$/iu.test(text) ? script(call, call.args[at]) : join(asks, code(call, call.args.slice(at)))
  }
  return join(ask(call.stdin.isRemote ? 'guard.remote-code' : 'guard.shell-input', { program: call.program }), judgePowerShell(call, call.stdin.text ?? ''))
}

function code(call: Call, words: readonly Arg[]): Outcome {
  if (words[0]?.text === '-') return judgePowerShell(call, call.stdin.text ?? '')
  return words.some((word) => word.isRemote) ? ask('guard.remote-code', { program: call.program }) : judgePowerShell(call, words.map((word) => word.text).join(' '))
}

function script(call: Call, file: Arg | undefined): Outcome {
  return join(ask('guard.script', { path: file?.shown ?? '' }), forbiddenReads(call))
}

/** `cmd /c text` of Windows. */
const cmd: Judge = (call) => {
  const at = call.args.findIndex((arg) => /^\/[ckr]/iu.test(arg.text))
  const text = at < 0 ? (call.stdin.text ?? '') : [call.args[at]?.text.slice(2) ?? '', ...call.args.slice(at + 1).map((arg) => arg.text)].join(' ')
  return join(ask(at < 0 ? 'guard.shell-input' : 'guard.inline-code', { program: call.program }), judgePowerShell(call, text))
}

/** The shells of Windows. */
export const windowsShells: ProgramTable = {
  pwsh: powershell, powershell, 'pwsh.exe': powershell, 'powershell.exe': powershell, 'pwsh-preview': powershell, cmd, 'cmd.exe': cmd,
}
