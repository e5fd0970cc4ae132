export const timeline = {
} as const
