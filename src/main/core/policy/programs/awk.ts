import { plainArg, type Arg, type Call, type Outcome } from '../shell/call'
import { hasMark } from '../shell/marks'
import { allow, ask, deny, isDenied, join, nothing, withOutput } from '../shell/outcomes'
import { touch, touchAll } from '../shell/places'
import { printedText } from './inlineCode'
import { judgeOptions, hasOption, optionTable, readOptions, valueOf } from './options'

const options = optionTable(`-F= -v= -f=! -W=! -e= -i=! -l=! -E=! -bcgnNOPrsStVkC -d?! -D?! -o?! -p?! --field-separator= --assign= --file=! --source= --include=! --load=! --exec=!
  --posix --re-interval --traditional --characters-as-bytes --csv --lint? --sandbox --version --dump-variables?! --profile?! --pretty-print?! --debug?!`)

/** `awk` is an interpreter: programs that only select and print pass, those that run, write or read by themselves ask. */
export function awk(call: Call): Outcome {
  const given = readOptions(call.args, options, { stopsAtOperand: true })
  const source = valueOf(given, '-e', '--source')
  const isGiven = source !== null || hasOption(given, '-f', '--file', '-E', '--exec')
  const program = source ?? (isGiven ? null : (given.operands[0] ?? null))
  const files = (isGiven ? given.operands : given.operands.slice(1)).filter((arg) => !/^[A-Za-z_]\w*=/u.test(arg.text))
  const found = join(
    allow('guard.reads'),
    judgeOptions(call, { ...given, unknown: given.unknown === program ? null : given.unknown }),
    program ? judgeProgram(call, program, given.options.filter((option) => option.name === '-v' || option.name === '--assign').map((option) => option.value?.text.replace(/^\w+=/u, '') ?? '')) : nothing,
    touchAll(call, files, 'read'),
  )
  return withOutput(found, { isSecret: found.output.isSecret || call.stdin.isSecret, isRemote: call.stdin.isRemote, text: program ? printedText(program.text) : null })
}

function judgeProgram(call: Call, program: Arg, values: readonly string[]): Outcome {
  if (hasMark(program.text)) return ask('guard.script-unknown', { program: call.program, text: program.shown.slice(0, 80) })
  if (/\/inet[46]?\/(?:tcp|udp)\//u.test(program.text)) return deny('guard.reverse-shell', { host: 'awk' })
  const commands = commandsIn(program.text)
  const runs = ask('guard.option-runs', { program: call.program, option: 'system' })
  const bare = withoutTexts(program.text)
  const isRunning = commands.length > 0 || /\bsystem\b|(?:^|[^|])\|(?:[^|]|$)|@(?:load|include|[a-z])/u.test(bare)
  // A command may come out of a variable: every text of a program that runs commands is looked at.
  const named = isRunning ? [...textsIn(program.text), ...values].filter((text) => /\s/u.test(text.trim()) && !commands.includes(text)).map((text) => call.runText(text)).filter(isDenied) : []
  if (isRunning) return join(runs, ...commands.map((command) => call.runText(command)), ...named)
  const forbidden = filesIn(program.text).map(({ path, use }) => touch(call, plainArg(path), use)).find((each) => each.kind === 'deny')
  if (forbidden) return forbidden
  if (/\bARG[VC]\b/u.test(bare)) return ask('guard.option', { program: call.program, option: 'ARGV' }, true)
  if (/\bENVIRON\b|\bPROCINFO\b/u.test(bare)) return ask('guard.environment-dump')
  if (/\bgetline\b/u.test(bare)) return ask('guard.option', { program: call.program, option: 'getline' }, true)
  if (/\bprintf?\b[^;}\n]*>/u.test(bare)) return ask('guard.option', { program: call.program, option: '>' })
  return nothing
}

/** Texts given to `system(…)` or piped. */
function commandsIn(text: string): readonly string[] {
  const found: string[] = []
  for (const match of text.matchAll(/system\s*\(\s*"((?:[^"\\]|\\.)*)"/gu)) found.push(unescape(match[1] ?? ''))
  for (const match of text.matchAll(/\|&?\s*"((?:[^"\\]|\\.)*)"/gu)) found.push(unescape(match[1] ?? ''))
  for (const match of text.matchAll(/"((?:[^"\\]|\\.)*)"\s*\|&?\s*getline/gu)) found.push(unescape(match[1] ?? ''))
  return found
}

/** Files that a program names to read from or print to. */
function filesIn(text: string): readonly { readonly path: string; readonly use: 'read' | 'write' }[] {
  return [...text.matchAll(/(<|>{1,2})\s*"((?:[^"\\]|\\.)*)"/gu)].filter((match) => (match[2] ?? '').includes('/')).map((match) => ({ path: unescape(match[2] ?? ''), use: match[1] === '<' ? ('read' as const) : ('write' as const) }))
}

/** All texts in double quotes. */
function textsIn(text: string): readonly string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"/gu)].map((match) => unescape(match[1] ?? ''))
}

function unescape(text: string): string {
  return text.replace(/\\x([0-9a-fA-F]{1,2})/gu, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))).replace(/\\([\s\S])/gu, '$1')
}

/** The program without the contents of its strings, regular expressions and comments, read from the left as awk does. */
function withoutTexts(text: string): string {
  let bare = ''
  let before = ''
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? ''
    const isRegex = letter === '/' && /^$|[({,;!~&|}\n=?:]/u.test(before)
    if (letter === '"' || isRegex) {
      at = endOfText(text, at, letter)
      bare += letter + letter
      before = letter
    } else if (letter === '#') {
      while (at + 1 < text.length && text[at + 1] !== '\n') at++
    } else {
      bare += letter
      if (/\S/u.test(letter) || letter === '\n') before = letter
    }
  }
  return bare
}

/** The position of the closing quote or slash; the end of the text when there is none. */
function endOfText(text: string, from: number, closing: string): number {
  let isBracket = false
  for (let at = from + 1; at < text.length; at++) {
    const letter = text[at]
    if (letter === '\\') at++
    else if (closing === '/' && letter === '[') isBracket = true
    else if (letter === ']') isBracket = false
    else if (letter === closing && !isBracket) return at
  }
  return text.length
}
