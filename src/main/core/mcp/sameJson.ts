/** True when both are the same JSON, whatever the order of keys. Without recursion: a server chooses how deep its values are. */
export function isSameJson(one: unknown, other: unknown): boolean {
  const open: (readonly [unknown, unknown])[] = [[one, other]]
  for (let pair = open.pop(); pair; pair = open.pop()) {
    const [left, right] = pair
    if (left === right) continue
    if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null || Array.isArray(left) !== Array.isArray(right)) return false
    const [lefts, rights] = [Object.entries(left), right as Readonly<Record<string, unknown>>]
    if (lefts.length !== Object.keys(right).length) return false
    for (const [key, value] of lefts) {
      if (!Object.hasOwn(rights, key)) return false
      open.push([value, rights[key]])
    }
  }
  return true
}
