import type { snapshot as english } from '../en/snapshot'

export const snapshot: Readonly<Record<keyof typeof english, string>> = {
}
