import { said } from '../../../../shared/domain/result'
import { plainArg, type Call, type Judge, type Outcome, type ProgramTable } from '../shell/call'
import { ANY, hasMark, hasUnknown } from '../shell/marks'
import { allow, ask, join, withOutput } from '../shell/outcomes'
import { judgeOptions, optionTable, readOptions } from './options'
import { someBelow } from './find'
import { decodeBase64, decodeHex } from './decode'
import { judgeReader, reader } from './reader'

const grep = reader(
  `-EFGPivwxycHhLlnoqsbTUZzarRIu0 -e= -f=r -m= -A= -B= -C= -d= -D= --extended-regexp --fixed-strings --basic-regexp --perl-regexp --regexp= --file=r
    --ignore-case --no-ignore-case --invert-match --word-regexp --line-regexp --count --color? --colour? --files-without-match --files-with-matches
    --max-count= --only-matching --quiet --silent --no-messages --byte-offset --with-filename --no-filename --label= --line-number --initial-tab --null
    --after-context= --before-context= --context= --text --binary-files= --devices= --directories= --exclude= --exclude-from=r --exclude-dir= --include=
    --recursive --dereference-recursive --line-buffered --binary --null-data`,
  'pattern-trees', ['-e', '-f', '--regexp', '--file'],
)
const rg = reader(
  `-abcFhHilLnNopPqsSuUvVwxz0.I -A= -B= -C= -d= -e= -E= -f=r -g= -j= -m= -M= -r= -t= -T= --after-context= --before-context= --context=
    --auto-hybrid-regex --binary --no-binary --block-buffered --byte-offset --case-sensitive --color= --colors= --column --no-column --context-separator=
    --count --count-matches --crlf --debug --dfa-size-limit= --encoding= --engine= --field-context-separator= --field-match-separator= --file=r --files
    --files-with-matches --files-without-match --fixed-strings --follow --glob= --glob-case-insensitive --heading --no-heading --hidden --no-hidden
    --iglob= --ignore-case --ignore-file=r --include-zero --invert-match --json --line-buffered --line-number --no-line-number --line-regexp
    --max-columns= --max-columns-preview --max-count= --max-depth= --maxdepth= --max-filesize= --mmap --no-mmap --multiline --multiline-dotall --no-config
    --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-messages --no-ignore-parent --no-ignore-vcs
    --no-messages --no-unicode --null --null-data --one-file-system --only-matching --path-separator= --passthru --pcre2 --pcre2-version --pretty --quiet
    --regexp= --regex-size-limit= --replace= --search-zip --smart-case --sort= --sortr= --stats --stop-on-nonmatch --text --threads= --trace --trim
    --type= --type-not= --type-list --type-add= --unrestricted --version --vimgrep --with-filename --no-filename --word-regexp --hyperlink-format= --pre=x
    --pre-glob= --hostname-bin=x`,
  'pattern-trees', ['-e', '-f', '--regexp', '--file', '--files', '--type-list'],
)
const sort = reader(
  `-bdfgiMhnRrVcCmsuz -k= -t= -S= -o=w -T=w --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting
    --month-sort --human-numeric-sort --numeric-sort --random-sort --random-source=r --reverse --sort= --version-sort --batch-size= --check?
    --compress-program=x --debug --files0-from=r --key= --merge --output=w --stable --buffer-size= --field-separator= --temporary-directory=w --parallel=
    --unique --zero-terminated`,
  'paths',
)
const diff = reader(
  `-qsurNaBbEiwyTtdHlpceX -U= -C= -L= -x= -W= -I= -D= -F= -S= --brief --report-identical-files --unified? --context? --recursive --new-file --text
    --ignore-blank-lines --ignore-space-change --ignore-all-space --ignore-trailing-space --ignore-case --ignore-file-name-case --ignore-tab-expansion
    --strip-trailing-cr --side-by-side --width= --color? --label= --exclude= --exclude-from=r --show-c-function --show-function-line= --speed-large-files
    --minimal --no-dereference --suppress-common-lines --left-column --expand-tabs --normal --ed --from-file=r --to-file=r --ignore-matching-lines=
    --horizon-lines= --tabsize= --palette=`,
  'trees',
)

