import type { guard as english } from '../en/guard'

export const guard: Readonly<Record<keyof typeof english, string>> = {
  'guard.nothing-against': '没有守护规则反对。',
  'guard.needs-person': '只有你能回答。',
}
