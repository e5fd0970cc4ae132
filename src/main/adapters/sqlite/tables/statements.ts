import type { Db } from '../driver'

/** A statement that is prepared at its first use, so that a table of a newer version is no fault until it is asked for. */
export interface Lazy<Row> {
  run(...values: readonly unknown[]): void
  get(...values: readonly unknown[]): Row | undefined
  all(...values: readonly unknown[]): Row[]
  iterate(...values: readonly unknown[]): IterableIterator<Row>
}

/** Makes the statements of one table. */
export function statementsOf(db: Db) {
  return function lazy<Row = never>(text: string): Lazy<Row> {
    const prepare = () => db.prepare<unknown[], Row>(text)
    let made: ReturnType<typeof prepare> | undefined
    const statement = () => (made ??= prepare())
    return {
      run: (...values) => void statement().run(...values),
      get: (...values) => statement().get(...values),
      all: (...values) => statement().all(...values),
      iterate: (...values) => statement().iterate(...values),
    }
  }
}
