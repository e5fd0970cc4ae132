import type { command as english } from '../en/command'

export const command: Readonly<Record<keyof typeof english, string>> = {
}
