/** A value of JSON without registered secrets in any of its texts; the same object where there are none. */
export function maskedValue<Value>(value: Value, withoutKnown: (text: string) => string): Value {
  const text = JSON.stringify(value)
  const masked = withoutKnown(text)
  // The marker is plain letters, so that what was JSON still is.
  return masked === text ? value : (JSON.parse(masked) as Value)
}
