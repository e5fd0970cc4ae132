/** Sentences of the search in a conversation. */
export const find = {
  'find.bar': 'Find in conversation',
  'find.input': 'Find',
  'find.next': 'Next hit',
  'find.previous': 'Previous hit',
  'find.case': 'Match case',
  'find.word': 'Whole word',
  'find.close': 'Close find',
  'find.count': '{at} of {count}',
  'find.many': '{at} of more than {count}',
  'find.none': 'No hit',
  'find.searching': 'Searching…',
} as const
