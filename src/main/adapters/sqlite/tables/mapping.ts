/** How a domain type lies in a table: a column for each field, so that a new field without one does not compile. */
export interface Mapping<Row> {
  /** Column names in the order of `flatten`. */
  readonly names: string
  /** As many question marks. */
  readonly places: string
  /** Column names, each under its field's name. */
  readonly selected: string
  /** For an upsert: every column becomes what was given. */
  readonly replaced: string
  readonly flatten: (row: Row) => readonly unknown[]
  readonly restore: (flat: Readonly<Record<string, unknown>>) => Row
}

/** Makes the mapping. Fields named in `json` are stored as JSON; null stays null. */
export function mappingOf<Row extends object>(columns: Readonly<Record<keyof Row & string, string>>, json: readonly (keyof Row & string)[]): Mapping<Row> {
  const fields = Object.keys(columns) as (keyof Row & string)[]
  const isJson = new Set<string>(json)
  return {
    names: fields.map((field) => columns[field]).join(', '),
    places: fields.map(() => '?').join(', '),
    selected: fields.map((field) => `${columns[field]} AS "${field}"`).join(', '),
    replaced: fields.map((field) => `${columns[field]} = excluded.${columns[field]}`).join(', '),
    flatten: (row) => fields.map((field) => (isJson.has(field) && row[field] !== null ? JSON.stringify(row[field]) : row[field])),
    restore: (flat) => {
      const row: Record<string, unknown> = {}
      for (const field of fields) row[field] = isJson.has(field) && typeof flat[field] === 'string' ? JSON.parse(flat[field]) : flat[field]
      return row as Row
    },
  }
}
