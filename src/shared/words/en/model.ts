export const model = {
} as const
