import type { Arg, Call, Judge, Outcome, ProgramTable } from '../shell/call'
import { hasMark } from '../shell/marks'
import { ask, join, nothing } from '../shell/outcomes'
import { resolvePath } from '../shell/paths'
import { firstState, setVariable } from '../shell/state'
import { touch } from '../shell/places'

const bashLike = /^(?:ba|da|a)?sh$/u

/** A shell inside the shell: constant text is parsed again; files, unseen input and other shells' languages ask. */
function shell(call: Call): Outcome {
  let found = nothing
  let at = 0
  let isCommand = false
  let isLogin = false
  let readsInput = false
  for (; at < call.args.length; at++) {
    const text = call.args[at]?.text ?? ''
    if (text === '--' || text === '-') {
      at++
      break
    }
    if (!/^[-+]/u.test(text)) break
    if (/^--(?:rcfile|init-file)/u.test(text)) {
      found = join(found, ask('guard.option', { program: call.program, option: text }))
      if (!text.includes('=')) at++
    } else if (/^--(?:norc|noprofile|posix|verbose)$/u.test(text)) continue
    else if (/^[-+][A-Za-z]+$/u.test(text)) {
      isCommand ||= text.startsWith('-') && text.includes('c')
      isLogin ||= /[li]/u.test(text)
      readsInput ||= text.includes('s')
      if (/[oO]$/u.test(text)) at++
      if (!/^[-+][abcefhiklmnpsuvxBCEHPToO]+$/u.test(text)) found = join(found, ask('guard.unknown-option', { program: call.program, option: text }))
    } else found = join(found, ask('guard.unknown-option', { program: call.program, option: call.args[at]?.shown ?? '' }))
  }
  const login = isLogin ? ask('guard.login-shell', { program: call.program }) : nothing
  const foreign = bashLike.test(call.program) ? nothing : ask('guard.foreign-shell', { program: call.program })
  const rest = call.args.slice(at)
  const main = isCommand ? commandText(call, rest) : readsInput || rest.length === 0 ? fromInput(call) : scriptFile(call, rest[0])
  const around = join(found, login, foreign)
  return around === nothing ? main : join(main, around)
}

function commandText(call: Call, rest: readonly Arg[]): Outcome {
  const [text, zero, ...positional] = rest
  if (!text) return ask('guard.unknown-text', { text: '' })
  if (text.isRemote) return ask('guard.remote-code', { program: call.program })
  const state = { ...firstState('/', call.where.home), cwds: call.state.cwds, positional: positional.map((arg) => ({ text: arg.text, isSecret: arg.isSecret, isRemote: arg.isRemote })) }
  return call.runText(text.text, { state: setVariable({ ...state, vars: call.state.vars }, '0', zero ? { text: zero.text, isSecret: zero.isSecret, isRemote: zero.isRemote } : null) })
}

/** `… | sh`: known text is judged as what it is, the rest is unseen. */
function fromInput(call: Call): Outcome {
  const { stdin } = call
  if (stdin.text !== null) {
    return join(ask('guard.shell-input', { program: call.program }), call.runText(stdin.text))
  }
  return ask(stdin.isRemote ? 'guard.remote-code' : 'guard.shell-input', { program: call.program })
}

function scriptFile(call: Call, file: Arg | undefined): Outcome {
  if (!file) return fromInput(call)
  if (file.stream) return fromInput({ ...call, stdin: file.stream })
  if (file.isRemote) return ask('guard.remote-code', { program: call.program })
  if (/^\/dev\/(?:stdin|fd\/0)$/u.test(file.text)) return fromInput(call)
  const read = hasMark(file.text) ? nothing : touch(call, file, 'read')
  return join(ask('guard.script', { path: file.shown }), read.kind === 'deny' ? read : nothing, ...writtenTexts(call, file).map((text) => call.runText(text)))
}

/** What the script holds when this very command line wrote it. */
export function writtenTexts(call: Call, file: Arg): readonly string[] {
  return resolvePath(file.text, call.state.cwds).flatMap((path) => call.state.files.get(path) ?? [])
}

/** `source` and `.`: a script in this very shell. */
export const sourceFile: Judge = (call) => {
  const [file] = call.args.filter((arg) => arg.text !== '--')
  if (!file) return ask('guard.script', { path: '' })
  return scriptFile(call, file)
}

/** Shells. */
export const shellPrograms: ProgramTable = {
  sh: shell, bash: shell, dash: shell, ash: shell, zsh: shell, ksh: shell, mksh: shell, fish: shell, csh: shell, tcsh: shell, rbash: shell, nu: shell, xonsh: shell,
  elvish: shell,
}
