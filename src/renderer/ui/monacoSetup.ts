import * as monaco from 'monaco-editor/editor'
import EditorWorker from 'monaco-editor/editor/editor.worker?worker'
import 'monaco-editor/features/codicon/register'
import 'monaco-editor/features/diffEditor/register'
import 'monaco-editor/features/find/register'
import 'monaco-editor/features/unicodeHighlighter/register'
import 'monaco-editor/languages/definitions/cpp/register'
import 'monaco-editor/languages/definitions/css/register'
import 'monaco-editor/languages/definitions/go/register'
import 'monaco-editor/languages/definitions/html/register'
import 'monaco-editor/languages/definitions/java/register'
import 'monaco-editor/languages/definitions/javascript/register'
import 'monaco-editor/languages/definitions/markdown/register'
import 'monaco-editor/languages/definitions/python/register'
import 'monaco-editor/languages/definitions/rust/register'
import 'monaco-editor/languages/definitions/shell/register'
import 'monaco-editor/languages/definitions/sql/register'
import 'monaco-editor/languages/definitions/typescript/register'
import 'monaco-editor/languages/definitions/xml/register'
import 'monaco-editor/languages/definitions/yaml/register'

self.MonacoEnvironment = { getWorker: () => new EditorWorker() }

const hex = (value: string): string => value.trim().replace('#', '')

/** Makes the editor's theme out of the tokens in force. Called at every mount, and when the theme changes. */
export function applyTokens(): void {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string): string => style.getPropertyValue(name).trim()
  monaco.editor.defineTheme('tokens', {
    base: style.colorScheme === 'light' ? 'vs' : 'vs-dark', inherit: true,
    rules: [
      { token: 'comment', foreground: hex(token('--syn-com')) }, { token: 'keyword', foreground: hex(token('--syn-key')) }, { token: 'string', foreground: hex(token('--syn-str')) },
      { token: 'number', foreground: hex(token('--syn-num')) }, { token: 'type', foreground: hex(token('--syn-fn')) },
      // The grammars know Latin letters only: 价格 is a name like any other, and red means removed here.
      { token: 'invalid', foreground: hex(token('--fg-1')) },
    ],
    colors: {
      // Brackets in the colour of the text: a change is what has colour here.
      ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((depth) => [`editorBracketHighlight.foreground${depth}`, token('--fg-1')])),
      'editor.background': token('--bg-code'), 'editor.foreground': token('--fg-1'), 'editorLineNumber.foreground': token('--fg-3'), 'editorLineNumber.dimmedForeground': token('--fg-3'), 'editorLineNumber.activeForeground': token('--fg-3'), 'editorCursor.foreground': token('--fg-1'), 'focusBorder': token('--focus'),
      'diffEditor.insertedLineBackground': token('--add-bg'), 'diffEditor.removedLineBackground': token('--del-bg'), // Thinned, so that every colour of the code keeps 4.5:1 on them.
      'diffEditor.insertedTextBackground': `${token('--add-strong')}a0`, 'diffEditor.removedTextBackground': `${token('--del-strong')}a0`,
      'diffEditor.border': token('--line'), 'diffEditor.diagonalFill': token('--line'), 'editorWidget.background': token('--bg-2'), 'editorWidget.border': token('--line-ctl'),
    },
  })
  monaco.editor.setTheme('tokens')
}

const byExtension: Readonly<Record<string, string>> = {
  ts: 'typescript', tsx: 'typescript', mts: 'typescript', cts: 'typescript', js: 'javascript', jsx: 'javascript', mjs: 'javascript', cjs: 'javascript', css: 'css', html: 'html', md: 'markdown', py: 'python',
  sh: 'shell', bash: 'shell', yml: 'yaml', yaml: 'yaml', rs: 'rust', go: 'go', java: 'java', c: 'cpp', h: 'cpp', cc: 'cpp', cpp: 'cpp', hpp: 'cpp', sql: 'sql', xml: 'xml', svg: 'xml', json: 'javascript',
}

/** The language of a path by its ending; plain text when none fits. */
export function languageOf(path: string): string {
  return byExtension[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''] ?? 'plaintext'
}

// What the window itself uses must reach the window: Mod+K, Mod+L, F7, F8, Mod+Enter. Tab moves on.
monaco.editor.addKeybindingRules(
  [monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyK, monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyL, monaco.KeyCode.F7, monaco.KeyMod.Shift | monaco.KeyCode.F7, monaco.KeyCode.F8, monaco.KeyMod.Shift | monaco.KeyCode.F8, monaco.KeyMod.CtrlCmd | monaco.KeyCode.Enter]
    .map((keybinding) => ({ keybinding, command: null })),
)

export { monaco }
