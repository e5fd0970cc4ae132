export const skill = {
  'skill.folder-not-shown': 'The folder could not be shown. It is {path}.',
} as const
