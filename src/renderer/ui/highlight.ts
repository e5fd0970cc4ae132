import type { HighlighterCore, LanguageInput, ThemeRegistration } from 'shiki/core'

export interface Token {
  readonly content: string
  readonly color?: string
}

/** The languages coloured in answers: one list, each a chunk of its own, loaded when first seen. */
const languages: Readonly<Record<string, () => LanguageInput>> = {
  bash: () => import('shiki/langs/bash.mjs'), c: () => import('shiki/langs/c.mjs'), cpp: () => import('shiki/langs/cpp.mjs'), css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'), go: () => import('shiki/langs/go.mjs'), html: () => import('shiki/langs/html.mjs'), java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'), json: () => import('shiki/langs/json.mjs'), markdown: () => import('shiki/langs/markdown.mjs'), python: () => import('shiki/langs/python.mjs'),
  rust: () => import('shiki/langs/rust.mjs'), sql: () => import('shiki/langs/sql.mjs'), toml: () => import('shiki/langs/toml.mjs'), tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'), yaml: () => import('shiki/langs/yaml.mjs'),
}
const aliases: Readonly<Record<string, string>> = { js: 'javascript', jsx: 'tsx', ts: 'typescript', py: 'python', sh: 'bash', shell: 'bash', zsh: 'bash', yml: 'yaml', md: 'markdown', rs: 'rust', 'c++': 'cpp' }

const scope = (names: readonly string[], token: string) => ({ scope: [...names], settings: { foreground: `var(--syn-${token})` } })

/** Colours are our tokens, so both themes follow at once. */
const theme: ThemeRegistration = {
  name: 'tokens', type: 'dark', colors: { 'editor.foreground': 'var(--fg-1)', 'editor.background': 'var(--bg-code)' },
  settings: [
    { settings: { foreground: 'var(--fg-1)', background: 'var(--bg-code)' } },
    scope(['comment', 'punctuation.definition.comment'], 'com'),
    scope(['keyword', 'storage', 'entity.name.tag', 'variable.language'], 'key'),
    scope(['string', 'markup.inserted', 'punctuation.definition.string'], 'str'),
    scope(['constant.numeric', 'constant.language', 'constant.other', 'markup.deleted'], 'num'),
    scope(['entity.name.function', 'support.function', 'entity.name.type', 'support.type', 'markup.heading'], 'fn'),
  ],
}

let highlighter: Promise<HighlighterCore> | undefined

/** The coloured lines of a code block, or null when its language is not on the list. Long blocks stay plain. */
export async function highlight(code: string, name: string): Promise<readonly (readonly Token[])[] | null> {
  const language = aliases[name] ?? name
  const load = languages[language]
  if (load === undefined || code.length > 60_000) return null
  highlighter ??= start()
  const shiki = await highlighter
  if (!shiki.getLoadedLanguages().includes(language)) await shiki.loadLanguage(load())
  return shiki.codeToTokensBase(code.replace(/\n$/, ''), { lang: language, theme: 'tokens' }).map((line) => line.map((token) => ({ content: token.content, ...(token.color === undefined ? {} : { color: token.color }) })))
}

async function start(): Promise<HighlighterCore> {
  const [{ createHighlighterCore }, { createJavaScriptRegexEngine }] = await Promise.all([import('shiki/core'), import('shiki/engine/javascript')])
  return createHighlighterCore({ themes: [theme], langs: [], engine: createJavaScriptRegexEngine({ forgiving: true }) })
}
