import type { model as english } from '../en/model'

export const model: Readonly<Record<keyof typeof english, string>> = {
}