const ls = reader(`-aAbBcCdDfFgGhHiIklLmnNopqQrRsStTuUvwxXZ1 -I= -T= -w= --all --almost-all --author --escape --block-size= --ignore-backups --color? --colour?
  --directory --dired --classify? --file-type --format= --full-time --group-directories-first --no-group --human-readable --si
  --dereference-command-line --dereference --hide= --hyperlink? --indicator-style= --inode --ignore= --kibibytes --numeric-uid-gid --literal
  --hide-control-chars --show-control-chars --quote-name --quoting-style= --reverse --recursive --size --sort= --time= --time-style= --tabsize= --width=
  --context --zero`, 'folders')

const fd = reader(`-HIuUsiFapLl1qg0 -t= -e= -E= -d= -S= -c= -j= -x=x -X=x -o= --hidden --no-ignore --unrestricted --case-sensitive --ignore-case --glob --regex
  --fixed-strings --absolute-path --list-details --follow --full-path --print0 --max-depth= --min-depth= --exact-depth= --exclude= --prune --type=
  --extension= --size= --changed-within= --changed-before= --owner= --exec=x --exec-batch=x --batch-size= --ignore-file=r --color= --threads=
  --max-results= --quiet --show-errors --base-directory=d --path-separator= --search-path=d --strip-cwd-prefix? --one-file-system --and= --format=`, 'pattern')

/** `fd -x command`: the command runs for what is found, below the folders that are searched. */
function finds(call: Call): Outcome {
  const at = call.args.findIndex((arg) => /^(?:-x|-X|--exec|--exec-batch)$/u.test(arg.text))
  if (at < 0) return fd(call)
  const inner = call.args.slice(at + 1).filter((arg) => arg.text !== ';')
  const roots = call.args.slice(0, at).filter((arg) => !arg.text.startsWith('-')).slice(1)
  const isNamed = inner.some((arg) => arg.text.includes('{}'))
  const ran = (roots.length > 0 ? roots : [plainArg('.')]).map((root) => {
    const found = someBelow(call, root)
    return call.runArgs(isNamed ? inner.map((arg) => ({ ...arg, text: arg.text.replaceAll('{}', found.text) })) : [...inner, found], { fit: 'wrapped' })
  })
  return join(ask('guard.option-runs', { program: call.program, option: call.args[at]?.text ?? '' }), fd({ ...call, args: call.args.slice(0, at) }), ...ran)
}

/** `uniq IN OUT` and `xxd IN OUT` write their second operand. */
function writesSecond(options: string): Judge {
  const table = optionTable(options)
  return (call) => {
    const given = readOptions(call.args, table)
    if (given.operands.length < 2) return judgeReader(call, given, 'paths')
    return ask('guard.option', { program: call.program, option: given.operands[1]?.shown ?? '' })
  }
}

/** What other programs of the machine do is no fact of the project: a person or a rule decides. */
function machine(judge: Judge): Judge {
  return (call) => {
    const found = judge(call)
    return found.kind === 'allowable' ? { ...found, reason: said('guard.reads-machine', { program: call.program }) } : found
  }
}

/** Programs that print one fact; options that would change it ask. */
function fact(options: string): Judge {
  const table = optionTable(options)
  return (call) => {
    const given = readOptions(call.args, table)
    const changes = given.operands.length > 0 ? ask('guard.unknown-option', { program: call.program, option: given.operands[0]?.shown ?? '' }) : allow('guard.reads')
    return withOutput(join(changes, judgeOptions(call, given)), { pattern: ANY })
  }
}

const dateOptions = optionTable('-uRI -d= -f=r -r= -I? -j -v= --date= --debug --file=r --iso-8601? --rfc-email --rfc-3339= --reference=r --utc --universal --resolution -s! --set=!')

/** `date` prints; an operand that is no format sets the clock. */
function date(call: Call): Outcome {
  const given = readOptions(call.args, dateOptions)
  const setsClock = given.operands.some((operand) => !operand.text.startsWith('+'))
  const found = join(setsClock ? ask('guard.unknown-option', { program: 'date', option: given.operands[0]?.shown ?? '' }) : allow('guard.reads'), judgeOptions(call, given))
  const isName = !call.args.some((arg) => /[/\uFDD0]/u.test(arg.text)) && call.args.length > 0
  return withOutput(found, isName ? { pattern: ANY } : {})
}

