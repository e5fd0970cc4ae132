/** Options shared by the commands of git that show differences; what would run a program or write a file asks. */
const diffOptions =
  `-pusbwWBCDMRaz0 -U= -S= -G= -O=r -l= -X? -M? -C? -B? --patch --no-patch --unified= --raw --patch-with-raw --minimal --patience --histogram
    --diff-algorithm= --anchored= --stat? --compact-summary --numstat --shortstat --dirstat? --cumulative --summary --patch-with-stat --name-only
    --name-status --submodule? --color? --no-color --color-moved? --no-color-moved --color-moved-ws= --word-diff? --word-diff-regex= --color-words?
    --no-renames --rename-empty --no-rename-empty --check --ws-error-highlight= --full-index --binary --abbrev? --break-rewrites? --find-renames?
    --find-copies? --find-copies-harder --irreversible-delete --diff-filter= --pickaxe-all --pickaxe-regex --relative? --no-relative --text
    --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines= --inter-hunk-context=
    --function-context --exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules? --src-prefix= --dst-prefix= --no-prefix --default-prefix
    --line-prefix= --ita-invisible-in-index --cached --staged --merge-base --no-index --diff-merges= --no-diff-merges --cc --combined-all-paths -c
    --skip-to= --rotate-to= --output=w --ext-diff! --textconv! --orderfile=r`

const logOptions =
  `${diffOptions} -nigEFPLqhr0 -n= -L= -m -t --oneline --graph --decorate? --no-decorate --all --branches? --tags? --remotes? --glob= --exclude= --not
   --since= --after= --until= --before= --since-as-filter= --author= --committer= --grep= --grep-reflog= --all-match --invert-grep --regexp-ignore-case
   --basic-regexp --extended-regexp --fixed-strings --perl-regexp --remove-empty --merges --no-merges --min-parents= --max-parents= --first-parent
   --max-count= --skip= --max-age= --min-age= --follow --full-diff --log-size --simplify-by-decoration --full-history --dense --sparse --simplify-merges
   --ancestry-path? --show-pulls --boundary --walk-reflogs --reflog --left-right --left-only --right-only --cherry --cherry-mark --cherry-pick
   --date-order --author-date-order --topo-order --reverse --no-walk? --pretty? --format= --abbrev-commit --no-abbrev-commit --no-abbrev --encoding=
   --expand-tabs? --notes? --no-notes --show-notes? --date= --relative-date --parents --children --source --mailmap --use-mailmap --no-mailmap
   --clear-decorations --decorate-refs= --decorate-refs-exclude= --no-color --bisect --show-signature! --stdin! --no-expand-tabs --numbered --summary
   --email --group= --count --objects --disk-usage --timestamp --unpacked`

/** What a reading command of git needs: its options, and how its operands are to be seen. */
export interface GitReader {
  readonly options: string
  /** True when operands would change something, as in `git branch NAME`. */
  readonly isListOnly?: boolean
  /** True when operands are revisions and paths that only select. */
  readonly selects?: boolean
}

