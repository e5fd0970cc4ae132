import type { SkillSwitch } from '../../../core/ports/skillRecord'
import type { Db } from '../driver'
import { statementsOf } from './statements'

/** Statements of the table `skill_switch`. */
export function skillSwitchTable(db: Db) {
  const lazy = statementsOf(db)
  const list = lazy<Omit<SkillSwitch, 'isOn'> & { readonly isOn: number }>('SELECT origin, path, is_on AS isOn FROM skill_switch ORDER BY origin, path')
  const put = lazy('INSERT INTO skill_switch (origin, path, is_on) VALUES (?, ?, ?) ON CONFLICT (origin, path) DO UPDATE SET is_on = excluded.is_on')
  return {
    list: (): readonly SkillSwitch[] => list.all().map((row) => ({ ...row, isOn: row.isOn === 1 })),
    put: ({ origin, path, isOn }: SkillSwitch): void => put.run(origin, path, isOn ? 1 : 0),
  }
}
