import path from 'node:path'
import { composeHost } from '../app/compose'
import { StorageFault } from '../core/ports/storageFault'
import type { AuditPartAsk } from '../services/auditPages'
import type { Result } from '../../shared/domain/result'
import type { HostServices } from '../services/hostServices'
import type { Print } from './jsonLines'
import { hostOptions } from './options'
import { readOptions, required, UsageError } from './usage'

/**
 * `audit verify [--file F]`: the record, or a file that was exported. `audit export --file F [--session ID] [--since T] [--until T]`:
 * a page that checks itself where the name ends in .html, else the lines as they stand; of the whole record, or of a part of it.
 */
export async function auditCommand(args: readonly string[], print: Print): Promise<void> {
  const [verb = '', ...rest] = args
  const { values } = readOptions(rest, { file: { type: 'string' }, session: { type: 'string' }, since: { type: 'string' }, until: { type: 'string' } })
  const host = await composeHost({ ...hostOptions(values), given: null, chosenModel: null })
  try {
    if (verb === 'verify' && values['file'] !== undefined) print(valueOf(await host.auditPages.verifyExport(path.resolve(required(values['file'], 'file')))))
    else if (verb === 'verify') {
      const { ok, entries, firstBroken } = await host.verifyAudit()
      print({ ok, entries, ...(firstBroken === undefined ? {} : { firstBroken }) })
    } else if (verb === 'export') print(await exportTo(host, required(values['file'], 'file'), partOf(values)))
    else throw new UsageError(`no such command: audit ${verb}`)
  } finally {
    await host.close()
  }
}

async function exportTo(host: Pick<HostServices, 'audit' | 'auditPages'>, file: string, part: AuditPartAsk | undefined): Promise<{ readonly entries: number }> {
  const isPage = /\.html?$/i.test(file)
  if (!isPage && part === undefined) return { entries: await host.audit.exportTo(file) }
  return valueOf(await host.auditPages.exportTo(file, isPage ? 'html' : 'jsonl', part))
}

function partOf({ session, since, until }: Readonly<Record<string, string | boolean | undefined>>): AuditPartAsk | undefined {
  if (session === undefined && since === undefined && until === undefined) return undefined
  return {
    query: '', isThisProject: false, by: 'all', what: 'all', sinceMs: momentOf(since, 'since') ?? null,
    ...(until === undefined ? {} : { untilMs: momentOf(until, 'until') ?? 0 }), ...(session === undefined ? {} : { sessionId: required(session, 'session') }),
  }
}

/** 2026-11-30 is its first moment here; one with an hour and a zone is that one. */
function momentOf(value: string | boolean | undefined, name: string): number | undefined {
  if (value === undefined) return undefined
  const text = required(value, name)
  const atMs = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text).getTime()
  if (Number.isNaN(atMs)) throw new UsageError(`--${name} takes a day or a moment: 2026-11-30, 2026-11-30T15:44`)
  return atMs
}

function valueOf<Value>(done: Result<Value>): Value {
  if (!done.ok) throw new StorageFault(done.fault)
  return done.value
}