/** Commands of git that only read, with all the options that keep them so. */
export const gitReaders: Readonly<Record<string, GitReader>> = {
  status: { options: `-suvbzM -u? --short --branch --show-stash --porcelain? --long --verbose --untracked-files? --ignore-submodules? --ignored? --column? --no-column
    --ahead-behind --no-ahead-behind --renames --no-renames --find-renames?`, selects: true },
  diff: { options: diffOptions, selects: true },
  log: { options: logOptions, selects: true },
  show: { options: logOptions, selects: true },
  whatchanged: { options: logOptions, selects: true },
  shortlog: { options: `${logOptions} -ens`, selects: true },
  'rev-list': { options: logOptions, selects: true },
  reflog: { options: logOptions, selects: true },
  'rev-parse': { options: `-q --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --git-path= --is-inside-work-tree --is-inside-git-dir
    --is-bare-repository --is-shallow-repository --abbrev-ref? --short? --verify --symbolic --symbolic-full-name --quiet --revs-only --no-revs --flags
    --no-flags --all --branches? --tags? --remotes? --sq --sq-quote --disambiguate= --since= --until= --default= --show-superproject-working-tree
    --show-object-format? --show-ref-format --path-format= --local-env-vars`, selects: true },
  'ls-files': { options: `-zcdmosiukfvt0 -x= -X=r --cached --deleted --modified --others --ignored --stage --unmerged --killed --directory --no-empty-directory --eol --exclude=
    --exclude-from=r --exclude-per-directory= --exclude-standard --error-unmatch --with-tree= --full-name --recurse-submodules --abbrev? --debug
    --deduplicate --format= --resolve-undo`, selects: true },
  'ls-tree': { options: '-drtlz --long --name-only --name-status --object-only --full-name --full-tree --abbrev? --format=', selects: true },
  'cat-file': { options: '-tsep --batch? --batch-check? --batch-all-objects --buffer --unordered --allow-unknown-type --follow-symlinks', selects: true },
  blame: { options: `-lstfnwpecbM -L= -S=r -C? -M? --abbrev= --date= --since= --line-porcelain --porcelain --incremental --root --show-stats --score-debug --show-name
    --show-number --show-email --color-lines --color-by-age --ignore-rev= --ignore-revs-file=r --first-parent --reverse --encoding= --contents=r`, selects: true },
  annotate: { options: '-lstfnw -L=', selects: true },
  describe: { options: '--all --tags --contains --abbrev= --candidates= --exact-match --debug --long --match= --exclude= --always --first-parent --dirty? --broken?', selects: true },
  grep: { options: `-aIivwhHEGPFnlLzocpWq0 -A= -B= -C= -e= -f=r -m= --cached --untracked --no-index --recurse-submodules --text --ignore-case --invert-match --word-regexp
    --max-depth= --recursive --no-recursive --full-name --extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number --column
    --files-with-matches --name-only --files-without-match --null --only-matching --count --color? --no-color --break --heading --show-function --context=
    --after-context= --before-context= --function-context --threads= --and --or --not --all-match --quiet --max-count= --exclude-standard
    --no-exclude-standard --textconv! --open-files-in-pager?x -O?x --no-textconv`, selects: true },
  'merge-base': { options: '-a --all --octopus --independent --is-ancestor --fork-point', selects: true },
  'name-rev': { options: '--tags --refs= --exclude= --all --name-only --no-undefined --always', selects: true },
  'for-each-ref': { options: `-spq --count= --sort= --format= --points-at= --merged? --no-merged? --contains? --no-contains? --ignore-case --shell --perl --python --tcl --color?
    --exclude= --include-root-refs`, selects: true },
  'show-ref': { options: '-dsq --head --tags --heads --branches --dereference --hash? --verify --abbrev? --quiet --exists', selects: true },
  'show-branch': { options: '-ar --all --remotes --current --topo-order --list --sha1-name --no-name --sparse', selects: true },
  cherry: { options: '-v --abbrev?', selects: true },
  'range-diff': { options: `${diffOptions} --creation-factor= --no-dual-color --left-only --right-only`, selects: true },
  'count-objects': { options: '-vH --verbose --human-readable', selects: true },
  'check-ignore': { options: '-qvzn --quiet --verbose --non-matching --no-index --stdin', selects: true },
  'check-attr': { options: '-az --all --cached --source= --stdin', selects: true },
  'check-ref-format': { options: '--branch --allow-onelevel --normalize', selects: true },
  'diff-tree': { options: `${diffOptions} -r -t -m -s -v --root --stdin --no-commit-id --always --pretty? --merge-base --combined-all-paths`, selects: true },
  'diff-index': { options: `${diffOptions} -m`, selects: true },
  'diff-files': { options: `${diffOptions} -0123q`, selects: true },
  'verify-pack': { options: '-vs --verbose --stat-only', selects: true },
  'symbolic-ref': { options: '-q --short --quiet', isListOnly: false },
  var: { options: '-l' },
  version: { options: '--build-options' },
  fsck: { options: '--no-dangling --dangling --unreachable --full --strict --connectivity-only --root --tags --cache --no-reflogs --verbose --name-objects --progress --no-progress', selects: true },
  'interpret-trailers': { options: '--parse --only-trailers --only-input --unfold --where= --if-exists= --if-missing=', selects: true },
  stripspace: { options: '-sc --strip-comments --comment-lines' },
  'merge-tree': { options: '-z --write-tree --trivial-merge --name-only --messages --no-messages --merge-base= --allow-unrelated-histories', selects: true },
}

/** Listing options of commands that otherwise change things. */
export const gitListings: Readonly<Record<string, string>> = {
  branch: `-arvlq0 --all --remotes --list --verbose --show-current --contains? --no-contains? --merged? --no-merged? --sort= --format= --points-at= --color?
    --no-color --column? --no-column --abbrev? --no-abbrev --ignore-case --omit-empty`,
  tag: '-ln? -n? -l --list --sort= --format= --contains? --no-contains? --merged? --no-merged? --points-at= --column? --no-column --color? --ignore-case -v! --verify!',
  remote: '-v --verbose',
}
