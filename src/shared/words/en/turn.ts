export const turn = {
  'turn.done': 'Done.',
  'turn.cancelled': 'Stopped by you. {changes} {changes:change was|changes were} kept; undo them in the timeline.',
  'turn.step-limit': 'Stopped at {steps} steps. Say "go on" to continue.',
  'turn.repeat': 'Stopped: the same call gave the same result 3 times.',
  'turn.repeat-text': 'Stopped: the same text came 10 times in a row.',
  'turn.refused': 'The model declined to answer this (content filter).',
  'turn.incomplete': 'The connection ended before the answer was complete. The text so far is kept; nothing incomplete was run. Send again to retry.',
  'turn.cut': 'The answer was cut at the output limit of the model. Say "go on" to continue.',
  'turn.empty': 'The model returned nothing. Send again to retry.',
  'turn.nobody-answered': 'Nobody is here to answer.',
  'turn.cut-call': 'Your output was cut at the limit in the middle of a tool call. The text before it was kept; the call was not run and nothing was written. Send the call again in smaller pieces.',
  'turn.interrupted': 'The app stopped during this turn. Finished calls were kept; say "go on" to continue.',
} as const
