import { expect, test } from 'vitest'
import { programsOf } from '../../../../src/main/core/policy/commandPrograms'

const rows: readonly (readonly [command: string, programs: readonly string[] | null])[] = [
  ['', []],
  ['# only a word', []],
  ['git status', ['git']],
  ['git status && npm test | grep x; ls &', ['git', 'grep', 'ls', 'npm']],
  ['git log\nrm y', ['git', 'rm']],
  ['X=1 git a', ['git']],
  ['"git" x; \\git y; g\'\'it z', ['git']],
  ['./git x; /tmp/git y', ['./git', '/tmp/git']],
  ['echo $(rm -rf x) `id`', ['echo', 'id', 'rm']],
  ['X=$(id); Y=(a $(ls))', ['id', 'ls']],
  ['git <(rm x) > $(whoami)', ['git', 'rm', 'whoami']],
  ['echo "$((1+$(id)))"; ((a[$(ls)]))', ['echo', 'id', 'ls']],
  ['a=${b:-$(id)} git', ['git', 'id']],
  ['f() { rm x; }; f', ['f', 'rm']],
  ['if true; then git x; elif ls; then rm; fi', ['git', 'ls', 'rm', 'true']],
  ['for i in $(ls); do git $i; done', ['git', 'ls']],
  ['case $(id) in a) rm;; esac', ['id', 'rm']],
  ['[[ -n $(id) ]] && ! time git x', ['git', 'id']],
  ['(cd x; coproc rm y)', ['cd', 'rm']],
  ['cat <<E\n$(rm y)\nE', ['cat', 'rm']],
  ["cat <<'E'\n$(rm y)\nE", ['cat']],
  ['$GIT status', null],
  ['g$X status', null],
  ['{git,rm} x', null],
  ['g*t x', null],
  ['~/git x', null],
  ["$'git' x", null],
  ['git "unclosed', null],
  ['echo $(git "unclosed)', null],
  ['x'.repeat(200_001), null],
]

test.each(rows)('R59 the programs of %j', (command, programs) => {
  expect(programsOf(command)?.toSorted() ?? null).toEqual(programs)
})

test('R59 a list of any length and a nesting of any depth end', () => {
  expect(programsOf(Array.from({ length: 5000 }, () => 'git x').join(' && '))).toEqual(['git'])
  expect(programsOf(`${'$('.repeat(3000)}git${')'.repeat(3000)}`)).toBeNull()
})
