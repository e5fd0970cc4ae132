/** Compact JSON with the keys of every object in order; `undefined` is absent. */
export function canonicalJson(value: unknown): string {
  return write(value, true)
}

/** Compact JSON with keys as they come. */
export function compactJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    // Deeper than the platform can follow.
    return write(value, false)
  }
}

/** Still to be written: ready text, or a value. */
type Task = string | { readonly value: unknown }

/** Without recursion: a server chooses how deep its values are. */
function write(value: unknown, isSorted: boolean): string {
  const pieces: string[] = []
  const tasks: Task[] = [{ value }]
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    if (typeof task === 'string') {
      pieces.push(task)
      continue
    }
    const inner = tasksOf(task.value, isSorted)
    if (inner === null) pieces.push(JSON.stringify(task.value) ?? 'null')
    else for (let at = inner.length - 1; at >= 0; at -= 1) tasks.push(inner[at] ?? '')
  }
  return pieces.join('')
}

/** A list or an object in pieces; null for a plain value. */
function tasksOf(value: unknown, isSorted: boolean): readonly Task[] | null {
  if (Array.isArray(value)) return ['[', ...value.flatMap((each: unknown, at): Task[] => (at === 0 ? [{ value: each }] : [',', { value: each }])), ']']
  if (typeof value !== 'object' || value === null) return null
  const entries = Object.entries(value as Readonly<Record<string, unknown>>).filter(([, each]) => each !== undefined)
  // By code unit, the same everywhere.
  if (isSorted) entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return ['{', ...entries.flatMap(([key, each], at): Task[] => [`${at === 0 ? '' : ','}${JSON.stringify(key)}:`, { value: each }]), '}']
}
