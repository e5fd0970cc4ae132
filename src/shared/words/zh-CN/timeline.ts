import type { timeline as english } from '../en/timeline'

export const timeline: Readonly<Record<keyof typeof english, string>> = {
}
