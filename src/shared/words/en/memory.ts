export const memory = {
  'memory.changed': 'This memory was changed elsewhere since you saw it. Nothing was saved; compare both versions.',
} as const
