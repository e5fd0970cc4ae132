import type { Arg, Call, Outcome, ProgramTable } from '../shell/call'
import { allow, ask, deny, isDenied, join, nothing } from '../shell/outcomes'
import { resolvePath } from '../shell/paths'
import { touch } from '../shell/places'
import { plainArg, sliceArg } from '../shell/call'

const readingWords: ReadonlySet<string> = new Set(['ps', 'images', 'version', 'info', 'top', 'port', 'stats', 'history', 'search'])
const losing: ReadonlySet<string> = new Set(['rm', 'rmi', 'prune', 'kill', 'stop', 'down', 'volume', 'system', 'network', 'swarm', 'secret', 'config', 'context', 'plugin', 'node', 'service', 'stack', 'builder', 'buildx', 'image', 'container'])
const globalValue = /^(?:-H|--host|-c|--context|--config|-l|--log-level|--tlscacert|--tlscert|--tlskey)$/u

/** `docker` and `podman`: building and composing the project may pass; whatever reaches the machine's own disk is denied. */
function docker(call: Call): Outcome {
  const { words, isRemote } = subCommand(call.args)
  const [what, ...rest] = words
  const mounts = join(...mountsOf(call, rest))
  const inner = innerCommand(call, what?.text ?? '', rest)
  const remote = isRemote ? ask('guard.option', { program: call.program, option: '--host' }) : nothing
  const isWholeMachine = rest.some((arg) => arg.text === '--privileged') && rest.some((arg) => /^--(?:pid|ipc|net|network|uts)=host$|^nsenter$|^chroot$/u.test(arg.text))
  const power = isWholeMachine ? deny('guard.container-power', { option: '--privileged' }) : nothing
  const given = what?.text === 'build' || what?.text === 'buildx' ? join(...rest.flatMap((arg) => /(?:^|[,=])(?:src|source|default)=([^,]+)/u.exec(arg.text)?.slice(1) ?? []).map((path) => touch(call, plainArg(path), 'read')).filter(isDenied)) : nothing
  const named = join(...rest.flatMap((arg, at) => (/^--(?:env|label|cid)-?file$/u.test(rest[at - 1]?.text ?? '') ? [arg.text] : (/^--(?:env|label)-file=(.+)$/u.exec(arg.text)?.slice(1) ?? []))).map((path) => touch(call, plainArg(path), 'read')).filter(isDenied))
  const copied = what?.text === 'cp' ? join(...rest.filter((arg) => /^[/~.]/u.test(arg.text)).map((arg) => touch(call, arg, 'read-tree')).filter((found) => found.kind === 'deny')) : nothing
  return join(mounts, inner, power, remote, copied, given, named, judgeWhat(call, what?.text ?? '', rest))
}

function judgeWhat(call: Call, what: string, rest: readonly Arg[]): Outcome {
  if (what === '' || readingWords.has(what)) return allow('guard.reads-machine', { program: call.program })
  if (what === 'compose') return compose({ ...call, args: rest })
  if (what === 'build' || (what === 'buildx' && rest[0]?.text === 'build')) return rest.some((arg) => /^--(?:push|secret|ssh|allow|output|network=host)|^-o|^-$|:\/\/|^git@/u.test(arg.text)) || rest.some((arg) => /^(?:\/|~|\.\.)/u.test(arg.text) && touch(call, arg, 'read-tree').kind !== 'allowable') ? ask('guard.remote-effect', { program: call.program, host: what }) : allow('guard.builds', { program: call.program })
  if (what === 'logs' || what === 'diff') return allow('guard.reads-machine', { program: call.program })
  if (what === 'inspect' || what === 'exec' || what === 'run' || what === 'create' || what === 'cp') return ask('guard.container', { program: call.program, command: what })
  if (what === 'push' || what === 'login' || what === 'logout' || what === 'pull') return { ...ask('guard.remote-effect', { program: call.program, host: what }), hosts: ['?'] }
  if (losing.has(what) && rest[0]?.text === 'ls') return allow('guard.reads-machine', { program: call.program })
  return losing.has(what) ? ask('guard.container-loss', { program: call.program, command: what }) : ask('guard.container', { program: call.program, command: what })
}

