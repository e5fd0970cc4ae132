import { say } from '../../shared/words/say'
import { composeHost } from '../app/compose'
import { examine } from '../app/doctor'
import type { Print } from './jsonLines'
import { hostOptions } from './options'
import { readOptions, UsageError } from './usage'

/** `doctor`: what the app stands on, a line each. */
export async function doctorCommand(args: readonly string[], print: Print): Promise<void> {
  const { values, positionals } = readOptions(args, {})
  if (positionals.length > 0) throw new UsageError(`doctor takes no ${positionals.join(' ')}`)
  const host = await composeHost({ ...hostOptions(values), given: null, chosenModel: null })
  try {
    for (const { check, ok, say: fact, do: todo } of await examine(host, process.env)) print({ check, ok, say: say('en', fact), ...(todo ? { do: say('en', todo) } : {}) })
  } finally {
    await host.close()
  }
}
