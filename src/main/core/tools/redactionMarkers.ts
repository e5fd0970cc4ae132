/**
 * The first marker of a hidden secret that `after` holds more often than `before`: writing it would overwrite the secret it
 * stands for (DATA, invariant 8). Null when there is none; a file may hold such text itself.
 */
export function newMarker(before: string, after: string): string | null {
  const known = countMarkers(before)
  for (const [marker, count] of countMarkers(after)) {
    if (count > (known.get(marker) ?? 0)) return marker
  }
  return null
}

function countMarkers(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const [marker] of text.matchAll(/\[redacted:[^[\]\r\n]{0,80}\]/giu)) counts.set(marker, (counts.get(marker) ?? 0) + 1)
  return counts
}

/** The first marker in arguments, at any depth; null when there is none. */
export function markerIn(args: unknown): string | null {
  return /\[redacted:[^[\]\r\n"\\]{0,80}\]/iu.exec(JSON.stringify(args) ?? '')?.[0] ?? null
}
