import type { app as english } from '../en/app'

export const app: Readonly<Record<keyof typeof english, string>> = {
}
