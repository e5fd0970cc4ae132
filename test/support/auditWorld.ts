import { readFileSync } from 'node:fs'
import path from 'node:path'
import { allLinesOf, listAuditFiles } from '../../src/main/adapters/audit/auditFiles'
import { openAuditLog, type AuditLog, type AuditLogOptions } from '../../src/main/adapters/audit/auditLog'
import { excerptOf } from '../../src/main/adapters/audit/excerpt'
import { exportPage } from '../../src/main/adapters/audit/exportPage'
import type { AuditDraft } from '../../src/shared/domain/audit'
import { en } from '../../src/shared/words/en'
import { zhCN } from '../../src/shared/words/zh-CN'
import { scratchFolder } from './scratchDatabase'

/** A log in a folder of its own. */
export async function openLog(dir = path.join(scratchFolder(), 'audit'), options: Partial<AuditLogOptions> = {}): Promise<AuditLog & { readonly dir: string }> {
  const opened = await openAuditLog({ dir, clock: { nowMs: () => 1_000_000 }, redact: (text) => text, macKey: null, knownHead: () => Promise.resolve(null), ...options })
  if (!opened.ok) throw new Error(opened.fault.code)
  return { ...opened.value, dir }
}

/** The entries of one call as the loop writes them. */
export function callEntries(callId: string, change: Partial<AuditDraft> = {}): readonly AuditDraft[] {
  const base = { atMs: 1000, sessionId: 's1', turnId: 't1', callId, tool: 'run_command', effect: 'execute', args: { command: `echo ${callId}` } } as const
  return [
    { ...base, fact: 'asked', actor: 'agent', ...change },
    { ...base, fact: 'decided', actor: 'person', outcome: 'allow', atMs: 3500, ...change },
    { ...base, fact: 'started', actor: 'agent', snapshotId: 'before', atMs: 3600, ...change },
    { ...base, args: undefined, fact: 'finished', actor: 'agent', outcome: 'ok', exitCode: 0, changed: [{ path: 'a.txt', before: null, after: 'f'.repeat(64) }], snapshotId: 'after', confined: 'sandbox', atMs: 7800, ...change },
  ]
}

/** A file of the exported page. */
export const recordResource = (name: string) => readFileSync(path.resolve(import.meta.dirname, '../../resources/record', name), 'utf8')

const ours = (words: Readonly<Record<string, string>>) => Object.fromEntries(Object.entries(words).filter(([code]) => code.startsWith('audit.')))

/** A page over these entries. */
export async function exportedPage(drafts: readonly AuditDraft[], options: Parameters<typeof openLog>[1] = {}, entries: ReadonlySet<number> | null = null) {
  const log = await openLog(undefined, options)
  for (const draft of drafts) await log.append(draft)
  const file = path.join(scratchFolder(), 'record.html')
  const files = await listAuditFiles(log.dir)
  const written = await exportPage(entries === null ? allLinesOf(files) : excerptOf(files, entries), file, { script: recordResource('record.js'), style: recordResource('record.css'), words: { en: ours(en), 'zh-CN': ours(zhCN) }, locale: 'en', atMs: 5, head: log.head() })
  return { html: readFileSync(file, 'utf8'), entries: written, file, log }
}

/** Text that would end its place, begin another, or not come back as it went. */
export const nastyText = '</script><script>alert(1)</script><!--<script> \u2028\u0000\ud800 \\u003c "\\"'
