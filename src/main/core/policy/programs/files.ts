import type { Arg, Call, Judge, Outcome, ProgramTable } from '../shell/call'
import { allow, ask, deny, join, nothing, withOutput } from '../shell/outcomes'
import { touch, touchAll, type PlaceUse } from '../shell/places'
import { plainArg } from '../shell/call'
import { hasOption, judgeOptions, optionTable, readOptions, valueOf, type Given } from './options'

/** A program that does one thing with every operand. */
function acts(options: string, use: PlaceUse): Judge {
  const table = optionTable(options)
  return (call) => {
    const given = readOptions(call.args, table)
    return join(judgeOptions(call, given), touchAll(call, given.operands, use), given.operands.length === 0 ? allow('guard.writes', { path: '' }) : nothing)
  }
}

const copyOptions = optionTable(`-abdfHiLlnPprRsuvxXZT -S= -t=w --archive --attributes-only --backup? --copy-contents --force --interactive --link --dereference --no-clobber
  --no-dereference --preserve? --no-preserve= --parents --recursive --reflink? --remove-destination --sparse= --strip-trailing-slashes --symbolic-link
  --suffix= --target-directory=w --no-target-directory --update? --verbose --one-file-system -c`)

function copy(call: Call): Outcome {
  const given = readOptions(call.args, copyOptions)
  const isTree = hasOption(given, '-r', '-R', '-a', '--recursive', '--archive')
  const { sources, target } = sourcesAndTarget(given)
  const read = touchAll(call, sources, isTree ? 'read-tree' : 'read')
  const linked = hasOption(given, '-s', '-l', '--link', '--symbolic-link') ? touchAll(call, sources, 'link') : nothing
  return join(judgeOptions(call, given), read, linked, writeInto(call, sources, target))
}

/** The last operand, or the folder of `-t`, is the target. */
function sourcesAndTarget(given: Given): { readonly sources: readonly Arg[]; readonly target: Arg | null } {
  if (hasOption(given, '-t', '--target-directory')) return { sources: given.operands, target: valueOf(given, '-t', '--target-directory') }
  return given.operands.length < 2 ? { sources: given.operands, target: null } : { sources: given.operands.slice(0, -1), target: given.operands.at(-1) ?? null }
}

/** Writing into a target that may be a folder: then the file gets its own name there. */
function writeInto(call: Call, sources: readonly Arg[], target: Arg | null): Outcome {
  if (target === null) return nothing
  const within = sources.map((source) => {
    const name = source.text.replace(/\/+$/u, '').split('/').at(-1) ?? ''
    const isPlain = name !== '' && name !== '.' && name !== '..'
    return isPlain ? touch(call, { ...target, text: `${target.text.replace(/\/+$/u, '')}/${name}`, shown: `${target.shown.replace(/\/+$/u, '')}/${name}` }, 'write') : nothing
  })
  const isFolder = /(?:^|\/)\.{0,2}\/?$/u.test(target.text) || sources.length > 1
  const direct = touch(call, target, 'write')
  const worst = join(direct, ...within.filter((found) => found.kind === 'deny' || (isFolder && found.kind === 'ask')))
  return { ...worst, writes: direct.writes }
}

const moveOptions = optionTable(`-bfinTuvZ -S= -t=w --backup? --force --interactive --no-clobber --no-target-directory --strip-trailing-slashes --suffix= --target-directory=w
  --update? --verbose --exchange --no-copy`)

function move(call: Call): Outcome {
  const given = readOptions(call.args, moveOptions)
  const { sources, target } = sourcesAndTarget(given)
  return join(judgeOptions(call, given), touchAll(call, sources, 'move'), writeInto(call, sources, target))
}

const linkOptions = optionTable(`-bdFfiLnPrsTvhw -S= -t=w --backup? --directory --force --interactive --logical --no-dereference --physical --relative --symbolic --suffix=
  --target-directory=w --no-target-directory --verbose`)

function link(call: Call): Outcome {
  const given = readOptions(call.args, linkOptions)
  const { sources, target } = sourcesAndTarget(given)
  const isSymbolic = hasOption(given, '-s', '--symbolic')
  const folder = target && isSymbolic ? target.text.split('/').slice(0, -1).join('/') : ''
  const meant = sources.map((source) => (isSymbolic && folder !== '' && !source.text.startsWith('/') ? { ...source, text: `${folder}/${source.text}` } : source))
  return join(judgeOptions(call, given), touchAll(call, meant, 'link'), writeInto(call, sources, target ?? plainArg('.')))
}

const rightsOptions = optionTable('-cfRvhHLPn --changes --silent --quiet --verbose --dereference --no-dereference --preserve-root --no-preserve-root! --recursive --reference=r --from=')

