import { plainArg, type Arg, type Call, type Outcome } from '../shell/call'
import { ANY, hasUnknown } from '../shell/marks'
import { allow, ask, join, nothing, wrapped, deny, isDenied } from '../shell/outcomes'
import { resolvePath } from '../shell/paths'
import { touchAll } from '../shell/places'

const flags = /^-(?:depth|d|daystart|follow|mount|xdev|noleaf|nouser|nogroup|print|print0|ls|prune|quit|empty|executable|readable|writable|true|false|and|a|or|o|not|ignore_readdir_race|noignore_readdir_race|warn|nowarn|H|L|P|E|X|x|s)$/u
const tests = /^-(?:name|iname|path|ipath|wholename|iwholename|regex|iregex|regextype|lname|ilname|type|xtype|size|perm|user|uid|group|gid|links|inum|mtime|mmin|atime|amin|ctime|cmin|used|maxdepth|mindepth|fstype|context|printf|D|Olevel|flags|Bmin|Btime)$/u
const newer = /^-(?:newer\w*|anewer|cnewer|samefile)$/u
const writes = /^-(?:fprint0?|fprintf|fls)$/u
const runs = /^-(?:exec|execdir|ok|okdir)$/u

interface Search {
  roots: Arg[]
  found: Outcome
  isDeleting: boolean
  isNarrow: boolean
}

/** `find`: an expression of known tests lists; what deletes, writes or runs asks, and is denied where it would be catastrophic. */
export function find(call: Call): Outcome {
  const search: Search = { roots: [], found: nothing, isDeleting: false, isNarrow: false }
  let at = 0
  for (; at < call.args.length; at++) {
    const arg = call.args[at]
    if (!arg || isExpression(arg.text)) break
    if (!/^-[HLPEXdsx]+$|^-O\d$/u.test(arg.text)) search.roots.push(arg)
  }
  if (search.roots.length === 0) search.roots.push(plainArg('.'))
  while (at < call.args.length) at = readExpression(call, at, search)
  const listed = touchAll(call, search.roots, 'list')
  const deletes = search.isDeleting ? judgeDeletion(call, search) : nothing
  const all = join(allow('guard.reads'), listed, search.found, deletes)
  return { ...all, output: { ...all.output, paths: search.roots.map((root) => (search.isNarrow ? someBelow(call, root) : root).text).filter((text) => !hasUnknown(text)) } }
}

function isExpression(text: string): boolean {
  if (/^-[HLPEXdsx]+$|^-O\d$/u.test(text)) return false
  return text.startsWith('-') || text === '(' || text === ')' || text === '!' || text === ','
}

function readExpression(call: Call, at: number, search: Search): number {
  const word = call.args[at]?.text ?? ''
  if (flags.test(word) || /^[()!,]$/u.test(word)) return at + 1
  if (tests.test(word)) {
    if (/^-(?:i?name|i?path|i?wholename|i?regex|size|mtime|mmin|ctime|cmin|atime|amin)$/u.test(word)) search.isNarrow ||= !/^[*.]*$/u.test(call.args[at + 1]?.text ?? '')
    return at + 2
  }
  if (newer.test(word)) {
    search.found = join(search.found, touchAll(call, call.args.slice(at + 1, at + 2), 'list'))
    return at + 2
  }
  if (word === '-delete') {
    search.isDeleting = true
    search.found = join(search.found, ask('guard.option', { program: 'find', option: '-delete' }, true))
    return at + 1
  }
  if (writes.test(word)) {
    search.found = join(search.found, ask('guard.option', { program: 'find', option: word }, true), touchAll(call, call.args.slice(at + 1, at + 2), 'write'))
    return at + (word === '-fprintf' ? 3 : 2)
  }
  if (runs.test(word)) return readExec(call, at, word, search)
  search.found = join(search.found, ask('guard.unknown-option', { program: 'find', option: call.args[at]?.shown ?? '' }))
  return at + 1
}

