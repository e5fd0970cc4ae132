export const snapshot = {
} as const
