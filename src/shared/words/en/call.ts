export const call = {
  'call.unknown': 'Not known how this call ended: the app stopped while it ran. It is not repeated by itself. Compare with the snapshot before it, and do not assume that it was done or not done.',
  'call.was-done': 'The app stopped while this ran. The files have the content it was to write: it was done.',
  'call.was-not-done': 'The app stopped before this changed anything. Nothing was written.',
  'call.conflict': 'The app stopped while this ran, and {paths} now holds neither the old nor the new content. Look at it before you go on.',
} as const
