export const audit = {
  'audit.busy': 'Process {pid} keeps the audit log in {file} locked. Nothing was recorded, so nothing was run. Try again in a moment.',
  'audit.unusable': 'The audit log in {file} cannot be written: {problem}. Nothing is run without its record. Check the folder, then try again.',
} as const
