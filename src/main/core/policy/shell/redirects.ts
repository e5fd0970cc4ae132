import type { Redirect, Redirection } from 'unbash'
import { plainStream, textStream, type Arg, type Call, type Outcome, type RuleFit, type Stream } from './call'
import { hasUnknown } from './marks'
import { allow, ask, deny, join, nothing } from './outcomes'
import { touch } from './places'
import type { WordContext } from './wordTypes'
import { expandBody, expandSingle } from './words'

/** What the redirects of one command amount to. */
export interface Redirected {
  readonly outcome: Outcome
  /** What the command reads, when a redirect says so. */
  readonly stdin: Stream | null
  readonly fit: RuleFit
  /** Machines that bash itself would connect to (`/dev/tcp/host/port`). */
  readonly sockets: readonly string[]
  /** Files that get the command's output: absolute path, and whether it is added at the end. */
  readonly outputs: readonly { readonly path: string; readonly isAppended: boolean }[]
  /** How the redirects are written, for a part of their own. */
  readonly shown: readonly string[]
}

/** Judges redirects: files are read or written, descriptors are only joined. */
export function judgeRedirects(redirects: readonly Redirection[], call: Call, context: WordContext): Redirected {
  let outcome = nothing
  let stdin: Stream | null = null
  let fit: RuleFit = 'plain'
  const sockets: string[] = []
  const shown: string[] = []
  const outputs: { path: string; isAppended: boolean }[] = []
  for (const redirect of redirects) {
    if (redirect.type === 'HereDoc') {
      const body = expandBody(redirect.body.text, redirect.delimiter?.quoted ? undefined : redirect.body.parts, context)
      const text = redirect.operator === '<<-' ? body.text.replace(/^\t+/gmu, '') : body.text
      stdin = textOf({ ...body, text })
      fit = 'redirect'
      if (!redirect.delimiter || !redirect.closing) outcome = join(outcome, ask('guard.unparsable', { detail: redirect.operator }))
      continue
    }
    const target = redirect.target ? expandSingle(redirect.target, context) : null
    if (redirect.type === 'HereString') {
      stdin = target === null ? plainStream : textOf({ ...target, text: `${target.text}\n` })
      fit = 'redirect'
      continue
    }
    const found = judgeRedirect(redirect, target, call, sockets)
    outcome = join(outcome, found.outcome)
    if (found.stdin) stdin = found.stdin
    if (found.isFile) fit = 'redirect'
    const [path] = found.outcome.writes
    if (path !== undefined && /^&?>[>|]?$/u.test(redirect.operator) && redirect.descriptor === undefined) outputs.push({ path, isAppended: redirect.operator.endsWith('>>') })
    shown.push(shownRedirect(redirect, target))
  }
  return { outcome, stdin, fit, sockets, outputs, shown }
}

/** As it is written: `2>&1` joins descriptors, while `>& 1` would be read as another thing. */
function shownRedirect({ descriptor, operator }: Redirect, target: Arg | null): string {
  const from = descriptor === undefined ? '' : descriptor.type === 'FileDescriptor' ? String(descriptor.value) : `{${descriptor.name}}`
  return `${from}${operator}${operator.endsWith('&') ? '' : ' '}${target?.shown ?? ''}`.trim()
}

function textOf(arg: Arg): Stream {
  return { ...textStream(arg.text), text: hasUnknown(arg.text) ? null : arg.text, isSecret: arg.isSecret, isRemote: arg.isRemote }
}

interface OneRedirect {
  readonly outcome: Outcome
  readonly stdin: Stream | null
  readonly isFile: boolean
}

function judgeRedirect(redirect: Redirect, target: Arg | null, call: Call, sockets: string[]): OneRedirect {
  if (target === null) return { outcome: ask('guard.unparsable', { detail: redirect.operator }), stdin: null, isFile: true }
  const isDescriptor = (redirect.operator === '>&' || redirect.operator === '<&') && /^(?:\d+-?|-)$/u.test(target.text)
  if (isDescriptor) return { outcome: nothing, stdin: null, isFile: false }
  const socket = /^\/dev\/(?:tcp|udp)\/([^/]+)/u.exec(target.text)
  if (socket) {
    sockets.push(socket[1] ?? '')
    return { outcome: socketOutcome(call, target, socket[1] ?? ''), stdin: { ...plainStream, isRemote: true }, isFile: true }
  }
  const isNull = target.text === '/dev/null'
  if (redirect.operator === '<') {
    const found = touch(call, target, 'read')
    const stream = target.stream ?? { ...plainStream, isSecret: found.output.isSecret }
    return { outcome: found, stdin: { ...stream, isSecret: stream.isSecret || target.isSecret, isRemote: stream.isRemote || target.isRemote }, isFile: !isNull }
  }
  if (isNull) return { outcome: nothing, stdin: null, isFile: false }
  if (target.stream) return { outcome: allow('guard.steers'), stdin: null, isFile: true }
  const written = touch(call, target, 'write')
  const both = redirect.operator === '<>' ? join(written, touch(call, target, 'read')) : written
  return { outcome: both, stdin: null, isFile: true }
}

/** A socket opened by the shell: with a shell at the other end it hands this machine over. */
function socketOutcome(call: Call, target: Arg, host: string): Outcome {
  const isShell = /^(?:(?:ba|z|da|k|mk|c|tc|a)?sh|fish|exec|python[\d.]*|perl|ruby|php|node)$/u.test(call.program)
  const found = isShell ? deny('guard.reverse-shell', { host }) : ask('guard.network', { program: target.shown, host })
  return { ...found, hosts: [host] }
}
