import { composeHost } from '../app/compose'
import { StorageFault } from '../core/ports/storageFault'
import type { HostServices } from '../services/hostServices'
import type { Print } from './jsonLines'
import { hostOptions } from './options'
import { readOptions, required, UsageError } from './usage'

/** `audit verify` and `audit export --file F`: a page that checks itself where the name ends in .html, else the lines as they stand. */
export async function auditCommand(args: readonly string[], print: Print): Promise<void> {
  const [verb = '', ...rest] = args
  const { values } = readOptions(rest, { file: { type: 'string' } })
  const host = await composeHost({ ...hostOptions(values), given: null, chosenModel: null })
  try {
    if (verb === 'verify') {
      const { ok, entries, firstBroken } = await host.verifyAudit()
      print({ ok, entries, ...(firstBroken === undefined ? {} : { firstBroken }) })
    } else if (verb === 'export') print(await exportTo(host, required(values['file'], 'file')))
    else throw new UsageError(`no such command: audit ${verb}`)
  } finally {
    await host.close()
  }
}

async function exportTo(host: Pick<HostServices, 'audit' | 'auditPages'>, file: string): Promise<{ readonly entries: number }> {
  if (!/\.html?$/i.test(file)) return { entries: await host.audit.exportTo(file) }
  const done = await host.auditPages.exportTo(file, 'html')
  if (!done.ok) throw new StorageFault(done.fault)
  return done.value
}
