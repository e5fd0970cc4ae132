/** What says what a call was about; other texts of a call may be long, and no rule asks for them. */
const telling = ['command', 'cwd', 'path', 'from', 'to', 'url'] as const

/** The texts that tell what a call was about, of its arguments as JSON; none of what is no JSON object. */
export function askedOf(args: string): Readonly<Record<string, string>> {
  const parsed = parsedOf(args)
  return Object.fromEntries(telling.flatMap((name) => (typeof parsed[name] === 'string' ? [[name, parsed[name]] as const] : [])))
}

function parsedOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
