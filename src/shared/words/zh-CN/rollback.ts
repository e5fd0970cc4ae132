import type { rollback as english } from '../en/rollback'

export const rollback: Readonly<Record<keyof typeof english, string>> = {
}
