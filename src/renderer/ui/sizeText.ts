import type { Speaker } from './words'

type Size = { readonly code: 'session.size.bytes' | 'session.size.kb' | 'session.size.mb'; readonly values: { readonly count: number } }

/** A size as a fact, to stand in another sentence. */
export function sizeSaid(bytes: number): Size {
  if (bytes < 1000) return { code: 'session.size.bytes', values: { count: bytes } }
  if (bytes < 999_500) return { code: 'session.size.kb', values: { count: Math.round(bytes / 1000) } }
  return { code: 'session.size.mb', values: { count: Math.round(bytes / 100_000) / 10 } }
}

/** A size as a person says it: 12 KB, 3.4 MB. */
export function sizeText(bytes: number, say: Speaker): string {
  return say.fact(sizeSaid(bytes))
}
