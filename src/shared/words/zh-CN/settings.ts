import type { settings as english } from '../en/settings'

export const settings: Readonly<Record<keyof typeof english, string>> = {
}
