export const audit = {
  'audit.busy': 'Process {pid} keeps the audit log in {file} locked, so nothing could be recorded. Nothing more is run without its record. Try again in a moment.',
  'audit.unusable': 'The audit log in {file} cannot be written: {problem}. Nothing more is run without its record. Check the folder, then try again.',
  'audit.not-exported': 'The audit log could not be exported to {file}: {problem}. Choose another place and try again.',
} as const