const psOptions = optionTable(`-AaCdefFGgHjlLMmNnOopPqrsStTuUVwxyZc0 -o= -C= -p= -u= -U= -G= -g= -t= -O= --pid= --ppid= --user= --sort= --format= --forest --headers --no-headers
  --width= --deselect --cols= --columns= --rows= --lines=`)

/** `ps`; the BSD letter `e` and `-E` print environments. */
function ps(call: Call): Outcome {
  const words = call.args.map((arg) => arg.text)
  const bsd = words.filter((word) => /^[A-Za-z]+$/u.test(word))
  if (bsd.some((word) => word.includes('e')) || words.some((word) => /^-\w*E/u.test(word) || word.includes('environ'))) return ask('guard.environment-dump')
  const given = readOptions(call.args, psOptions)
  return join(allow('guard.reads'), judgeOptions(call, given))
}

/** Readers that pass on what they read: when that is known, what they print is too. */
function turning(judge: Judge, turn: (text: string, call: Call) => string | null): Judge {
  return (call) => {
    const found = judge(call)
    const isPassing = call.args.every((arg) => arg.text.startsWith('-')) && call.stdin.text !== null
    return isPassing ? withOutput(found, { text: turn(call.stdin.text ?? '', call) }) : found
  }
}

const hashes = '-abctuwz0 -a= --algorithm= --binary --check --tag --text --zero --ignore-missing --quiet --status --strict --warn --length='
const lengthOf = (judge: Judge): Judge => (call) => withOutput(judge(call), { pattern: ANY })
const base64 = reader('-dDi -w= -b= -i=r --decode --ignore-garbage --wrap=', 'paths')

/** Filters pass on names of files as they are: some of them, or in another order. */
function filtering(judge: Judge): Judge {
  return (call) => {
    const found = judge(call)
    return call.stdin.paths.length > 0 && found.output.text === null ? withOutput(found, { paths: call.stdin.paths }) : found
  }
}

/** As `dirname` prints it. */
function folderOf(path: string): string {
  const whole = path.replace(/(?<=.)\/+$/u, '')
  const at = whole.lastIndexOf('/')
  return at < 0 ? '.' : whole.slice(0, at).replace(/\/+$/u, '') || '/'
}

/** `dirname` and `basename` of one known path print a known part of it. */
function partOfName(judge: Judge, cut: (path: string) => string): Judge {
  return (call) => {
    const [path, ...others] = call.args
    return path && others.length === 0 && !path.text.startsWith('-') && !hasMark(path.text) ? withOutput(judge(call), { text: `${cut(path.text)}\n` }) : judge(call)
  }
}

/** `ls` without a long form prints names of files, which hold no slash. */
function listing(judge: Judge): Judge {
  return (call) => {
    const isNames = call.args.every((arg) => /^-[1tSrUcX]+$/u.test(arg.text) || (/^[\w./-]+$/u.test(arg.text) && !arg.text.startsWith('-') && /(?:^|\/)[^.]*$/u.test(arg.text)))
    // With `-d` it prints its operands as they are.
    const operands = call.args.filter((arg) => !arg.text.startsWith('-')).map((arg) => arg.text)
    const isWhole = operands.length > 0 && call.args.some((arg) => /^-[1tSrUcXAa]*d[1tSrUcXAa]*$/u.test(arg.text)) && !operands.some(hasUnknown)
    if (isWhole) return withOutput(judge(call), { paths: operands })
    return isNames ? withOutput(judge(call), { pattern: ANY }) : judge(call)
  }
}

/** Searching programs that are told to print the names of files. */
function naming(judge: Judge, options: RegExp): Judge {
  return (call) => {
    const found = judge(call)
    return call.args.some((arg) => options.test(arg.text)) && found.kind === 'allowable' ? withOutput(found, { paths: [`./${ANY}`] }) : found
  }
}

