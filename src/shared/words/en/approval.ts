export const approval = {
  'approval.gone': 'This question was answered already or withdrawn. Nothing was run.',
  'approval.outdated': 'This answer belongs to an earlier form of the question. Look at the card again.',
} as const
