/** File endings of each language, and whole names without one. Prose has no grammar. */
const endings: Readonly<Record<string, readonly string[]>> = {
  typescript: ['ts', 'mts', 'cts'],
  tsx: ['tsx'],
  javascript: ['js', 'mjs', 'cjs', 'jsx'],
  python: ['py', 'pyi', 'pyw'],
  java: ['java'],
  go: ['go'],
  rust: ['rs'],
  c: ['c', 'h'],
  cpp: ['cc', 'cpp', 'cxx', 'c++', 'hh', 'hpp', 'hxx', 'inl', 'ipp', 'cu', 'cuh'],
  csharp: ['cs', 'csx'],
  ruby: ['rb', 'rake', 'gemspec', 'gemfile', 'rakefile'],
  php: ['php', 'phtml'],
  bash: ['sh', 'bash', 'zsh', 'ksh'],
  powershell: ['ps1', 'psm1', 'psd1'],
  css: ['css'],
  scss: ['scss', 'sass', 'less'],
  html: ['html', 'htm', 'xhtml'],
  vue: ['vue'],
  svelte: ['svelte'],
  xml: ['xml', 'xsd', 'xsl', 'plist', 'csproj', 'props'],
  json: ['json', 'jsonc', 'json5'],
  yaml: ['yaml', 'yml'],
  toml: ['toml'],
  ini: ['ini', 'cfg', 'conf', 'properties'],
  sql: ['sql'],
  kotlin: ['kt', 'kts'],
  swift: ['swift'],
  scala: ['scala', 'sc'],
  dart: ['dart'],
  lua: ['lua'],
  r: ['r'],
  perl: ['pl', 'pm'],
  elixir: ['ex', 'exs'],
  haskell: ['hs'],
  proto: ['proto'],
  graphql: ['graphql', 'gql'],
  dockerfile: ['dockerfile'],
  makefile: ['makefile', 'mk'],
  markdown: ['md', 'markdown', 'mdx', 'mdown', 'mkd'],
  rst: ['rst', 'rest'],
  text: ['txt', 'text', 'adoc', 'org', 'license', 'readme', 'changelog', 'authors', 'notice'],
}

const byEnding: ReadonlyMap<string, string> = new Map(Object.entries(endings).flatMap(([language, all]) => all.map((ending) => [ending, language] as const)))

/** What people also call a language. */
const otherNames: ReadonlyMap<string, string> = new Map([['c++', 'cpp'], ['c#', 'csharp'], ['shell', 'bash'], ['golang', 'go'], ['plaintext', 'text'], ['restructuredtext', 'rst']])

/** Who asks for one of these means the others too: headers end alike in C and C++. */
const families: Readonly<Record<string, readonly string[]>> = { typescript: ['typescript', 'tsx'], cpp: ['cpp', 'c'], css: ['css', 'scss'] }

const prose: ReadonlySet<string> = new Set(['markdown', 'rst', 'text'])

const notText = new Set(
  ('png jpg jpeg gif webp bmp ico icns tif tiff psd heic avif mp3 mp4 m4a wav ogg flac avi mov mkv webm pdf doc docx xls xlsx ppt pptx odt ods zip gz tgz bz2 xz zst 7z rar tar jar war ' +
    'class o a so dylib dll exe obj lib pdb wasm node pyc pyo db sqlite sqlite3 woff woff2 ttf otf eot bin dat iso dmg deb rpm apk ipa onnx pt pth safetensors gguf npy npz parquet').split(' '),
)

const lockNames = new Set(['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock', 'cargo.lock', 'poetry.lock', 'uv.lock', 'pipfile.lock', 'composer.lock', 'gemfile.lock', 'go.sum', 'flake.lock'])

/** The language of a file by its name, in lower case; empty when it is not known. */
export function languageOf(path: string): string {
  return byEnding.get(endingOf(path)) ?? ''
}

/** The languages of `languageOf` that somebody means who asks for `name`, by a name or a file ending; empty when it means none. */
export function languagesFor(name: string): readonly string[] {
  const folded = name.trim().toLowerCase().replace(/^\./, '')
  const language = otherNames.get(folded) ?? (Object.hasOwn(endings, folded) ? folded : byEnding.get(folded))
  return language === undefined ? [] : (families[language] ?? [language])
}

/** Whether a language is written in sentences under headings. */
export function isProse(language: string): boolean {
  return prose.has(language)
}

/** Whether a file's name says that nobody wrote or reads its text: media, archives, lock files, source maps, minified code. */
export function isUnreadByName(path: string): boolean {
  const name = nameOf(path)
  return notText.has(endingOf(path)) || lockNames.has(name) || /\.(?:map|svg|snap)$|[.-]min\.(?:js|css|mjs)$|\.bundle\.js$/u.test(name)
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase()
}

/** What stands after the last dot, or the whole name. */
function endingOf(path: string): string {
  const name = nameOf(path)
  return name.slice(name.lastIndexOf('.') + 1)
}
