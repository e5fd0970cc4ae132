import type { SkillUses } from '../../../core/ports/skillRecord'
import type { Db } from '../driver'
import { statementsOf } from './statements'

/** Statements of the table `skill_use`. */
export function skillUseTable(db: Db) {
  const lazy = statementsOf(db)
  const list = lazy<SkillUses>('SELECT origin, path, max(at_ms) AS lastAtMs, count(*) FILTER (WHERE at_ms >= ?) AS times FROM skill_use GROUP BY origin, path ORDER BY origin, path')
  const insert = lazy('INSERT INTO skill_use (origin, path, at_ms) VALUES (?, ?, ?)')
  return {
    list: (sinceMs: number): readonly SkillUses[] => list.all(sinceMs),
    insert: (origin: string, path: string, atMs: number): void => insert.run(origin, path, atMs),
  }
}
