import { composeHost } from '../app/compose'
import type { Print } from './jsonLines'
import { hostOptions } from './options'
import { readOptions, required, UsageError } from './usage'

/** `audit verify` and `audit export --file F`. */
export async function auditCommand(args: readonly string[], print: Print): Promise<void> {
  const [verb = '', ...rest] = args
  const { values } = readOptions(rest, { file: { type: 'string' } })
  const host = await composeHost({ ...hostOptions(values), given: null, chosenModel: null })
  try {
    if (verb === 'verify') print(await host.verifyAudit())
    else if (verb === 'export') print({ entries: await host.audit.exportTo(required(values['file'], 'file')) })
    else throw new UsageError(`no such command: audit ${verb}`)
  } finally {
    await host.close()
  }
}
