import { sqliteCode, type Db } from '../driver'
import { isDamage } from '../faults'
import { rowsOn, textOf, type FoundRow, type Stored } from './leafRows'
import { openPages } from './pages'

/** A table of the new database, as found rows are matched with it. */
interface Shape {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string; readonly canBeNull: boolean; readonly isRowid: boolean }[]
  /** 1 when the row is new, 0 when it is there already or breaks the schema's checks: then it is damaged itself. */
  insert(values: readonly (Stored | undefined)[]): number
}

/** Not worth saving: what speaks of processes that are gone, and the index of memory with its parts, which is made anew. */
const passing = /^(?:lane$|memory_index)/

/** Longer conversations than this there are none: such a number is a flipped bit, and the gap before it would never end. */
const mostEvents = 5_000_000

/**
 * Copies every row that can still be read from a damaged database into an empty one of the present schema, in one
 * transaction of the caller's. First what SQLite itself can read, table by table; then what stands on pages that it cannot
 * reach any more.
 *
 * @param source an open connection to the damaged file, or null when SQLite does not open it at all.
 * @returns how many rows were saved.
 */
export function salvage(source: Db | null, file: string, target: Db): number {
  const shapes = shapesOf(target)
  let saved = 0
  for (const shape of shapes) saved += source === null ? 0 : copyReadable(source, shape)
  const pages = openPages(file)
  try {
    for (let page = 1; page <= pages.count; page += 1) saved += insertFound(shapes, rowsOn(pages.sure, page))
    for (const page of pages.latePages) saved += insertFound(shapes, rowsOn(pages.late, page))
  } finally {
    pages.close()
  }
  return saved
}

function shapesOf(db: Db): readonly Shape[] {
  const tables = db.prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name").all()
  return tables.filter(({ name }) => !passing.test(name)).map(({ name }) => {
    const found = db.pragma(`table_info(${name})`) as { name: string; type: string; notnull: number; pk: number }[]
    // An integer that is the whole key is the row's own number and stands nowhere else.
    const isSingle = found.filter((one) => one.pk > 0).length === 1
    const columns = found.map((one) => ({ name: one.name, type: one.type, canBeNull: one.notnull === 0, isRowid: isSingle && one.pk > 0 && one.type === 'INTEGER' }))
    return { name, columns, insert: inserter(db, name, columns.map((column) => column.name)) }
  })
}

/** Row by row from the front until damage stops it, then from behind. */
function copyReadable(source: Db, shape: Shape): number {
  // Text is taken as bytes: SQLite gives an overwritten one without a word.
  const columns = shape.columns.map(({ name, type }) => (type === 'TEXT' ? `CAST (${name} AS BLOB) AS ${name}` : name)).join(', ')
  let saved = 0
  for (const order of ['ASC', 'DESC']) {
    try {
      const rows = source.prepare<[], Record<string, Stored>>(`SELECT ${columns} FROM ${shape.name} ORDER BY rowid ${order}`).iterate()
      for (const row of rows) {
        const values = shape.columns.map(({ name }) => decoded(row[name] ?? null))
        if (!values.includes(undefined)) saved += shape.insert(values)
      }
      return saved
    } catch (error) {
      // A table that the damaged file does not know any more is damage too.
      if (!isDamage(error) && !/no such table|no such column/.test(String(error))) throw error
    }
  }
  return saved
}

/** Undefined for bytes that are no text any more. */
function decoded(value: Stored): Stored | undefined {
  return value instanceof Uint8Array ? (textOf(value) ?? undefined) : value
}

function insertFound(shapes: readonly Shape[], rows: readonly FoundRow[]): number {
  return rows.reduce((saved, row) => {
    const shape = shapes.find((one) => fits(one, row))
    return shape === undefined ? saved : saved + shape.insert(valuesOf(shape, row))
  }, 0)
}

function fits(shape: Shape, row: FoundRow): boolean {
  if (row.values.length !== shape.columns.length) return false
  return shape.columns.every((column, index) => {
    const value = row.values[index] ?? null
    if (value === null) return column.canBeNull || column.isRowid
    return column.type === 'INTEGER' ? typeof value === 'number' : typeof value === 'string'
  })
}

/** The row's number takes the place of an integer key, which is not stored beside it. */
function valuesOf(shape: Shape, row: FoundRow): readonly Stored[] {
  return shape.columns.map((column, index) => (column.isRowid ? row.rowid : (row.values[index] ?? null)))
}

function inserter(db: Db, table: string, columns: readonly string[]): Shape['insert'] {
  const statement = db.prepare<unknown[]>(`INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
  const seqAt = table === 'event' ? columns.indexOf('seq') : -1
  return (values) => {
    if (Number(values[seqAt] ?? 0) > mostEvents) return 0
    try {
      return statement.run(...values).changes
    } catch (error) {
      const code = sqliteCode(error) ?? ''
      if (code === 'SQLITE_ERROR' || code.startsWith('SQLITE_CONSTRAINT')) return 0
      throw error
    }
  }
}