/** `chmod`, `chown`, `chgrp`: the first operand says what, the rest where. */
function rights(call: Call): Outcome {
  const [mode, ...rest] = modeFirst(call)
  const given = readOptions(rest, rightsOptions)
  const isTree = hasOption(given, '-R', '--recursive')
  const hasReference = hasOption(given, '--reference')
  const targets = mode === null && !hasReference ? given.operands.slice(1) : given.operands
  const text = mode?.text ?? given.operands[0]?.text ?? ''
  const setsId = call.program === 'chmod' && (/[ugoa]*[+=][rwxXt]*s/u.test(text) || /^0*[2-7]\d{3}$/u.test(text))
  const isOwner = call.program !== 'chmod'
  const found = join(judgeOptions(call, given), touchAll(call, targets, isTree ? 'rights-tree' : 'rights'))
  const isOpen = isTree && call.program === 'chmod' && /^0*[0-7]?[0-7][0-7][2367]$|^[ugoa]*[ao][ugoa]*[+=]\w*w|^\+\w*w/u.test(text)
  if (isOpen) return join(found, ask('guard.owner', { program: call.program }, true))
  if (setsId) return join(deny('guard.setuid', { path: targets.map((target) => target.shown).join(' ') }), found)
  return isOwner ? join(ask('guard.owner', { program: call.program }, true), found) : found
}

/** A mode such as `-x` or `-rwx` looks like an option. */
function modeFirst(call: Call): readonly [Arg | null, ...Arg[]] {
  const at = call.args.findIndex((arg) => call.program === 'chmod' && /^-[rwxXst]+$/u.test(arg.text))
  const mode = call.args[at]
  return mode ? [mode, ...call.args.filter((_, each) => each !== at)] : [null, ...call.args]
}

const installOptions = optionTable(`-bcCdDpsTvZ -g= -m= -o= -S= -t=w --backup? --compare --directory --group= --mode= --owner= --preserve-timestamps --strip --suffix=
  --target-directory=w --no-target-directory --verbose`)

function install(call: Call): Outcome {
  const given = readOptions(call.args, installOptions)
  const mode = valueOf(given, '-m', '--mode')?.text ?? ''
  const setsId = /s/u.test(mode) || /^0*[2-7]\d{3}$/u.test(mode) ? deny('guard.setuid', { path: mode }) : nothing
  if (hasOption(given, '-d', '--directory')) return join(setsId, judgeOptions(call, given), touchAll(call, given.operands, 'write'))
  const { sources, target } = sourcesAndTarget(given)
  return join(setsId, judgeOptions(call, given), touchAll(call, sources, 'read'), writeInto(call, sources, target))
}

/** `dd`: operands are `name=value` in any order. */
function dd(call: Call): Outcome {
  const values = new Map(call.args.map((arg) => [arg.text.split('=')[0] ?? '', { ...arg, text: arg.text.slice(arg.text.indexOf('=') + 1), shown: arg.shown.slice(arg.shown.indexOf('=') + 1) }]))
  const source = values.get('if')
  const target = values.get('of')
  const unknown = call.args.find((arg) => !/^(?:if|of|bs|ibs|obs|cbs|count|skip|seek|conv|iflag|oflag|status|iseek|oseek)=/u.test(arg.text))
  const found = join(
    allow('guard.reads'),
    unknown ? ask('guard.unknown-option', { program: 'dd', option: unknown.shown }) : nothing,
    source ? touch(call, source, 'read') : nothing,
    target ? touch(call, target, 'write') : nothing,
  )
  const isEndless = source && /^\/dev\/(?:zero|u?random|full)$/u.test(source.text) ? ask('guard.fills-disk', { program: 'dd' }, true) : nothing
  return withOutput(join(found, isEndless), { isSecret: found.output.isSecret || call.stdin.isSecret })
}

const teeOptions = optionTable('-aip --append --ignore-interrupts --output-error?')

function tee(call: Call): Outcome {
  const given = readOptions(call.args, teeOptions)
  const found = join(allow('guard.reads'), judgeOptions(call, given), touchAll(call, given.operands.filter((operand) => operand.stream === null), 'write'))
  return { ...found, output: call.stdin }
}

const truncateOptions = optionTable('-co -s= -r=r --no-create --io-blocks --size= --reference=r')
const packOptions = `-acdfhklLnNqrtvV0 -S= -T= -b= -o=w -M= --stdout --to-stdout --decompress --uncompress --force --keep --list --quiet --recursive --suffix= --test
  --verbose --fast --best --rsyncable --threads= --rm --long? --ultra --extreme --format= --memlimit= --single-stream --compress --no-name --name -z`

