import type { guard as english } from '../en/guard'

export const guard: Readonly<Record<keyof typeof english, string>> = {
}