/** Programs that only read files or facts, each with all its options. */
export const readers: ProgramTable = {
  grep: filtering(naming(grep, /^-\w*[lL]|^--files-with/u)), egrep: grep, fgrep: grep, zgrep: grep, rg: filtering(naming(rg, /^-\w*l|^--files/u)), sort: filtering(sort),
  diff, ls: listing(ls), ps: machine(ps), date,
  dir: ls, vdir: ls,
  cat: turning(reader('-AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting', 'paths'), (text) => text),
  bat: reader(`-pPAnS -l= -H= -r= --language= --style= --plain --paging= --color= --line-range= --highlight-line= --theme= --wrap= --number --decorations=
    --list-languages --list-themes --tabs= --show-all --terminal-width= --file-name= --italic-text=`, 'paths'),
  head: filtering(reader('-qvz0 -n= -c= --lines= --bytes= --quiet --silent --verbose --zero-terminated', 'paths')),
  tail: filtering(reader('-fFqvrz0 -n= -c= -s= --follow? --retry --lines= --bytes= --quiet --silent --verbose --sleep-interval= --pid= --max-unchanged-stats= --zero-terminated', 'paths')),
  wc: lengthOf(reader('-clmLw --bytes --chars --lines --max-line-length --words --total= --files0-from=r', 'paths')),
  nl: reader('-p -b= -d= -f= -h= -i= -l= -n= -s= -v= -w= --body-numbering= --number-format= --number-width= --starting-line-number= --number-separator=', 'paths'),
  tac: reader('-br -s= --before --regex --separator=', 'paths'),
  rev: turning(reader('', 'paths'), (text) => text.split('\n').map((line) => [...line].reverse().join('')).join('\n')),
  cut: reader('-ns -b= -c= -d= -f= --bytes= --characters= --delimiter= --fields= --complement --only-delimited --output-delimiter=', 'paths'),
  tr: reader('-cCdst --complement --delete --squeeze-repeats --truncate-set1', 'text'),
  paste: reader('-sz -d= --delimiters= --serial', 'paths'),
  join: reader('-iz -a= -e= -j= -o= -t= -v= -0 --ignore-case --header --check-order --nocheck-order', 'paths'),
  comm: reader('-0z --check-order --nocheck-order --output-delimiter= --total', 'paths'),
  column: reader('-txenJLs -s= -o= -N= -R= -c= -H= -T= -W= --table --separator= --output-separator= --json --table-columns= --table-right= --output-width=', 'paths'),
  fold: reader('-bs -w= --bytes --spaces --width=', 'paths'),
  fmt: reader('-cstu0 -w= -p= -g= --width=', 'paths'),
  pr: reader('-0adFfhJlmnrtTvw -h= -l= -n? -w=', 'paths'),
  expand: reader('-i -t= --initial --tabs=', 'paths'),
  unexpand: reader('-a -t= --all --tabs=', 'paths'),
  uniq: writesSecond('-cdDiuz0 -f= -s= -w= --count --repeated --all-repeated? --ignore-case --unique --skip-fields= --skip-chars= --check-chars= --group? --zero-terminated'),
  xxd: turning(writesSecond('-abeEipudCr -c= -g= -l= -o= -s= -n='), (text, call) => (call.args.some((arg) => arg.text.includes('r')) && call.args.some((arg) => arg.text.includes('p')) ? decodeHex(text) : null)),
  cmp: reader('-bls -i= -n= --print-bytes --verbose --silent --quiet --ignore-initial= --bytes=', 'paths'),
  diff3: reader('-AaEeimTxX3 --show-all --merge --text', 'paths'),
  colordiff: diff,
  od: reader('-abcdDfhHiIlLoOsvxX -A= -j= -N= -t= -w= -S= --address-radix= --format= --skip-bytes= --read-bytes= --width?', 'paths'),
  hexdump: reader('-bcCdovx -e= -n= -s= -f=r', 'paths'),
  hd: reader('-bcCdovx -e= -n= -s=', 'paths'),
  strings: reader('-afw -n= -t= -e= -T= -0 --all --bytes= --radix= --encoding= --print-file-name', 'paths'),
  md5sum: reader(hashes, 'paths'), sha1sum: reader(hashes, 'paths'), sha224sum: reader(hashes, 'paths'), sha256sum: reader(hashes, 'paths'),
  sha384sum: reader(hashes, 'paths'),
  sha512sum: reader(hashes, 'paths'), b2sum: reader(hashes, 'paths'), cksum: reader(hashes, 'paths'), shasum: reader(hashes, 'paths'), md5: reader('-qr -s=', 'paths'),
  sum: reader('-rs', 'paths'),
  base64: turning(base64, (text, call) => (call.args.some((arg) => /^(?:-\w*[dD]|--decode)$/u.test(arg.text)) ? decodeBase64(text) : null)), base32: base64,
  basenc: base64,
  iconv: reader('-clst -f= -t= --from-code= --to-code= --list -o=w --output=w', 'paths'),
  file: reader('-bchiklLnNprsSvzZ0 -f=r -F= -m=r -e= -P= --brief --mime --mime-type --mime-encoding --dereference --no-dereference --keep-going --separator= --extension --files-from=r', 'folders'),
  stat: reader('-LftxqnrsF -c= -f= -t? --dereference --file-system --format= --printf= --terse', 'folders'),
  du: reader(`-0abcDhHklLmPsSxX -B= -d= -t= --all --apparent-size --block-size= --bytes --total --dereference --max-depth= --human-readable --summarize --si
    --separate-dirs --exclude= --exclude-from=r --one-file-system --threshold= --time? --inodes`, 'folders'),
  df: reader(`-aBhHiklmPTtvx -B= -t= -x= --all --block-size= --human-readable --si --inodes --local --output? --portability --print-type --total --type=
    --exclude-type= --sync --no-sync`, 'folders'),
  tree: reader(`-adflxpsDhugFtrUvCAnSicJXQNqIP0 -L= -P= -I= -H= -T= -o=w --dirsfirst --filesfirst --noreport --prune --charset= --filelimit= --matchdirs --gitignore
    --gitfile=r --info --inodes --du --si --sort= --timefmt= --metafirst --ignore-case`, 'folders'),
  fd: finds, fdfind: finds, exa: reader('-1lGxRTFaAdrhiHmuUgSbB0 -L= -s= -I= -t= --long --all --tree --level= --git --icons? --sort= --color= --header --group-directories-first --no-user --no-time', 'folders'), eza: reader(`-1lGxRTFaAdrhiHmuUgSbBD0 -L= -s= -I= -t= --long --all --tree --level= --git --icons? --sort= --color? --header --group-directories-first --no-user
    --no-time --no-permissions --no-filesize --only-dirs --git-ignore`, 'folders'),
  realpath: reader('-eEmLPqsz --canonicalize-existing --canonicalize-missing --logical --physical --quiet --relative-to= --relative-base= --no-symlinks --zero', 'folders'),
  readlink: reader('-femnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent', 'folders'),
  basename: partOfName(reader('-azs -s= --multiple --suffix= --zero', 'text'), (path) => path.replace(/(?<=.)\/+$/u, '').replace(/^.*\/(?=.)/su, '')),
  dirname: partOfName(reader('-z --zero', 'text'), folderOf),
  jq,
  xmllint: reader('--format --noout --xpath= --valid --html --nonet --encode= --recover --pretty=', 'paths'),
  look: reader('-adft', 'pattern'),
  nm: reader('-AaBCDgnopPrSsuvV --demangle? --dynamic --extern-only --undefined-only --defined-only --print-size', 'paths'),
  objdump: reader('-aCdDeEfFghHlpPrRsStTVwxzZ -b= -j= -m= -M= --disassemble? --demangle? --syms --section= --source --section-headers', 'paths'),
  readelf: reader('-aAcdDehilnpPrRsSuVWx -x= -p= --all --headers --symbols --dynamic --sections --segments --notes --wide --dyn-syms', 'paths'),
  size: reader('-ABdotGx --format= --totals', 'paths'),
  zcat: reader('-fklqrv --force', 'paths'), gzcat: reader('-f', 'paths'), bzcat: reader('-s', 'paths'), xzcat: reader('-q', 'paths'), zstdcat: reader('-q', 'paths'),
  zless: reader('', 'paths'), zipinfo: reader('-0lmstvzhMT', 'paths'),
  cloc: reader('-v -- --by-file --json --csv --yaml --md --quiet --vcs= --exclude-dir= --include-lang= --exclude-lang= --not-match-f= --match-f=', 'folders'),
  tokei: reader('-fClso -e= -t= -s= -o= --files --exclude= --sort= --output= --type= --hidden', 'folders'),
  which: reader('-as --all --skip-alias --skip-functions', 'text'), whereis: reader('-bmsu', 'text'), whatis: reader('-rwl', 'text'), apropos: reader('-ear', 'text'),
  pgrep: machine(reader('-aclfinovxLw -d= -g= -G= -P= -s= -t= -u= -U= --list-name --list-full --full --count --newest --oldest --parent= --euid= --exact', 'text')),
  lsof: machine(reader('-aCblnNoOPRtUVw0 -c= -d= -i? -p= -u= -s? -g? +D= +d=', 'text')),
  ss: machine(reader('-aeHilmnoOprstuwxzZ46 -f= -A= --all --listening --numeric --processes --tcp --udp --summary', 'text')),
  netstat: machine(reader('-aceilmnoprstuvw46', 'text')),
  uname: fact('-amnrsvpio --all --kernel-name --nodename --kernel-release --machine --operating-system --processor --kernel-version'),
  arch: fact(''), nproc: fact('--all --ignore='), whoami: fact(''), logname: fact(''), tty: fact('-s'), uptime: fact('-ps --pretty --since'),
  hostname: fact('-sfdiIA --short --fqdn --all-ip-addresses'),
  free: fact('-bkmghtwlv -c= -s= --human --mega --giga --total --wide'), lscpu: fact('-aebcJpxy -e? -p? --json --parse?'),
  lsblk: fact('-abdfiJlmnOpPrstSTxz -o= -e= -I= -x= --json --output= --fs --bytes'), vmstat: fact('-adfmnstwS0'),
  sw_vers: fact('-productVersion'), lsb_release: fact('-acdirs --all --codename --description --id --release --short'), getconf: reader('-av', 'text'),
  id: reader('-Ggnruz --group --groups --name --real --user', 'text'), groups: reader('', 'text'), locale: reader('-ackm -a -m', 'text'),
  cal: reader('-13jmswyYhN -A= -B=', 'text'), ncal: reader('-13jmwyhN', 'text'),
  seq: lengthOf(reader('-w -f= -s= --equal-width --format= --separator=', 'text')), expr: lengthOf(reader('', 'text')), factor: reader('', 'text'),
  numfmt: reader('-z -d= --to= --from= --suffix= --grouping --field= --format= --header? --padding= --round= --delimiter=', 'text'),
  yes: reader('', 'text'), sleep: reader('', 'text'), clear: reader('-x', 'text'), tput: reader('-T=', 'text'), reset: reader('-q', 'text'), stty: fact('-a --all'),
  sync: fact(''), lsmod: fact(''), lspci: fact('-vknmt'), lsusb: fact('-vt'), dmesg: ask.bind(null, 'guard.outside-read', { path: 'dmesg' }, true), ifconfig: fact('-as'),
  top: machine(fact('-bciHSs -n= -d= -p= -u= -o= -l=')), yq,
  more: reader('-dfceulps0 -n= --lines= --squeeze', 'paths'),
  ag: reader(`-aciflLnoQsSuUvwz0 -A= -B= -C= -G= -g= -m= -W= -p=r --all-text --count --files-with-matches --files-without-matches --ignore= --ignore-dir= --ignore-case --literal --hidden --depth=
    --color --nocolor --group --nogroup --numbers --nonumbers --column --only-matching --smart-case --case-sensitive --word-regexp --vimgrep --stats --silent --max-count=
    --file-search-regex= --after? --before? --context? --pager=x`, 'pattern-trees'),
  scc: reader('-cwv -f= -i= -M= -s= --by-file --format= --include-ext= --exclude-dir= --sort= --no-complexity --no-cocomo --wide', 'folders'),
  uuidgen: reader('-rtmsx -n= -N= --random --time', 'text'), mdls: reader('-raw -name=', 'paths'), csvlook: reader('-d= -e= -l -H', 'paths'), csvcut: reader('-nx -c= -C= -d= -e= -H', 'paths'),
  csvstat: reader('-d= -c= -e= -H', 'paths'), csvgrep: reader('-ari -c= -m= -d= -e= -H', 'paths'), xsv: reader('-n -d= -s= -l= --delimiter= --no-headers --select= --limit=', 'text'),
  pdfinfo: reader('-f= -l= -box -meta', 'paths'), zdiff: diff, bzgrep: grep, xzgrep: grep, tldr: reader('', 'text'), help: reader('-dms', 'text'), sdiff: reader('-sliabBWEt -w= --suppress-common-lines --width=', 'paths'),
  man: man, less: less, info: reader('-awk -n= --where', 'text'), ldd: ldd,
}

