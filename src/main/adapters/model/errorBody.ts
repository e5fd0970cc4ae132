/** What a provider says went wrong. `status` is given when its code is an HTTP status; `title` when it sent a web page. */
export interface ProviderError {
  readonly message: string
  readonly code: string
  readonly status: number | null
  readonly title?: string
}

type Fields = Readonly<Record<string, unknown>>

/** The error in a parsed body or stream event, in any of the forms that are around; null when it holds none. */
export function errorIn(body: unknown): ProviderError | null {
  const fields = Array.isArray(body) ? (body as readonly unknown[])[0] : body
  if (!isFields(fields)) return null
  if (isFilled(fields['error'])) return fromError(fields['error'], fields)
  const base = fields['base_resp']
  if (isFields(base) && typeof base['status_code'] === 'number' && base['status_code'] !== 0) return { message: text(base['status_msg']), code: String(base['status_code']), status: null }
  const isAnswer = Array.isArray(fields['choices'])
  if (isAnswer) return null
  const message = text(fields['message']) || text(fields['msg']) || text(fields['detail']) || text(fields['error_msg'])
  const isError = fields['object'] === 'error' || fields['type'] === 'error' || fields['success'] === false || isFilled(fields['code']) || isFilled(fields['error_code']) || isFilled(fields['detail'])
  if (!isError || message === '') return null
  const code = fields['code'] ?? fields['error_code'] ?? fields['type']
  return { message, code: text(code), status: statusOf(code) }
}

/** The error in the body of an answer that is no 2xx: whatever can be read from it. */
export function errorInBody(bodyText: string): ProviderError {
  const title = webPageTitle(bodyText)
  if (title !== null) return { message: '', code: '', status: null, title }
  try {
    const body: unknown = JSON.parse(bodyText)
    return errorIn(body) ?? { message: isFields(body) && typeof body['message'] === 'string' ? body['message'] : bodyText, code: '', status: null }
  } catch {
    return { message: bodyText, code: '', status: null }
  }
}

/** The title of a web page, or a word for one without; null when the text is none. */
export function webPageTitle(bodyText: string): string | null {
  if (!/^\s*(?:<!doctype html|<html|<head|<body|<\?xml)/i.test(bodyText)) return null
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(bodyText)?.[1]?.replace(/\s+/g, ' ').trim()
  return title ? title.slice(0, 120) : 'HTML'
}

function fromError(error: unknown, around: Fields): ProviderError {
  if (!isFields(error)) return { message: text(error), code: text(around['code']), status: statusOf(around['code']) }
  const code = error['code'] ?? error['type'] ?? around['code']
  return { message: messageOf(error), code: [error['code'], error['type']].map(text).filter(Boolean).join(' '), status: statusOf(error['code']) ?? statusOf(error['status']) ?? statusOf(code) }
}

/** Gateways wrap the real message into `metadata.raw`. */
function messageOf(error: Fields): string {
  const message = text(error['message']) || text(error['msg']) || text(error['type']) || JSON.stringify(error)
  const metadata = error['metadata']
  const raw = isFields(metadata) ? text(metadata['raw']) : ''
  return raw === '' ? message : `${message}: ${raw}`
}

function statusOf(code: unknown): number | null {
  const number = typeof code === 'number' ? code : typeof code === 'string' && /^\d{3}$/.test(code) ? Number(code) : NaN
  return number >= 400 && number < 600 ? number : null
}

function text(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  return Array.isArray(value) ? JSON.stringify(value) : ''
}

function isFilled(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && value !== false && value !== 0
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
