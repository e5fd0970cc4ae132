import type { Call, Outcome } from '../shell/call'
import { deny, isDenied, join, nothing } from '../shell/outcomes'
import { judgeInlineFiles, unescapeText } from './inlineFiles'
import { printfText } from './printf'

const runsText = /\b(?:system|os[.:]cmd|popen|exec\w*|spawn\w*|create_subprocess_\w+|run|call|check_\w+|getoutput|getstatusoutput|shell_exec|passthru|proc_open|qx|execSync|spawnSync|do shell script|shell-command\w*|call-process-shell-command)\b\s*(?:\(\s*)?(?:f|r|b|~c)?(["'`])((?:\\.|(?!\1)[^\\])*)\1/gu
const runsList = /\b(?:run|call|check_\w+|Popen|execv\w*|execl\w*|spawn\w*|execFile\w*|system|exec)\s*\(\s*(?:(["'])([^"']*)\1\s*,\s*)?\[([^\]]*)\]/gu
const runsWords = /\b(?:exec\w*|system|spawn\w*|Open3\.\w+|popen)\b\s*\(?\s*((?:(["'])(?:\\.|(?!\2)[^\\])*\2\s*,\s*)+(["'])(?:\\.|(?!\3)[^\\])*\3)/gu
const quotedWords = /\b(?:exec|system|spawn)\s*\(?\s*qw\s*([({[/|!])([^)}\]/|!]*(?:\/[^)}\]|!]*)?)[)}\]/|!]/gu
const namedTwice = /\b(?:exec|spawn)lp?e?\s*\(\s*(?:[\w.]+\s*,\s*)?((?:(["'])(?:\\.|(?!\2)[^\\])*\2\s*(?:,\s*)?)+)/gu
const withArgs = /\b(?:Command|spawn\w*|Process)\s*\(\s*(["'])([^"']*)\1\s*,\s*\{[^}]*?args\s*:\s*\[([^\]]*)\]/gu
const pipedOpen = /\bopen\b[^;\n"']{0,40}(["'])((?:\\.|(?!\1)[^\\\n])*)\|\1/gu
const starts = /\b(?:system|popen|exec\w*|spawn\w*|subprocess|getoutput|child_process|shell_exec|passthru|proc_open|Open3|Kernel|os\.execute|ProcessBuilder|Runtime|Command)\b|`|\bopen\b[^;\n]{0,40}["']\s*(?:\||-\|)/u
const begins = /^\s*(?:[\w./-]*\/)?(?:rm|dd|mk\w+|ch(?:mod|own|grp)|mv|cp|find|shred|truncate|kill\w*|pkill|cat|tar|curl|wget|nc|ncat|socat|sudo|doas|env|\w*sh|eval|exec|echo|printf|tee|sed|perl|python[\d.]*|node|ruby|crontab|systemctl|shutdown|reboot|halt|poweroff|wipefs|git|docker|xargs|nohup|timeout|nice|unlink|ln|install|scp|rsync|ssh)\s/u
const killsAll = /\bkill\w*\s*\(?\s*(?:(?:signal\.)?["']?(?:SIG)?(?:KILL|TERM|9|15)["']?\s*,\s*)?-1\b/u
const texts = /(["'])((?:\\.|(?!\1)[^\\\n])*)\1/gu
const backticks = /`([^`]*)`|(?:qx|%x)(?:\{([^}]*)\}|\(([^)]*)\)|\[([^\]]*)\]|\/([^/]*)\/)/gu
const homes = /os\.path\.expanduser\(\s*["']~([^"']*)["']\s*\)|(?:os\.environ(?:\.get)?[([]\s*["']HOME["']\s*[)\]]|os\.homedir\(\)|require\(["'](?:node:)?os["']\)\.homedir\(\)|process\.env\.HOME|Path\.home\(\)|Dir\.home|\$ENV\{["']?HOME["']?\}|ENV\[["']HOME["']\]|getenv\(["']HOME["']\))/gu

/**
 * Inline code of an interpreter is not understood, so it asks. This looks for what is plainly catastrophic in it and can
 * only make the verdict more severe: commands given to a shell, whole folders deleted, keys read, sockets tied to a shell.
 */
export function judgeInlineCode(call: Call, code: string): Outcome {
  if (onlyPrints(code)) return nothing
  const text = joined(withoutPerlQuotes(code).replace(homes, (_, rest: string | undefined) => `'${call.where.home}${rest ?? ''}'`).replace(/\bos\.sep\b/gu, "'/'"), call.where.home)
  const commands = [...commandsIn(text)].map((command) => call.runText(command)).filter(isDenied)
  return join(...commands, handsOver(text) ? deny('guard.reverse-shell', { host: call.program }) : nothing, multiplies(text) ? deny('guard.fork-bomb') : nothing, killsAll.test(text) ? deny('guard.kills-all', { program: call.program }) : nothing, judgeInlineFiles(call, text))
}

/** `q{…}` and `qq{…}` are texts too. */
function withoutPerlQuotes(code: string): string {
  return code.replace(/(?<![\w$])qq?\s*(?:\{([^{}"]*)\}|\(([^()"]*)\)|\[([^[\]"]*)\])/gu, (_, ...found: readonly (string | undefined)[]) => `"${found.slice(0, 3).find((each) => each !== undefined) ?? ''}"`)
}

/** Code that only prints written texts, whatever these say; texts that are filled in when they are read do not count. */
function onlyPrints(code: string): boolean {
  if (/[`$@#]|=|\bEOF\b/u.test(code.replace(texts, (text) => (/[$@#`]/u.test(text) ? '`' : "''")))) return false
  return /^(?:\s|console\.log|print|puts|echo|say|process\.stdout\.write|io\.write|len|\.length|''|[()+;,\d])*$/u.test(code.replace(texts, "''"))
}

/** What code prints that does nothing but print one written text; null for all other code. */
export function printedText(code: string): string | null {
  const found = /^\s*(?:BEGIN\s*\{\s*)?(?:print|printf|puts|echo|say|console\.log|process\.stdout\.write|io\.write)\s*\(?\s*(["'])((?:\\.|(?!\1)[^\\])*)\1\s*\)?\s*;?\s*\}?\s*$/u.exec(code)
  if (found) return `${unescapeText(found[2] ?? '')}\n`
  const formatted = /^\s*(?:BEGIN\s*\{\s*)?printf\s*\(?\s*((?:(["'])(?:\\.|(?!\2)[^\\])*\2\s*(?:,\s*)?)+)\)?\s*;?\s*\}?\s*$/u.exec(code)
  const [format, ...values] = [...(formatted?.[1] ?? '').matchAll(texts)].map((word) => word[2] ?? '')
  return format === undefined ? null : printfText(format, values.map(unescapeText))
}

/** Texts that are put together from written ones, put together: `'a' + 'b'`, the home folder and what is below it. */
function joined(text: string, home: string): string {
  const below = text.split(`'${home}'`).map((piece, at) => (at === 0 ? piece : piece.replace(/^\s*(?:\+|,|\/|\.)\s*(["'`])\/?/u, (_, quote: string) => `\u0000${quote}`)))
  const whole = below.map((piece, at) => (at === 0 ? piece : piece.startsWith('\u0000') ? `${piece[1] ?? ''}${home}/${piece.slice(2)}` : `'${home}'${piece}`)).join('')
  return whole.replaceAll(`"'${home}'/`, `"${home}/`).replaceAll(`\${'{'}'${home}'}`, home).replaceAll(`#{'${home}'}`, home).replaceAll(`{'${home}'}`, home).replace(/(["'`])\s*(?:\+|\.\.)\s*\1/gu, '')
}

function* commandsIn(text: string): Generator<string> {
  for (const match of text.matchAll(pipedOpen)) yield unescapeText(match[2] ?? '')
  yield* spelledOut(text)
  for (const match of text.matchAll(runsWords)) yield quoted([...(match[1] ?? '').matchAll(texts)].map((word) => unescapeText(word[2] ?? '')))
  for (const match of text.matchAll(quotedWords)) yield quoted((match[2] ?? '').trim().split(/\s+/u).map(unescapeText))
  // A command may come out of a variable: every text of code that runs commands is looked at.
  if (starts.test(text)) for (const match of text.matchAll(texts)) if (begins.test(match[2] ?? '')) yield unescapeText(match[2] ?? '')
  for (const match of text.matchAll(runsText)) yield unescapeText(match[2] ?? '')
  for (const match of text.matchAll(runsList)) {
    const words = [...(match[3] ?? '').matchAll(/(["'])((?:\\.|(?!\1)[^\\])*)\1/gu)].map((word) => unescapeText(word[2] ?? ''))
    yield `${match[2] ?? ''} ${quoted(words)}`.trim()
    if (words[1] === '-c' && words[2] !== undefined) yield words[2]
  }
  for (const match of text.matchAll(backticks)) {
    const command = match.slice(1).find((each) => each !== undefined && each.trim() !== '')
    if (command !== undefined) yield command
  }
}

/** `execlp('rm', 'rm', '-rf', '/')` names the program twice; `Command("rm", {args: […]})` is Deno's way. */
function* spelledOut(text: string): Generator<string> {
  for (const match of text.matchAll(namedTwice)) {
    const [program = '', , ...words] = [...(match[1] ?? '').matchAll(texts)].map((word) => unescapeText(word[2] ?? ''))
    yield quoted([program, ...words])
  }
  for (const match of text.matchAll(withArgs)) yield quoted([match[2] ?? '', ...[...(match[3] ?? '').matchAll(texts)].map((word) => unescapeText(word[2] ?? ''))])
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
}

/** A socket and a shell in one piece of code. */
function handsOver(text: string): boolean {
  const hasSocket = /\bsocket\b|fsockopen|TCPSocket|net\.(?:connect|Socket|createConnection)|require\(["'](?:node:)?net["']\)|Socket\.tcp|IO::Socket|inet_aton|\bsocket\.tcp\(|\/dev\/tcp\/|Deno\.connect|pfsockopen/iu.test(text)
  const hasShell = /\/bin\/(?:ba|da|z|k)?sh\b|["'](?:ba|z|da)?sh["']|pty\.spawn|dup2|cmd\.exe|powershell|child_process|STDIN->fdopen|exec\s*\(?\s*["'][^"']*sh\b/iu.test(text)
  // What comes over the wire is run.
  const runsInput = /\b(?:popen|execute|system|exec|check_output|getoutput|run|spawn|shell_exec)\s*\(?\s*[a-z_$]\w*(?:[:.]\w+)*\s*[,()]/iu.test(text) && /\b(?:gets|recv|receive|read|on|fgets|readline)\b/u.test(text) && !/localhost|127\.0\.0\.1/u.test(text)
  return hasSocket && (hasShell || runsInput)
}

/** Processes that multiply without end. */
function multiplies(text: string): boolean {
  return /\bfork\b(?:\(\))?\s*(?:while|until)\b|(?:while|loop|for\s*\(\s*;\s*;)[^\n]{0,40}\n?[^\n]{0,40}\bfork\b|\bfork\s*\(\s*\)\s*;\s*\bfork/u.test(text)
}

