export const guard = {
  'guard.nothing-against': 'No guard objects.',
  'guard.needs-person': 'Only you can answer this.',
} as const
