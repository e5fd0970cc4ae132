export const path = {
} as const
