import { plainArg, sliceArg, type Arg, type Call, type Outcome, type ProgramTable } from '../shell/call'
import { allow, ask, join, nothing, withOutput } from '../shell/outcomes'
import { touch, touchAll } from '../shell/places'
import { namesFromInput } from './inputNames'
import { hasOption, judgeCommandText, judgeOptions, optionTable, readOptions, valueOf } from './options'

const tarOptions = optionTable(
  `-AcdrtuxzjJZahlmpsSvkOoUwWB0 -f= -C= -b= -g=w -H= -K= -L= -N= -T=r -V= -X=r -I=x -F=x -P! --create --extract --get --list --append --update --catenate
    --concatenate --delete --diff --compare --test-label --file= --directory= --gzip --gunzip --bzip2 --xz --lzma --zstd --lzip --lzop --auto-compress
    --no-auto-compress --use-compress-program=x --verbose --exclude= --exclude-from=r --exclude-vcs --exclude-vcs-ignores --exclude-caches
    --strip-components= --transform= --xform= --files-from=r --null --wildcards --no-wildcards --anchored --no-recursion --recursion --one-file-system
    --same-owner --no-same-owner --preserve-permissions --same-permissions --no-same-permissions --numeric-owner --owner= --group= --mode= --mtime=
    --sort= --keep-old-files --skip-old-files --keep-newer-files --overwrite --overwrite-dir --unlink-first --recursive-unlink --to-stdout --touch
    --dereference --hard-dereference --hole-detection= --sparse --format= --pax-option= --posix --old-archive --checkpoint? --totals? --ignore-failed-read
    --warning= --force-local --absolute-names! --to-command=x --checkpoint-action= --info-script=x --new-volume-script=x --rsh-command=x --rmt-command=x
    --multi-volume --acls --xattrs --selinux --show-transformed-names --remove-files! --backup? --suffix= --utc --full-time --quoting-style=
    --record-size= --blocking-factor= --index-file=w --no-same-owner --label= --newer= --after-date= --add-file= --occurrence?`,
)

/** `tar`: listing reads, creating reads a tree and writes one file, extracting writes what the archive says. */
function tar(call: Call): Outcome {
  const given = readOptions(bundled(call.args), tarOptions)
  const isCreating = hasOption(given, '-c', '--create', '-r', '--append', '-u', '--update', '-A')
  const isExtracting = hasOption(given, '-x', '--extract', '--get')
  const archive = valueOf(given, '-f', '--file')
  const folder = valueOf(given, '-C', '--directory')
  const actions = given.options.filter((option) => option.name === '--checkpoint-action' && option.value)
  const runs = actions.map(({ value }) => (value && /^exec=/u.test(value.text) ? judgeCommandText(call, '--checkpoint-action', sliceArg(value, 5)) : ask('guard.option', { program: 'tar', option: '--checkpoint-action' })))
  const remote = archive && /^[\w.@-]+:/u.test(archive.text) && !hasOption(given, '--force-local') ? ask('guard.network', { program: 'tar', host: archive.shown.split(':')[0] ?? '' }) : nothing
  const listed = valueOf(given, '-T', '--files-from')?.text === '-' ? namesFromInput(call) : []
  const members = isCreating ? touchAll(call, [...given.operands, ...listed].map((each) => inFolder(each, folder)), 'read-tree') : nothing
  const removed = hasOption(given, '--remove-files') ? touchAll(call, given.operands.map((each) => inFolder(each, folder)), 'delete-tree') : nothing
  const archived = archive === null || archive.text === '-' ? nothing : touch(call, archive, isCreating ? 'write' : 'read')
  const written = isExtracting && !hasOption(given, '-O', '--to-stdout') ? join(ask('guard.extracts', { program: 'tar' }, true), folder ? touch(call, folder, 'write') : nothing) : folder ? touch(call, folder, 'list') : nothing
  const found = join(isCreating || isExtracting ? nothing : allow('guard.reads'), judgeOptions(call, given), ...runs, remote, members, removed, archived, written)
  return withOutput(found, { isSecret: found.output.isSecret || members.reads.length > 0 && members.kind === 'deny', isRemote: call.stdin.isRemote })
}

