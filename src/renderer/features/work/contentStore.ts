import { succeed, type Result } from '../../../shared/domain/result'
import { host } from '../../bridge/host'

const keptCharacters = 64_000_000
const kept = new Map<string, string>()

/** The bytes of a picture or sound, in base64. The last ones are kept, so that a row that scrolls back needs not ask again. */
export async function readContent(ref: string): Promise<Result<string>> {
  const known = kept.get(ref)
  if (known !== undefined) return succeed(known)
  const result = await host().outputContent({ ref })
  if (!result.ok) return result
  keep(ref, result.value.base64)
  return succeed(result.value.base64)
}

function keep(ref: string, base64: string): void {
  kept.set(ref, base64)
  let characters = [...kept.values()].reduce((sum, text) => sum + text.length, 0)
  for (const [oldest, text] of kept) {
    if (characters <= keptCharacters) return
    kept.delete(oldest)
    characters -= text.length
  }
}

/** Most bytes of a stored text that are drawn at once. */
export const partBytes = 100_000

/** One part of a stored text. */
export async function readPart(ref: string, offset: number): Promise<Result<{ readonly text: string; readonly totalBytes: number }>> {
  return host().outputRead({ ref, offset, length: partBytes })
}