const lessOptions = optionTable(`-aAcCdDeEfFgGiIjJKLmMnNqQrRsSuUVwWxX0 -b= -h= -j= -p= -P= -x= -y= -z= -o=w -O=w -k=! -t=! -T=! --chop-long-lines --line-numbers --LINE-NUMBERS
  --no-init --quit-if-one-screen --quit-at-eof --RAW-CONTROL-CHARS --raw-control-chars --squeeze-blank-lines --ignore-case --IGNORE-CASE --pattern=
  --tabs= --prompt= --log-file=w --LOG-FILE=w --lesskey-file=! --lesskey-src=! --use-color --mouse --follow-name`)

/** `less`; a start-up command (`+!id`) could run anything. */
function less(call: Call): Outcome {
  const given = readOptions(call.args, lessOptions)
  const starts = given.operands.filter((operand) => operand.text.startsWith('+') && !/^\+(?:\d+|[GF]|\/.*)$/u.test(operand.text))
  const runs = starts.flatMap((start) => (/^\+\s*!/u.test(start.text) ? [call.runText(start.text.replace(/^\+\s*!/u, ''))] : []))
  if (starts.length > 0) return join(ask('guard.option-runs', { program: call.program, option: starts[0]?.shown ?? '' }), ...runs)
  return judgeReader(call, { ...given, operands: given.operands.filter((operand) => !operand.text.startsWith('+')) }, 'paths')
}