/** `gzip` and its kind replace the file; with `-c`, `-l` or `-t` they only read it. */
const pack: Judge = (call) => {
  const given = readOptions(call.args, optionTable(packOptions))
  const isReading = hasOption(given, '-c', '-l', '-t', '--stdout', '--to-stdout', '--list', '--test') || given.operands.length === 0
  const found = join(judgeOptions(call, given), touchAll(call, given.operands, 'read'), isReading ? allow('guard.reads') : touchAll(call, given.operands, 'write'))
  return withOutput(found, { isSecret: found.output.isSecret || call.stdin.isSecret, isRemote: call.stdin.isRemote })
}

const splitOptions = optionTable(`-deuvxzk0 -a= -b= -C= -l= -n= -t= -f= --numeric-suffixes? --hex-suffixes? --suffix-length= --additional-suffix= --bytes= --lines= --line-bytes=
  --number= --filter=x --prefix= --digits= --elide-empty-files --quiet --silent -s -q`)

/** `split` and `csplit` write files that begin with a prefix in the folder they run in. */
function split(call: Call): Outcome {
  const given = readOptions(call.args, splitOptions)
  const isContext = call.program === 'csplit'
  const prefix = isContext ? (valueOf(given, '-f', '--prefix') ?? plainArg('xx')) : { ...(given.operands[1] ?? plainArg('x')) }
  return join(judgeOptions(call, given), touchAll(call, given.operands.slice(0, 1), 'read'), touch(call, { ...prefix, text: `${prefix.text}aa` }, 'write'))
}

const makeTemporary: Judge = (call) => {
  const given = readOptions(call.args, optionTable('-dqut -p=w --directory --dry-run --quiet --suffix= --tmpdir?'))
  return join(judgeOptions(call, given), given.operands.length > 0 ? touchAll(call, given.operands, 'write') : ask('guard.outside-write', { path: '/tmp' }))
}

/** `patch` writes what the patch names; the patch is not part of the command. */
const patch: Judge = (call) => {
  const given = readOptions(call.args, optionTable(`-bcDEefFlNnRsTtuvZ0 -p= -i=r -d=d -o=w -r=w -B= -z= -V= -g= --strip= --input=r --directory=d --output=w --dry-run --reverse --forward --fuzz= --backup
    --suffix= --force --batch --silent --quiet --verbose --posix --unified --merge? --reject-file=w`))
  const writes = hasOption(given, '--dry-run') ? allow('guard.reads') : ask('guard.extracts', { program: 'patch' }, true)
  return join(writes, judgeOptions(call, given), touchAll(call, given.operands.slice(0, 1), 'write'), touchAll(call, given.operands.slice(1), 'read'))
}

/** Programs that make, copy, move and change files. */
export const filePrograms: ProgramTable = {
  cp: copy, mv: move, ln: link, link, install, dd, tee, split, csplit: split, patch, mktemp: makeTemporary,
  chmod: rights, chown: rights, chgrp: rights, gzip: pack, gunzip: pack, bzip2: pack, bunzip2: pack, xz: pack, unxz: pack, lzma: pack, zstd: pack, unzstd: pack,
  lz4: pack, compress: pack, pigz: pack,
  mkdir: acts('-pvZ -m= --parents --verbose --mode=', 'write'),
  touch: acts('-acfhm -d= -r=r -t= --no-create --date= --no-dereference --reference=r --time=', 'write'),
  truncate: (call) => {
    const given = readOptions(call.args, truncateOptions)
    return join(judgeOptions(call, given), touchAll(call, given.operands, 'write'))
  },
  mkfifo: acts('-Z -m= --mode=', 'write'),
  mknod: (call) => (call.args.some((arg) => arg.text === 'b' || arg.text === 'c' || arg.text === 'u') ? deny('guard.device', { path: call.args[0]?.shown ?? '' }) : touchAll(call, call.args.slice(0, 1), 'write')),
  chattr: (call) => join(ask('guard.owner', { program: 'chattr' }, true), touchAll(call, call.args.filter((arg) => !/^[-+=]/u.test(arg.text)), call.args.some((arg) => arg.text === '-R') ? 'rights-tree' : 'rights')),
  setfacl: (call) => join(ask('guard.owner', { program: 'setfacl' }, true), touchAll(call, call.args.slice(-1), call.args.some((arg) => /^-\w*R/u.test(arg.text)) ? 'rights-tree' : 'rights')),
  setcap: (call) => deny('guard.setuid', { path: call.args.at(-1)?.shown ?? '' }),
  fallocate: acts('-cdivxz -l= -o= --length= --offset= --punch-hole --zero-range --dig-holes', 'write'),
  dos2unix: acts('-bcfkqsv -n', 'write'), unix2dos: acts('-bcfkqsv', 'write'),
  sponge: acts('-a', 'write'), rename: (call) => ask('guard.extracts', { program: call.program }, true), unlink: (call) => touchAll(call, call.args, 'delete'),
}