/** `docker compose`, `docker-compose`. */
function compose(call: Call): Outcome {
  const words = call.args.filter((arg, at) => !arg.text.startsWith('-') && !/^(?:-f|--file|-p|--project-name|--profile|--env-file|--project-directory|--progress|--ansi)$/u.test(call.args[at - 1]?.text ?? ''))
  const what = words[0]?.text ?? ''
  const files = call.args.flatMap((arg, at) => (/^(?:-f|--file|--env-file|--project-directory)$/u.test(call.args[at - 1]?.text ?? '') ? [arg] : /^--(?:file|env-file|project-directory)=/u.test(arg.text) ? [sliceArg(arg, arg.text.indexOf('=') + 1)] : []))
  const outside = join(...files.map((file) => (file.text === '-' ? ask('guard.shell-input', { program: call.program }) : touch(call, file, 'list'))))
  if (outside.kind !== 'allowable') return join(outside, ask('guard.container', { program: call.program, command: what }))
  const isLosing = call.args.some((arg) => /^(?:-v|--volumes|--rmi\b.*|--remove-orphans)$/u.test(arg.text))
  if (/^(?:ps|ls|logs|images|top|version|config|port)$/u.test(what)) return what === 'config' ? ask('guard.secret-file', { path: 'compose' }, true) : allow('guard.reads-machine', { program: call.program })
  if (/^(?:up|build|start|restart|create|stop|pause|unpause)$/u.test(what)) return allow('guard.builds', { program: call.program })
  if (what === 'down' && !isLosing) return allow('guard.builds', { program: call.program })
  return what === 'down' || what === 'rm' || what === 'kill' ? ask('guard.container-loss', { program: call.program, command: what }) : ask('guard.container', { program: call.program, command: what })
}

function subCommand(args: readonly Arg[]): { readonly words: readonly Arg[]; readonly isRemote: boolean } {
  let at = 0
  let isRemote = false
  while (args[at]?.text.startsWith('-')) {
    const text = args[at]?.text ?? ''
    isRemote ||= /^(?:-H|--host|-c|--context|--config|--tls)/u.test(text)
    at += globalValue.test(text) ? 2 : 1
  }
  return { words: args.slice(at), isRemote }
}

/** Folders of this machine that a container gets: the whole disk, keys and the app's data are denied. */
function mountsOf(call: Call, args: readonly Arg[]): readonly Outcome[] {
  return args.flatMap((arg, at) => {
    const before = args[at - 1]?.text ?? ''
    if (/^--privileged(?:=true)?$|^--(?:pid|ipc|userns|uts|cgroupns)=host$|^--cap-add=(?:ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE)$/iu.test(arg.text)) return [ask('guard.container-power', { option: arg.shown })]
    const glued = /^(?:-v=?|--volume=)(?=[^=])/u.exec(arg.text)
    if (/^--mount(?:=|$)/u.test(arg.text) || before === '--mount') return mountOf(call, arg)
    if (before === '-v' || before === '--volume') return [mounted(call, arg)]
    if (/^--device(?:=|$)/u.test(arg.text)) return [deny('guard.device', { path: arg.shown })]
    return glued && arg.text.length > glued[0].length ? [mounted(call, sliceArg(arg, glued[0].length))] : []
  })
}

function mountOf(call: Call, arg: Arg): readonly Outcome[] {
  const source = /(?:^|[,=])(?:source|src)=([^,]*)/u.exec(arg.text)
  return source ? [mounted(call, { ...arg, text: source[1] ?? '' })] : []
}

function mounted(call: Call, arg: Arg): Outcome {
  const path = arg.text.split(':')[0] ?? ''
  if (!/^[/~.\uFDD0]/u.test(path)) return nothing
  const whole = path.replace(/\/+$/u, '')
  if (whole === '' || /^\/(?:etc|root|boot|dev|proc|sys|usr|var|home|Users|bin|sbin|lib)$/u.test(whole)) return deny('guard.mounts-disk', { path: path })
  if (/docker\.sock|containerd\.sock|podman\.sock/u.test(path)) return deny('guard.mounts-disk', { path: path })
  const found = touch(call, { ...arg, text: path }, 'read-tree')
  const holdsHome = resolvePath(path, call.state.cwds).some((each) => call.classify(each).some(({ is }) => is.holds.includes('home')))
  if (holdsHome) return deny('guard.mounts-disk', { path })
  return found.kind === 'allowable' ? nothing : { ...found, reads: [] }
}

/** A command that runs in a container: its own disk is not ours, but with a mounted one it may be; denied text stays visible. */
function innerCommand(call: Call, what: string, rest: readonly Arg[]): Outcome {
  if (what !== 'run' && what !== 'exec') return nothing
  const isMounted = rest.some((arg) => /^(?:-v|--volume|--mount|--privileged|--pid=host)/u.test(arg.text))
  const at = rest.findIndex((arg) => /^(?:\/bin\/|\/usr\/bin\/)?(?:ba|da|a|z)?sh$|^chroot$|^nsenter$/u.test(arg.text))
  if (at < 0 || !isMounted) return nothing
  const ran = call.runArgs(rest.slice(at), { fit: 'wrapped' })
  return isDenied(ran) ? ran : nothing
}

/** Programs that run containers. */
export const containerPrograms: ProgramTable = { docker, podman: docker, nerdctl: docker, 'docker-compose': compose, 'podman-compose': compose, buildah: docker }