function inFolder(arg: Arg, folder: Arg | null): Arg {
  return folder === null || arg.text.startsWith('/') ? arg : { ...arg, text: `${folder.text}/${arg.text}` }
}

/** `tar xzf a.tar`: the first word may be letters without a dash, whose values follow in order. */
function bundled(args: readonly Arg[]): readonly Arg[] {
  const [first, ...rest] = args
  if (!first || first.text.startsWith('-') || !/^[A-Za-z]+$/u.test(first.text)) return args
  const taken = [...rest]
  return [...[...first.text].flatMap((letter) => {
    const value = 'fCbgHKLNTVXIF'.includes(letter) ? taken.shift() : undefined
    return value ? [plainArg(`-${letter}`), value] : [plainArg(`-${letter}`)]
  }), ...taken]
}

const zipOptions = optionTable(`-0rjmqvuyXxiRdDTFegAlLczZ9@ -b=w -n= -P= -t= -tt= -i= -x= -O=w --recurse-paths --junk-paths --quiet --exclude= --include= --encrypt --password=
  --unzip-command=x --symlinks --update --freshen --delete`)

function zip(call: Call): Outcome {
  const at = call.args.findIndex((arg) => arg.text === '-TT' || arg.text.startsWith('--unzip-command'))
  const given = readOptions(call.args.filter((_, each) => at < 0 || (each !== at && each !== at + 1)), zipOptions)
  const [archive, ...named] = given.operands
  const members = hasOption(given, '-@') || named.some((arg) => arg.text === '-@') ? [...named, ...namesFromInput(call)] : named
  const runs = at < 0 ? nothing : judgeCommandText(call, '-TT', call.args[at + 1] ?? null)
  const moves = hasOption(given, '-m') ? touchAll(call, members, 'delete-tree') : nothing
  return join(judgeOptions(call, given), runs, moves, touchAll(call, members, 'read-tree'), archive && archive.text !== '-' ? touch(call, archive, 'write') : allow('guard.reads'))
}

const unzipOptions = optionTable('-aajLnopqtuvxlzcCDfKMUVWXZ -d=w -P= -x=')

function unzip(call: Call): Outcome {
  const given = readOptions(call.args, unzipOptions)
  const isReading = hasOption(given, '-l', '-t', '-v', '-z', '-Z', '-p', '-c')
  const writes = isReading ? allow('guard.reads') : ask('guard.extracts', { program: call.program }, true)
  return join(writes, judgeOptions(call, given), touchAll(call, given.operands.slice(0, 1), 'read'))
}

/** `7z`, `ar`, `cpio` and others: what they do depends on their first word; everything but listing asks. */
function other(call: Call): Outcome {
  const [what, ...rest] = call.args
  if (what && /^(?:l|t|-t|tv|--list|-l)$/u.test(what.text)) return join(allow('guard.reads'), touchAll(call, rest.filter((arg) => !arg.text.startsWith('-')), 'read'))
  return join(ask('guard.extracts', { program: call.program }, true), touchAll(call, rest.filter((arg) => !arg.text.startsWith('-')), 'read'))
}

/** `cpio` and its kind: what is packed comes in by name. */
function packsNames(call: Call): Outcome {
  const isPacking = call.args.some((arg) => /^-\w*[ow]|^--create$|^-\w*p|^--pass-through$/u.test(arg.text))
  return join(ask('guard.extracts', { program: call.program }, true), isPacking ? touchAll(call, namesFromInput(call), 'read-tree') : nothing, touchAll(call, call.args.filter((arg) => /^[~/.]/u.test(arg.text)), 'read'))
}

/** Programs for archives. */
export const archivePrograms: ProgramTable = {
  tar, gtar: tar, bsdtar: tar, zip, unzip, '7z': other, '7za': other, '7zz': other, rar: other, unrar: other, ar: other,
  cpio: packsNames, pax: packsNames, afio: packsNames,
}
