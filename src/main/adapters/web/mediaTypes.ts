/** How a body is read. `unknown`: nobody says, so its bytes have to. */
export type BodyForm = 'html' | 'text' | 'other' | 'unknown'

/** A media type without its parameters, in small letters; empty for none. */
export function mimeTypeOf(header: string): string {
  return /^\s*([\w.+-]{1,60}\/[\w.+-]{1,100})/.exec(header)?.[1]?.toLowerCase() ?? ''
}

const texts = /^(?:text\/.*|application\/(?:json|xml|javascript|ecmascript|x-javascript|ld\+json|x-ndjson|ndjson|jsonl|json5|yaml|x-yaml|toml|sql|graphql|x-sh|x-httpd-php|x-tex|rtf|manifest\+json)|[\w.-]+\/[\w.-]+\+(?:json|xml|yaml))$/

/** How a body of this type is read. */
export function formOf(mimeType: string): BodyForm {
  if (mimeType === '' || mimeType === 'unknown/unknown') return 'unknown'
  if (mimeType === 'text/html' || mimeType === 'application/xhtml+xml') return 'html'
  if (mimeType === 'image/svg+xml') return 'text'
  return texts.test(mimeType) ? 'text' : 'other'
}
