import type { approval as english } from '../en/approval'

export const approval: Readonly<Record<keyof typeof english, string>> = {
}
