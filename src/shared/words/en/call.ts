export const call = {
  'call.unknown': 'Not known how this call ended: the app stopped while it ran. It is not repeated by itself. Compare with the snapshot before it, and do not assume that it was done or not done.',
  'call.was-done': 'The app stopped while this ran. The files have the content it was to write: it was done.',
  'call.was-not-done': 'The app stopped before this changed anything. Nothing was written.',
  'call.conflict': 'The app stopped while this ran, and {paths} now holds neither the old nor the new content. Look at it before you go on.',
  'call.said-done': 'The app stopped while this ran. The person looked at it and says that it is done. Its exit code is not known.',
  'call.said-rolled-back': 'The app stopped while this ran. The person took its changes of files back: it counts as not done. What it may have done outside the project is not known.',
  'call.said-again': 'The app stopped while {tool} ran, and nobody knows how far it got. The person has it run again: the result above is of the second run.',
  'call.settled-already': 'Nothing is asked about this call any more.',
  'call.not-rolled-back': 'No rollback of files was made since this call began. Roll back first.',
} as const
