import type { path as english } from '../en/path'

export const path: Readonly<Record<keyof typeof english, string>> = {
}
