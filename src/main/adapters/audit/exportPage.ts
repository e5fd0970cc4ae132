import { createHash, randomUUID } from 'node:crypto'
import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import type { AuditHead } from '../../../shared/domain/audit'
import { inertJson, logBlock } from '../../../shared/domain/recordBlock'
import { readExcerptLine } from './excerpt'

/** What the page is made of besides the lines; plain text each. */
export interface PageParts {
  readonly script: string
  readonly style: string
  /** Sentences by code and language, for the script. */
  readonly words: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly locale: string
  readonly atMs: number
  /** The end of the chain when it was exported. */
  readonly head: AuditHead | null
}

const blockCharacters = 1024 * 1024

/**
 * Writes the record as one page that works without network and checks itself: the lines as they stand, each as a JSON string in
 * blocks that nothing executes, and a script that walks the chain before it shows anything of it. The page allows its own script and
 * style by their hashes, and nothing else. It appears whole or not at all, and is never whole in memory.
 *
 * @returns how many entries there are.
 */
export async function exportPage(lines: AsyncIterable<string>, to: string, parts: PageParts): Promise<number> {
  const temporary = `${to}.${randomUUID()}.tmp`
  try {
    const handle = await open(temporary, 'wx', 0o600)
    let entries: number
    try {
      await handle.write(pageStart(parts))
      entries = await writeLines(handle, lines)
      await handle.write(`<script>${parts.script}</script>\n</body>\n</html>\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, to)
    return entries
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

async function writeLines(handle: FileHandle, lines: AsyncIterable<string>): Promise<number> {
  let entries = 0
  let block: string[] = []
  let characters = 0
  const flush = async (): Promise<void> => {
    if (block.length > 0) await handle.write(logBlock(block))
    block = []
    characters = 0
  }
  for await (const line of lines) {
    if (readExcerptLine(line) === null) entries += 1
    block.push(line)
    characters += line.length
    if (characters > blockCharacters) await flush()
  }
  await flush()
  return entries
}

function pageStart({ script, style, words, locale, atMs, head }: PageParts): string {
  if (/<\/(script|style)/i.test(script + style)) throw new Error('the page would end early')
  const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="${locale === 'zh-CN' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Countersign</title>
<style>${style}</style>
</head>
<body>
<noscript>This record checks itself with a script. Allow scripts for this file to read it. / 本记录用脚本自行校验。请允许此文件运行脚本后阅读。</noscript>
<main id="page"></main>
<script type="application/json" id="facts">${inertJson({ locale, atMs, head, words })}</script>
`
}
