import type { audit as english } from '../en/audit'

export const audit: Readonly<Record<keyof typeof english, string>> = {
}