/** `-exec … ;` or `-exec … {} +`: the command is judged with the folder that is searched in place of `{}`. */
function readExec(call: Call, at: number, word: string, search: Search): number {
  let end = at + 1
  while (end < call.args.length && !/^[;+]$/u.test(call.args[end]?.text ?? '')) end++
  if (end < call.args.length && call.args[end]?.text === '+' && call.args[end - 1]?.text !== '{}') {
    while (end < call.args.length && call.args[end]?.text !== ';') end++
  }
  const written = call.args.slice(at + 1, end)
  // Found below a folder one by one is the folder with all that it holds.
  const inner = /(?:^|\/)(?:chmod|chown|chgrp)$/u.test(written[0]?.text ?? '') ? [...written.slice(0, 1), plainArg('-R'), ...written.slice(1)] : written
  const asks = ask('guard.option-runs', { program: 'find', option: word })
  const ran = search.roots.map((root) => call.runArgs(inner.map((arg) => fill(call, arg, root, search.isNarrow)), { fit: 'wrapped' }))
  const isDeniedAnyway = (): boolean => isDenied(call.runArgs(inner.map((arg) => ({ ...arg, text: arg.text.replaceAll('{}', './dist/x') })), { fit: 'wrapped' }))
  const isDeniedInside = ran.some(isDenied) && (!isOnlyProject(call, search, ran) || isDeniedAnyway())
  search.found = { ...join(search.found, asks, ...(isDeniedInside ? [deny('guard.option-runs', { program: 'find', option: word })] : [])), parts: [...search.found.parts, ...ran.flatMap((each) => softened(each, isDeniedInside))] }
  return end + 1
}

/** In the project itself `find . -exec rm {} +` is a question, not a catastrophe: it names files one by one. */
function isOnlyProject(call: Call, search: Search, ran: readonly Outcome[]): boolean {
  const denied = ran.flatMap((each) => each.parts).filter((part) => part.verdict === 'deny')
  const isProject = call.state.cwds.length > 0 && search.roots.every((root) => resolvePath(root.text, call.state.cwds).every((path) => path === call.where.root))
  const isBelow = (path: string): boolean => path === call.where.root || path.startsWith(`${call.where.root}/`)
  return isProject && denied.every((part) => part.deletes.length > 0 && part.deletes.every(isBelow) && part.reason.code === 'guard.deletes-place')
}

function softened(ran: Outcome, isDeniedInside: boolean): Outcome['parts'] {
  const parts = wrapped(ran.parts)
  return isDeniedInside ? parts : parts.map((part) => (part.verdict === 'deny' ? { ...part, verdict: 'ask' } : part))
}

/** `{}` stands for what is found: everything below the folder, or with a test on names some of it. */
function fill(call: Call, arg: Arg, root: Arg, isNarrow: boolean): Arg {
  if (!arg.text.includes('{}')) return arg
  return { ...arg, text: arg.text.replaceAll('{}', isNarrow ? someBelow(call, root).text : root.text), shown: arg.shown }
}

/** Some files below a folder; the folder itself where any file below it is too grave to lose. */
export function someBelow(call: Call, root: Arg): Arg {
  const isGrave = resolvePath(root.text, call.state.cwds).some((path) => call.classify(path).some(({ is }) => is.isSystem || (is.holds.length > 0 && is.place !== 'root')))
  return isGrave ? root : { ...root, text: `${root.text.replace(/\/+$/u, '')}/x${ANY}` }
}

/** `-delete`: in the project itself a question, elsewhere what deleting the folder would be. */
function judgeDeletion(call: Call, search: Search): Outcome {
  const isProject = (root: Arg): boolean => resolvePath(root.text, call.state.cwds).every((path) => path === call.where.root) && call.state.cwds.length > 0
  const roots = search.roots.filter((root) => !isProject(root)).map((root) => (search.isNarrow ? someBelow(call, root) : root))
  return touchAll(call, roots, 'delete-tree')
}
