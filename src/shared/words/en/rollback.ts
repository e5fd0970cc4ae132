export const rollback = {
} as const
