import type { welcome as english } from '../en/welcome'

export const welcome: Readonly<Record<keyof typeof english, string>> = {
}
