/** Puts a body together from pieces, so that what was made once is only copied. */
export class BodyWriter {
  private readonly pieces: Uint8Array[] = []

  raw(text: string): this {
    this.pieces.push(Buffer.from(text))
    return this
  }

  /** A list of JSON values, each made before. */
  list(items: readonly Uint8Array[]): this {
    items.forEach((item, at) => {
      this.pieces.push(at === 0 ? opened : comma, item)
    })
    this.pieces.push(items.length === 0 ? empty : closed)
    return this
  }

  /** Fields with a comma before each. */
  fields(fields: Readonly<Record<string, unknown>>): this {
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) this.raw(`,${JSON.stringify(name)}:${JSON.stringify(value)}`)
    return this
  }

  done(): Uint8Array {
    return Buffer.concat(this.pieces)
  }
}

const comma = Buffer.from(',')
const opened = Buffer.from('[')
const closed = Buffer.from(']')
const empty = Buffer.from('[]')

/** The value as JSON; made once as long as the object it is made of lives. */
export function once<Item extends object>(item: Item, made: WeakMap<object, Buffer>, form: (item: Item) => unknown): Buffer {
  let bytes = made.get(item)
  if (!bytes) made.set(item, (bytes = Buffer.from(JSON.stringify(form(item)))))
  return bytes
}