const manOptions = optionTable(`-adfkwWtTuZcD0 -e= -l=r -L= -M=! -m=! -P=x -r=! -p=! -S= -s= -R= -E= -C=! -H?! -B=! -X?! -K --all --apropos --whatis --where --path --locale=
  --manpath=! --pager=x --prompt=! --preprocessor=! --sections= --config-file=! --html?! --gxditview?! --global-apropos --regex --wildcard --names-only
  --no-hyphenation --no-justification`)

/** `man`: pagers, preprocessors and other viewers are programs. */
function man(call: Call): Outcome {
  const given = readOptions(call.args, manOptions)
  const isFile = given.operands.some((operand) => operand.text.includes('/'))
  return judgeReader(call, given, isFile ? 'paths' : 'text')
}

const readJson = reader(`-cnrRjaSCMseh -f=r -L=d --compact-output --null-input --raw-output --raw-input --join-output --raw-output0 --ascii-output --sort-keys --color-output
  --monochrome-output --slurp --exit-status --tab --indent= --arg= --argjson= --seq --stream --from-file=r`, 'pattern', ['-f', '--from-file'])

const readYaml = reader(`-cnrjePMNsCI0 -o= -p= -i! --inplace! --output-format= --input-format= --raw-output --exit-status --null-input --prettyPrint --no-colors --indent=
  --yaml-output --compact-output`, 'pattern')

/** `yq`; its operators read files and the environment. */
function yq(call: Call): Outcome {
  const isReaching = call.args.some((arg) => /\b(?:env|strenv|envsubst|load\w*|eval|system)\b/u.test(arg.text) && !/^[\w./-]+$/u.test(arg.text))
  return isReaching ? join(ask('guard.environment-dump'), readYaml(call)) : readYaml(call)
}

/** `jq`; its filters can read the environment. */
function jq(call: Call): Outcome {
  const seesEnvironment = call.args.some((arg) => /(?:^|[^.\w"])env(?:\W|$)|\$ENV|\$__prog/u.test(arg.text))
  return join(seesEnvironment ? ask('guard.environment-dump') : readJson(call), readJson(call))
}

/** `ldd` may run the program that it looks at. */
function ldd(call: Call): Outcome {
  return ask('guard.option-runs', { program: call.program, option: call.args[0]?.shown ?? '' })
}
