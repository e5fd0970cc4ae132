import type { session as english } from '../en/session'

export const session: Readonly<Record<keyof typeof english, string>> = {
}
