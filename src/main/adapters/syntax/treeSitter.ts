import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Language, Parser, type Tree } from 'web-tree-sitter'
import type { SyntaxTree, SyntaxUnit } from '../../core/ports/syntaxTree'
import { unitsOf } from './units'

/** What is used of it: the types of Node leave it out. */
declare const WebAssembly: { readonly Module: new (bytes: Uint8Array) => object; readonly Instance: new (module: object, imports: object) => object }

/** Which grammar reads a language: the one of C++ reads C too. */
const grammars: Readonly<Record<string, string>> = {
  typescript: 'typescript',
  tsx: 'tsx',
  javascript: 'javascript',
  python: 'python',
  java: 'java',
  go: 'go',
  rust: 'rust',
  c: 'cpp',
  cpp: 'cpp',
  csharp: 'c-sharp',
  ruby: 'ruby',
  php: 'php',
  bash: 'bash',
  powershell: 'powershell',
  css: 'css',
}

/** What one file may take, in milliseconds: a hostile one could take minutes. */
const parsingMs = 400
/** Trees take some thirty times their text's size in memory that is never given back. */
const mostCharacters = 1_000_000

/** Syntax by tree-sitter. A grammar is loaded before its first use. */
export interface TreeSitter extends SyntaxTree {
  /** Loads the grammar of a language; nothing to do for one that is not known. */
  prepare(language: string): Promise<void>
}

/** Makes it; nothing is loaded yet. `budgetMs` is the time one file may take. */
export function makeTreeSitter(budgetMs = parsingMs): TreeSitter {
  const loaded = new Map<string, Language>()
  let parser: Parser | null = null
  let begun: Promise<void> | null = null
  /** A fault inside the WebAssembly memory leaves it unusable; what is still to be read is then cut without syntax. */
  let isBroken = false

  function parse(grammar: Language, text: string): Tree | null {
    const until = performance.now() + budgetMs
    parser ??= new Parser()
    parser.setLanguage(grammar)
    // Every hundred steps or so it asks whether to go on; what is answered is not in the types.
    const isOver = (): boolean => performance.now() > until
    const tree = parser.parse(text, null, { progressCallback: isOver })
    if (tree === null) parser.reset()
    return tree
  }

  return {
    knows: (language) => !isBroken && Object.hasOwn(grammars, language),
    async prepare(language) {
      const grammar = Object.hasOwn(grammars, language) ? grammars[language] : undefined
      if (grammar === undefined || loaded.has(grammar)) return
      await (begun ??= Parser.init({ instantiateWasm: instantiated }))
      loaded.set(grammar, Language.loadSync(compiled(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`)))
    },
    units(language, text): readonly SyntaxUnit[] | null {
      const grammar = loaded.get(grammars[language] ?? '')
      if (grammar === undefined) throw new Error(`the grammar of ${language} was not prepared`)
      if (isBroken || text.length > mostCharacters) return null
      let tree: Tree | null = null
      try {
        tree = parse(grammar, text)
        return tree && unitsOf(tree.rootNode, text)
      } catch (error) {
        if (!(error instanceof Error && error.name === 'RuntimeError')) throw error
        isBroken = true
        return null
      } finally {
        if (!isBroken) tree?.delete()
      }
    },
  }
}

/**
 * Compiled at once and not in the background: in a thread of Electron nothing wakes the thread when that is done, so that the
 * index would wait for a grammar until somebody asked it something (ADR 0027 met the same with pictures).
 */
function compiled(file: string): object {
  return new WebAssembly.Module(readFileSync(createRequire(import.meta.url).resolve(file)))
}

function instantiated(imports: object, use: (instance: object, module: object) => void): object {
  const module = compiled('web-tree-sitter/web-tree-sitter.wasm')
  use(new WebAssembly.Instance(module, imports), module)
  return {}
}
