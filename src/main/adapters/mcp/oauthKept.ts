import { OAuthClientInformationSchema, OAuthMetadataSchema, OAuthTokensSchema } from '@modelcontextprotocol/sdk/shared/auth.js'
import { z } from 'zod'

/**
 * What a sign-in leaves, as one text in the keychain: tokens, the registration and where they are good, each with its issuer as
 * the library stamps it. Bound to one address of one server: read for another, there is nothing.
 */
const keptSchema = z.object({
  version: z.literal(1),
  server: z.string(),
  issuer: z.string(),
  resource: z.string(),
  metadata: OAuthMetadataSchema,
  client: OAuthClientInformationSchema.extend({ token_endpoint_auth_method: z.string().optional() }),
  tokens: OAuthTokensSchema,
  gotAtMs: z.number(),
  /** What the server asked for beyond what was granted; wanted at the next sign-in. */
  wantedScope: z.string(),
})
export type Kept = z.infer<typeof keptSchema>

/** One spelling for one address: what is behind `#` is never sent. */
export function serverKey(url: string): string {
  const { origin, pathname, search } = new URL(url)
  return `${origin}${pathname}${search}`
}

/** What is kept for this address; null when nothing is, or it belongs to another address or issuer, or cannot be read. */
export function readKept(text: string | null, url: string): Kept | null {
  if (text === null) return null
  const read = keptSchema.safeParse(jsonOf(text))
  if (!read.success) return null
  const { server, issuer, tokens, client } = read.data
  return server === serverKey(url) && tokens.issuer === issuer && client.issuer === issuer ? read.data : null
}

/** As it is kept. */
export function writeKept(kept: Kept): string {
  return JSON.stringify(kept)
}

/** True a little before the token ends, so that no call has to be refused first. */
export function isStale({ tokens, gotAtMs }: Kept, nowMs: number): boolean {
  return tokens.expires_in !== undefined && tokens.expires_in > 0 && nowMs >= gotAtMs + tokens.expires_in * 900
}

/** Both lists of scopes as one. */
export function joinScopes(one: string, other: string): string {
  return [...new Set(`${one} ${other}`.split(' ').filter((scope) => scope !== ''))].join(' ')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
