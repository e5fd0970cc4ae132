import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { AuditHead } from '../../shared/domain/audit'
import { said } from '../../shared/domain/result'
import { en } from '../../shared/words/en'
import type { Locale } from '../../shared/words/say'
import { zhCN } from '../../shared/words/zh-CN'
import type { AuditLog } from '../adapters/audit/auditLog'
import type { PageParts } from '../adapters/audit/exportPage'
import type { AuditReader } from '../core/ports/auditReader'
import type { Clock } from '../core/ports/clock'
import { StorageFault } from '../core/ports/storageFault'
import type { LibraryThread } from './libraryClient'

/** What the reader works through. */
interface ReaderParts {
  readonly thread: LibraryThread
  readonly log: AuditLog
  readonly dataFolder: string
  readonly resourcesFolder: string
  readonly clock: Clock
  readonly locale: () => Locale
}

/** Reads the record in the library thread: the index, the walk over the chain and the exports. */
export function auditReaderOver({ thread, log, dataFolder, ...parts }: ReaderParts): AuditReader {
  const dir = path.join(dataFolder, 'audit')
  const withFiles = <T>(use: (facts: Awaited<ReturnType<AuditLog['toCheck']>>) => Promise<T>): Promise<T> =>
    log.toCheck().then(use).catch(async (error: unknown) => {
      // A file that was removed with the oldest entries meanwhile: once more, with those that are left.
      if (!(error instanceof Error) || !error.message.startsWith('ENOENT')) throw error
      return use(await log.toCheck())
    })

  return {
    page: (query) => thread.ask('audit-page', { dir, query }),
    entriesAt: (entry) => thread.ask('audit-entries', { dir, entry }),
    async verify() {
      const { firstBroken = null, startsAt = 1, ...rest } = await withFiles((facts) => thread.ask('audit-verify', facts))
      return { ...rest, firstBroken, startsAt }
    },
    async exportTo(file, format, part) {
      const page = format === 'html' ? await pageParts(parts, log.head()) : null
      // A lost thread says so itself; everything else is the place that was chosen.
      const entries = await withFiles(({ files }) => thread.ask('audit-export', { files, to: file, page, dir, part: part ?? null })).catch((error: unknown) => {
        throw error instanceof StorageFault || !(error instanceof Error) ? error : new StorageFault(said('audit.not-exported', { file, problem: error.message }))
      })
      await log.append({ fact: 'export-made', atMs: parts.clock.nowMs(), actor: 'person', outcome: file })
      return entries
    },
    excerpt: (part) => withFiles(({ files }) => thread.ask('audit-excerpt', { files, dir, part })),
    verifyExport: (file) =>
      thread.ask('audit-verify-export', { file }).catch((error: unknown) => {
        throw error instanceof StorageFault || !(error instanceof Error) ? error : new StorageFault(said('audit.export-unreadable', { file, problem: error.message }))
      }),
  }
}

async function pageParts({ resourcesFolder, clock, locale }: Omit<ReaderParts, 'thread' | 'log' | 'dataFolder'>, head: AuditHead | null): Promise<PageParts> {
  const [script = '', style = ''] = await Promise.all(['record.js', 'record.css'].map((name) => readFile(path.join(resourcesFolder, 'record', name), 'utf8')))
  const wordsOf = (words: Readonly<Record<string, string>>): Readonly<Record<string, string>> => Object.fromEntries(Object.entries(words).filter(([code]) => code.startsWith('audit.')))
  return { script, style, words: { en: wordsOf(en), 'zh-CN': wordsOf(zhCN) }, locale: locale(), atMs: clock.nowMs(), head }
}
