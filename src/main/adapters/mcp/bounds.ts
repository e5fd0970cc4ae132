import { isObject } from './messages'

/** How much of what a server says of itself is looked at; real ones stay far below. */
export const mostOf = { tools: 1_000, items: 10_000, listCharacters: 4_000_000, name: 1_000, address: 8_192, description: 20_000, schemaCharacters: 100_000, schemaValues: 5_000, schemaDepth: 200 } as const

/** The text, or its beginning with a mark. */
export function cutTo(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters).replace(/[\ud800-\udbff]$/u, '')}… [cut]`
}

/** How large a value is; null when it is more than what is looked at. Without recursion: a server chooses how deep its values are. */
export function sizeOf(value: unknown): number | null {
  let characters = 0
  let values = 0
  const open: (readonly [unknown, number])[] = [[value, 0]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [one, depth] = next
    values += 1
    if (typeof one === 'string') characters += one.length
    else if (Array.isArray(one)) for (const each of one) open.push([each, depth + 1])
    else if (isObject(one)) {
      for (const [key, each] of Object.entries(one)) {
        characters += key.length
        open.push([each, depth + 1])
      }
    }
    if (depth > mostOf.schemaDepth || values + open.length > mostOf.schemaValues || characters > mostOf.schemaCharacters) return null
  }
  return characters + values
}
